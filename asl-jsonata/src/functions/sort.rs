//! `$sort`, and sorting by any comparison.
use super::arguments::take;
use super::array::several;
use super::general::is_truthy;
use crate::evaluate::{Arguments, Evaluation, KeyComparison, Outcome, failure};
use crate::value::{Function, Items, Value, View};
use std::cmp::Ordering;

/// `$sort(array, function)`: stable; the function says whether its arguments must change places.
pub(super) fn sort<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [array, function] = take(arguments);
    let Some(items) = several(&array) else {
        return Ok(array);
    };
    evaluation.charge_items(items.len())?;
    if function.is_undefined() {
        let sorted = sorted_by_value(evaluation, items.iter().collect())?;
        return Ok(Value::array(sorted));
    }
    let order = match key_comparison(&function, items) {
        Some(mut keys) => merge_sorted(evaluation, items.len(), |evaluation, left, right| {
            let result = keys.compare(evaluation, left, right)?;
            Ok(is_truthy(&result))
        }),
        None => merge_sorted(evaluation, items.len(), |evaluation, left, right| {
            let item = |at| items.get(at).unwrap_or_default();
            let result = evaluation.apply(&function, [item(left), item(right)])?;
            Ok(is_truthy(&result))
        }),
    }?;
    let sorted = order.into_iter().filter_map(|at| items.get(at));
    Ok(Value::array(sorted.collect()))
}

/// Returns the comparison of a function, if it only compares keys.
fn key_comparison<'v, 'a>(
    function: &'v Value<'a>,
    items: Items<'v, 'a>,
) -> Option<KeyComparison<'v, 'a>> {
    let Value::Function(function) = function else {
        return None;
    };
    match &**function {
        Function::Lambda(closure) => KeyComparison::new(closure, items),
        _ => None,
    }
}

/// Numbers by size, texts by their UTF-16 units.
fn sorted_by_value<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    mut items: Vec<Value<'a>>,
) -> Outcome<Vec<Value<'a>>> {
    let is_number = |item: &Value<'a>| item.as_number().is_some_and(|number| !number.is_nan());
    if !items.iter().all(is_number) && !items.iter().all(|item| item.as_text().is_some()) {
        let message = "The single argument form of the sort function can only be applied to an array of strings or an array of numbers.  Use the second argument to specify a comparison function";
        return Err(failure("D3070", message));
    }
    let rounds = items.len().ilog2() as usize + 1;
    let length = items
        .iter()
        .map(|item| item.as_text().map_or(0, str::len))
        .max();
    evaluation.charge_steps(items.len().saturating_mul(rounds))?;
    evaluation.charge_scan(
        items
            .len()
            .saturating_mul(rounds)
            .saturating_mul(length.unwrap_or(0)),
    )?;
    items.sort_by(|left, right| match (left.view(), right.view()) {
        (View::Number(left), View::Number(right)) => {
            left.partial_cmp(&right).unwrap_or(Ordering::Equal)
        }
        (View::Text(left), View::Text(right)) => left.encode_utf16().cmp(right.encode_utf16()),
        _ => Ordering::Equal,
    });
    Ok(items)
}

/// Returns the positions of items in order, sorted by merging halves, because a comparing function may fail and be
/// inconsistent. The first `len / 2` items are the left half; `is_behind` gets the position of an item of the left and one
/// of the right.
pub(crate) fn merge_sorted<'a, 'e>(
    evaluation: &mut Evaluation<'a, 'e>,
    count: usize,
    mut is_behind: impl FnMut(&mut Evaluation<'a, 'e>, usize, usize) -> Outcome<bool>,
) -> Outcome<Vec<usize>> {
    let mut places: Vec<usize> = (0..count).collect();
    let mut left = Vec::with_capacity(count / 2);
    merge_halves(evaluation, &mut places, &mut left, &mut is_behind)?;
    Ok(places)
}

/// As deep as the logarithm of the length. `left` is room for the left side.
fn merge_halves<'a, 'e>(
    evaluation: &mut Evaluation<'a, 'e>,
    places: &mut [usize],
    left: &mut Vec<usize>,
    is_behind: &mut impl FnMut(&mut Evaluation<'a, 'e>, usize, usize) -> Outcome<bool>,
) -> Outcome<()> {
    if places.len() <= 1 {
        return Ok(());
    }
    evaluation.charge_steps(places.len())?;
    let middle = places.len() / 2;
    let (first, second) = places.split_at_mut(middle);
    merge_halves(evaluation, first, left, is_behind)?;
    merge_halves(evaluation, second, left, is_behind)?;
    left.clear();
    left.extend_from_slice(first);
    let (mut taken, mut right) = (0, middle);
    // What is merged ends where the rest of the right side begins, once the left side is used up.
    for merged in 0..places.len() {
        let Some(one) = left.get(taken).copied() else {
            break;
        };
        let next = match places.get(right).copied() {
            Some(other) if is_behind(evaluation, one, other)? => {
                right += 1;
                other
            }
            _ => {
                taken += 1;
                one
            }
        };
        if let Some(place) = places.get_mut(merged) {
            *place = next;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Environment;
    use crate::evaluate::with_evaluation;

    /// Returns the order, and which places were compared.
    fn sorted(keys: &[u32]) -> (Vec<usize>, Vec<(usize, usize)>) {
        let input = serde_json::Value::Null;
        let mut compared = Vec::new();
        let order = with_evaluation(&mut Environment::from_input(&input), |evaluation| {
            merge_sorted(evaluation, keys.len(), |_, left, right| {
                compared.push((left, right));
                Ok(keys[left] > keys[right])
            })
        });
        (order.unwrap(), compared)
    }

    #[test]
    fn equal_items_stay_in_order() {
        let (order, _) = sorted(&[2, 1, 2, 0, 1, 2, 0]);
        assert_eq!(order, [3, 6, 1, 4, 0, 2, 5]);
    }

    /// As the reference merges, for functions that are not consistent.
    #[test]
    fn items_are_compared_half_by_half() {
        let (order, compared) = sorted(&[1, 2, 0, 3, 4]);
        assert_eq!(order, [2, 0, 1, 3, 4]);
        let expected = [(0, 1), (3, 4), (2, 3), (0, 2), (0, 3), (1, 3)];
        assert_eq!(compared, expected);
    }
}
