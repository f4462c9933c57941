//! Functions that call functions.
use super::arguments::taken;
use super::array::several;
use super::general::is_truthy;
use super::signature::unusable_argument;
use crate::evaluate::{Arguments, Evaluation, Outcome, failure};
use crate::value::{Items, Object, Text, Value, View};
use smallvec::smallvec;
use std::cmp::Ordering;

/// A function that is called with a value, where the value is, and all the values: as many of them as it takes.
struct Callback<'v, 'a> {
    function: &'v Value<'a>,
    arity: usize,
}

impl<'v, 'a> Callback<'v, 'a> {
    /// None where the value is no function.
    fn of(function: &'v Value<'a>) -> Option<Self> {
        let arity = match function.view() {
            View::Function(function) => function.arity(),
            _ => return None,
        };
        Some(Self { function, arity })
    }

    fn call(
        &self,
        evaluation: &mut Evaluation<'a, '_>,
        value: Value<'a>,
        place: impl FnOnce() -> Value<'a>,
        all: &Value<'a>,
    ) -> Outcome<Value<'a>> {
        let mut arguments: Arguments<'a> = smallvec![value];
        if self.arity >= 2 {
            arguments.push(place());
        }
        if self.arity >= 3 {
            arguments.push(all.clone());
        }
        evaluation.apply(self.function, arguments)
    }

    /// Calls it with each item in turn, until `each` has enough.
    fn over_items(
        &self,
        evaluation: &mut Evaluation<'a, '_>,
        all: &Value<'a>,
        mut each: impl FnMut(&mut Evaluation<'a, '_>, Value<'a>, Value<'a>) -> Outcome<()>,
    ) -> Outcome<()> {
        for (index, item) in all.as_items().into_iter().flat_map(Items::iter).enumerate() {
            let result = self.call(
                evaluation,
                item.clone(),
                || Value::Number(index as f64),
                all,
            )?;
            each(evaluation, item, result)?;
        }
        Ok(())
    }
}

/// `$map(array, function)`: what the function makes of each item, but for undefined.
pub(super) fn map<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [array, function] = taken(arguments);
    let Some(callback) = Callback::of(&function).filter(|_| !array.is_undefined()) else {
        return Ok(Value::Undefined);
    };
    let mut results = Vec::new();
    callback.over_items(evaluation, &array, |evaluation, _, result| {
        if !result.is_undefined() {
            evaluation.charge_items(1)?;
            results.push(result);
        }
        Ok(())
    })?;
    Ok(Value::sequence(results))
}

/// `$filter(array, function)`: the items for which the function is true.
pub(super) fn filter<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [array, function] = taken(arguments);
    let Some(callback) = Callback::of(&function).filter(|_| !array.is_undefined()) else {
        return Ok(Value::Undefined);
    };
    let mut kept = Vec::new();
    callback.over_items(evaluation, &array, |evaluation, item, result| {
        if evaluation.truth(&result)? {
            evaluation.charge_items(1)?;
            kept.push(item);
        }
        Ok(())
    })?;
    Ok(Value::sequence(kept))
}

/// `$single(array, function)`: the only item for which the function is true, or the only item.
pub(super) fn single<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [array, function] = taken(arguments);
    let Some(items) = array.as_items() else {
        return Ok(Value::Undefined);
    };
    let mut found = None;
    let mut keep = |item: Value<'a>| match found.replace(item) {
        None => Ok(()),
        Some(_) => {
            let message = "The $single() function expected exactly 1 matching result.  Instead it matched more.";
            Err(failure("D3138", message))
        }
    };
    match Callback::of(&function) {
        Some(callback) => callback.over_items(evaluation, &array, |evaluation, item, result| {
            if evaluation.truth(&result)? {
                keep(item)
            } else {
                Ok(())
            }
        })?,
        None => items.iter().try_for_each(&mut keep)?,
    }
    found.ok_or_else(|| {
        let message =
            "The $single() function expected exactly 1 matching result.  Instead it matched 0.";
        failure("D3139", message)
    })
}

/// `$reduce(array, function, initial)`: the function over the result so far and each item; without an initial value the first item is one.
pub(super) fn reduce<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [array, function, initial] = taken(arguments);
    let Some(callback) = Callback::of(&function).filter(|_| !array.is_undefined()) else {
        return Ok(Value::Undefined);
    };
    if callback.arity < 2 {
        let message =
            "The second argument of reduce function must be a function with at least two arguments";
        return Err(failure("D3050", message));
    }
    let mut items = array
        .as_items()
        .into_iter()
        .flat_map(Items::iter)
        .enumerate();
    let mut result = initial;
    if result.is_undefined() {
        result = items.next().map_or(Value::Undefined, |(_, first)| first);
    }
    for (index, item) in items {
        let mut arguments: Arguments<'a> = smallvec![result, item];
        if callback.arity >= 3 {
            arguments.push(Value::Number(index as f64));
        }
        if callback.arity >= 4 {
            arguments.push(array.clone());
        }
        result = evaluation.apply(&function, arguments)?;
    }
    Ok(result)
}

