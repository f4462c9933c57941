//! Functions on arrays (2022 specification, Appendix B: `States.Array` to `States.ArrayUnique`).
use super::java_hash::sort_as_hash_set;
use super::{Arguments, Outcome};
use crate::error::Failure;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::{self, Write};

/// `States.Array(value…)`: the values, in order.
pub(super) fn array<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Outcome<'v> {
    let mut items = Vec::with_capacity(arguments.len());
    for index in 0..arguments.len() {
        let item = arguments.value(index)?;
        items.push(arguments.scope.owned(item)?);
    }
    owned(Value::Array(items))
}

/// `States.ArrayContains(array, value)`: whether an item has the text of the value. The service compares texts (measured): `1` is in
/// `["1"]`, and the order of an object's fields counts.
pub(super) fn array_contains<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Outcome<'v> {
    let items = arguments.array(0)?;
    let wanted = arguments.value(1)?;
    let printed;
    let wanted = match &*wanted {
        Value::String(text) => text,
        other => {
            printed = other.to_string();
            arguments.scope.charge_text(printed.len())?;
            &printed
        }
    };
    owned(Value::Bool(items.iter().any(|item| has_text(item, wanted))))
}

/// Compares the printed form of a value with a text and stops printing at the first difference. A string is its own text.
fn has_text(value: &Value, text: &str) -> bool {
    /// The rest of a text that is not matched yet.
    struct Rest<'t>(&'t str);
    impl Write for Rest<'_> {
        fn write_str(&mut self, printed: &str) -> fmt::Result {
            self.0 = self.0.strip_prefix(printed).ok_or(fmt::Error)?;
            Ok(())
        }
    }
    let mut rest = Rest(text);
    match value {
        Value::String(string) => string == text,
        other => write!(rest, "{other}").is_ok() && rest.0.is_empty(),
    }
}

/// `States.ArrayGetItem(array, index)`: the item at an index counted from zero; null of an empty array, as the service
/// answers.
pub(super) fn array_get_item<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Outcome<'v> {
    let items = arguments.array(0)?;
    let index = arguments.integer(1)?;
    let length = items.len();
    if length == 0 {
        return owned(Value::Null);
    }
    let item = usize::try_from(index).ok().and_then(|at| match items {
        Cow::Borrowed(items) => items.get(at).map(Cow::Borrowed),
        Cow::Owned(mut items) => (at < items.len()).then(|| Cow::Owned(items.swap_remove(at))),
    });
    item.ok_or_else(|| {
        Failure::arguments(format!(
            "the index {index} is outside the array, which has {length} items"
        ))
    })
}

/// `States.ArrayLength(array)`: how many items there are.
pub(super) fn array_length<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Outcome<'v> {
    let items = arguments.array(0)?;
    owned(Value::from(items.len()))
}

/// `States.ArrayPartition(array, size)`: the items in arrays of that size; the last one may be shorter.
pub(super) fn array_partition<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Outcome<'v> {
    let items = arguments.array(0)?;
    let size = arguments.integer(1)?;
    if size < 1 {
        return Err(Failure::arguments(format!(
            "the chunk size must be at least 1, found {size}"
        )));
    }
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    arguments.scope.charge_values(items.len().div_ceil(size))?;
    let chunks = match items {
        Cow::Borrowed(items) => copied_chunks(arguments, items, size)?,
        Cow::Owned(items) => moved_chunks(items, size),
    };
    owned(Value::Array(chunks))
}

fn copied_chunks<'v>(
    arguments: &mut Arguments<'v, '_, '_>,
    items: &[Value],
    size: usize,
) -> Result<Vec<Value>, Failure<'v>> {
    for item in items {
        arguments.scope.charge_value(item)?;
    }
    let chunks = items.chunks(size);
    Ok(chunks.map(|chunk| Value::Array(chunk.to_vec())).collect())
}

fn moved_chunks(items: Vec<Value>, size: usize) -> Vec<Value> {
    let mut chunks = Vec::with_capacity(items.len().div_ceil(size));
    let mut items = items.into_iter();
    while items.len() > 0 {
        chunks.push(Value::Array(items.by_ref().take(size).collect()));
    }
    chunks
}

/// `States.ArrayRange(first, last, step)`: from the first number on, by steps, as far as the last one.
pub(super) fn array_range<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Outcome<'v> {
    let (first, last, step) = (
        arguments.integer(0)?,
        arguments.integer(1)?,
        arguments.integer(2)?,
    );
    if step == 0 {
        return Err(Failure::arguments("the step must not be 0"));
    }
    let span = if step > 0 {
        i128::from(last) - i128::from(first)
    } else {
        i128::from(first) - i128::from(last)
    };
    let count = if span < 0 {
        0
    } else {
        span / i128::from(step).abs() + 1
    };
    let most = arguments.limits().max_range_items;
    let Some(count) = usize::try_from(count).ok().filter(|count| *count <= most) else {
        return Err(Failure::arguments(format!(
            "the range must have at most {most} items, found {count}"
        )));
    };
    arguments.scope.charge_values(count)?;
    // Within first and last, so that nothing wraps.
    let items = (0_i64..)
        .take(count)
        .map(|index| Value::from(first.wrapping_add(step.wrapping_mul(index))));
    owned(Value::Array(items.collect()))
}

/// `States.ArrayUnique(array)`: each item once, in the order of a Java hash set.
pub(super) fn array_unique<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Outcome<'v> {
    let items = arguments.array(0)?;
    let mut unique = unique(&items);
    sort_as_hash_set(&mut unique);
    for item in &unique {
        arguments.scope.charge_value(item)?;
    }
    owned(Value::Array(unique.into_iter().cloned().collect()))
}

/// Few items are compared with each other; many are looked up by hash, so that cost stays linear.
fn unique(items: &[Value]) -> Vec<&Value> {
    const FEW: usize = 16;
    let mut unique = Vec::with_capacity(items.len());
    if items.len() <= FEW {
        for item in items {
            if !unique.contains(&item) {
                unique.push(item);
            }
        }
    } else {
        let mut seen = HashSet::with_capacity(items.len());
        unique.extend(items.iter().filter(|item| seen.insert(*item)));
    }
    unique
}

fn owned<'v>(value: Value) -> Outcome<'v> {
    Ok(Cow::Owned(value))
}
