//! Functions that call functions.
use super::arguments::take;
use super::signature::unusable_argument;
use crate::evaluate::{Arguments, Evaluation, Outcome, failure};
use crate::value::{Items, Object, Text, Value, View};
use std::iter::once;

/// A function that is called with a value, where the value is, and all the values: as many of them as it takes.
struct Callback<'v, 'a> {
    function: &'v Value<'a>,
    arity: usize,
}

impl<'v, 'a> Callback<'v, 'a> {
    /// None if the value is no function.
    fn from_value(function: &'v Value<'a>) -> Option<Self> {
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
        let place = (self.arity >= 2).then(place);
        let all = (self.arity >= 3).then(|| all.clone());
        evaluation.apply(self.function, once(value).chain(place).chain(all))
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
    let [array, function] = take(arguments);
    let Some(callback) = Callback::from_value(&function).filter(|_| !array.is_undefined()) else {
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
    let [array, function] = take(arguments);
    let Some(callback) = Callback::from_value(&function).filter(|_| !array.is_undefined()) else {
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
    let [array, function] = take(arguments);
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
    match Callback::from_value(&function) {
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
    let [array, function, initial] = take(arguments);
    let Some(callback) = Callback::from_value(&function).filter(|_| !array.is_undefined()) else {
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
        let place = (callback.arity >= 3).then_some(Value::Number(index as f64));
        let all = (callback.arity >= 4).then(|| array.clone());
        result = evaluation.apply(
            &function,
            [result, item].into_iter().chain(place).chain(all),
        )?;
    }
    Ok(result)
}

/// `$each(object, function)`: what the function makes of each field, but for undefined.
pub(super) fn each<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [object, function] = take(arguments);
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

/// `$sift(object, function)`: the fields for which the function is true; undefined if there are none.
pub(super) fn sift<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [object, function] = take(arguments);
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
        let callback = Callback::from_value(function).ok_or_else(|| unusable_argument(name, 2))?;
        let place = || Value::Text(field.clone());
        let result = callback.call(evaluation, value.clone(), place, object)?;
        each(evaluation, field, value, result)?;
    }
    Ok(())
}