/// `$each(object, function)`: what the function makes of each field, but for undefined.
pub(super) fn each<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [object, function] = taken(arguments);
    let mut results = Vec::new();
    over_fields(
        evaluation,
        &object,
        &function,
        "each",
        |evaluation, _, _, result| {
            if !result.is_undefined() {
                evaluation.charge_items(1)?;
                results.push(result);
            }
            Ok(())
        },
    )?;
    Ok(Value::sequence(results))
}

/// `$sift(object, function)`: the fields for which the function is true; undefined where there are none.
pub(super) fn sift<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [object, function] = taken(arguments);
    let mut kept = Object::default();
    over_fields(
        evaluation,
        &object,
        &function,
        "sift",
        |evaluation, name, value, result| {
            if evaluation.truth(&result)? {
                evaluation.charge_fields(1)?;
                kept.insert(name, value);
            }
            Ok(())
        },
    )?;
    Ok(if kept.len() == 0 {
        Value::Undefined
    } else {
        Value::object(kept)
    })
}

fn over_fields<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    object: &Value<'a>,
    function: &Value<'a>,
    name: &'static str,
    mut each: impl FnMut(&mut Evaluation<'a, '_>, Text<'a>, Value<'a>, Value<'a>) -> Outcome<()>,
) -> Outcome<()> {
    let View::Object(fields) = object.view() else {
        return Ok(());
    };
    for (field, value) in fields.iter() {
        let callback = Callback::of(function).ok_or_else(|| unusable_argument(name, 2))?;
        let place = || Value::Text(field.clone());
        let result = callback.call(evaluation, value.clone(), place, object)?;
        each(evaluation, field, value, result)?;
    }
    Ok(())
}

/// `$sort(array, function)`: stable; the function says whether its arguments must change places.
pub(super) fn sort<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [array, function] = taken(arguments);
    let Some(items) = several(&array) else {
        return Ok(array);
    };
    evaluation.charge_items(items.len())?;
    let items: Vec<Value<'a>> = items.iter().collect();
    let sorted = if function.is_undefined() {
        sorted_by_value(evaluation, items)?
    } else {
        let is_behind =
            |evaluation: &mut Evaluation<'a, '_>, left: &Value<'a>, right: &Value<'a>| {
                let result = evaluation.apply(&function, smallvec![left.clone(), right.clone()])?;
                Ok(is_truthy(&result))
            };
        merge_sorted(evaluation, items, is_behind)?
    };
    Ok(Value::array(sorted))
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

/// Sorts by merging halves, since a comparing function may fail, and may be anything but consistent. Of each half the first `len / 2` items are the left side.
pub(crate) fn merge_sorted<'a, 'e, T>(
    evaluation: &mut Evaluation<'a, 'e>,
    items: Vec<T>,
    mut is_behind: impl FnMut(&mut Evaluation<'a, 'e>, &T, &T) -> Outcome<bool>,
) -> Outcome<Vec<T>> {
    merge_halves(evaluation, items, &mut is_behind)
}

/// As deep as the logarithm of the length.
fn merge_halves<'a, 'e, T>(
    evaluation: &mut Evaluation<'a, 'e>,
    mut left: Vec<T>,
    is_behind: &mut impl FnMut(&mut Evaluation<'a, 'e>, &T, &T) -> Outcome<bool>,
) -> Outcome<Vec<T>> {
    if left.len() <= 1 {
        return Ok(left);
    }
    let right = left.split_off(left.len() / 2);
    let total = left.len() + right.len();
    evaluation.charge_steps(total)?;
    let left = merge_halves(evaluation, left, is_behind)?;
    let right = merge_halves(evaluation, right, is_behind)?;
    let mut merged = Vec::with_capacity(total);
    let (mut left, mut right) = (left.into_iter(), right.into_iter());
    let (mut first, mut second) = (left.next(), right.next());
    while let (Some(one), Some(other)) = (&first, &second) {
        if is_behind(evaluation, one, other)? {
            merged.extend(second.take());
            second = right.next();
        } else {
            merged.extend(first.take());
            first = left.next();
        }
    }
    merged.extend(first);
    merged.extend(left);
    merged.extend(second);
    merged.extend(right);
    Ok(merged)
}
