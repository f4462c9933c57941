//! Letting go of data without recursion: what comes from outside may nest deeper than the stack allows.
use super::measure::Measure;
use super::state_data::measure_and_weigh;
use crate::Limits;
use asl_path::json::depth_within;
use serde_json::Value;
use std::sync::Arc;

/// Releases a value, with all its content if nothing else shares it.
fn release(value: Arc<Value>) {
    let mut pending: Vec<Value> = Arc::into_inner(value).into_iter().collect();
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(elements) => pending.extend(elements.into_iter().filter(nests)),
            Value::Object(fields) => {
                pending.extend(fields.into_iter().map(|(_, value)| value).filter(nests));
            }
            _ => {}
        }
    }
}

/// Data of one level more than it may have, in place of data that has more: it is refused as that would be, and can be kept,
/// printed and let continue any stack.
#[inline]
pub(crate) fn cut(value: &mut Arc<Value>, max_depth: usize) {
    let levels = max_depth.saturating_add(1);
    if !is_shallow(value, levels.min(SHALLOW)) {
        cut_deep(value, levels);
    }
}

/// The same of data that is measured anyway, with its measure and its approximate weight.
pub(crate) fn cut_measured(value: &mut Arc<Value>, limits: &Limits) -> (Measure, u64) {
    let levels = limits.max_data_depth.saturating_add(1);
    let measured = measure_and_weigh(value, limits);
    if measured.0.depth <= levels {
        return measured;
    }
    cut_deep(value, levels);
    measure_and_weigh(value, limits)
}

#[cold]
fn cut_deep(value: &mut Arc<Value>, levels: usize) {
    if depth_within(value, levels).is_none() {
        let upper = Arc::new(upper(value, levels));
        release(std::mem::replace(value, upper));
    }
}

/// Levels that most data has no more of.
const SHALLOW: usize = 4;

/// Returns true if there are no more levels; recursion is bounded by them.
fn is_shallow(value: &Value, levels: usize) -> bool {
    let below = |value| is_shallow(value, levels.saturating_sub(1));
    match value {
        Value::Array(elements) => levels > 0 && elements.iter().all(below),
        Value::Object(fields) => levels > 0 && fields.values().all(below),
        _ => true,
    }
}

/// As many levels; null stands for what nests deeper.
fn upper(value: &Value, levels: usize) -> Value {
    if !nests(value) {
        return value.clone();
    }
    let Some(below) = levels.checked_sub(1) else {
        return Value::Null;
    };
    match value {
        Value::Array(elements) => elements.iter().map(|value| upper(value, below)).collect(),
        Value::Object(fields) => {
            let fields = fields.iter();
            fields
                .map(|(name, value)| (name.clone(), upper(value, below)))
                .collect()
        }
        scalar => scalar.clone(),
    }
}

fn nests(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn nested(levels: usize) -> Value {
        (0..levels).fold(json!(1), |inner, level| match level % 2 {
            0 => Value::Array(vec![inner]),
            _ => Value::Object([("a".to_owned(), inner)].into_iter().collect()),
        })
    }

    #[test]
    fn one_level_too_many_is_left() {
        for (levels, kept) in [(0, 0), (3, 3), (4, 4), (5, 4), (1_000_000, 4)] {
            let mut value = Arc::new(nested(levels));
            cut(&mut value, 3);
            assert_eq!(depth_within(&value, 10), Some(kept), "{levels}");
        }
        let value = Arc::new(json!({"a": [[[[1]], 2]], "b": [3]}));
        let mut upper = Arc::clone(&value);
        cut(&mut upper, 2);
        assert_eq!(*upper, json!({"a": [[null, 2]], "b": [3]}));
        assert_eq!(*value, json!({"a": [[[[1]], 2]], "b": [3]}));
    }

    #[test]
    fn a_million_levels_take_no_stack() {
        let nested = nested(1_000_000);
        let (value, other) = (Arc::new(nested), Arc::new(json!([[1]])));
        release(Arc::clone(&other));
        assert_eq!(*other, json!([[1]]));
        release(value);
    }
}
