//! What the service adds to JSONata (Step Functions Developer Guide, Transforming data with JSONata): numbers that must be
//! whole are rounded down.
use super::arguments::{only, taken};
use super::json_text::quoted;
use crate::evaluate::{Arguments, Evaluation, Outcome, failure};
use crate::value::{Object, Text, Value};
use asl_intrinsics::digest;
use asl_intrinsics::random::{JavaRandom, RandomSource};
use asl_path::json;
use serde_json::Value as Json;

/// The argument of a function is not what it takes (Step Functions Developer Guide, Transforming data with JSONata).
fn unfit(message: impl Into<String>) -> Box<crate::EvaluationError> {
    failure("D3200", message)
}

fn whole(value: &Value<'_>, function: &str, number: usize) -> Outcome<Option<i64>> {
    /// Beyond 2^53 numbers are not exact.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let Some(given) = value.as_number() else {
        return Ok(None);
    };
    let floor = given.floor();
    if (-EXACT..=EXACT).contains(&floor) {
        Ok(Some(floor as i64))
    } else {
        Err(unfit(format!(
            "Argument {number} of function {function} must be an integer of at most 2^53"
        )))
    }
}

/// `$partition(array, size)`: the items in arrays of that size; the last one may be shorter.
pub(super) fn partition<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [array, size] = taken(arguments);
    let (Some(items), Some(size)) = (array.as_items(), whole(&size, "partition", 2)?) else {
        return Ok(Value::Undefined);
    };
    let size = usize::try_from(size).unwrap_or(0);
    if size == 0 {
        return Err(unfit(
            "The second argument of the partition function must be at least 1",
        ));
    }
    evaluation.charge_items(items.len())?;
    evaluation.charge_items(items.len().div_ceil(size))?;
    let items: Vec<Value<'a>> = items.iter().collect();
    let chunks = items.chunks(size).map(|chunk| Value::array(chunk.to_vec()));
    Ok(Value::array(chunks.collect()))
}

/// `$range(first, last, step)`: from the first number on by steps as far as the last one; a sequence, as the service was recorded returning.
pub(super) fn range<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [first, last, step] = taken(arguments);
    let number = |value, at| whole(value, "range", at);
    let (Some(first), Some(last), Some(step)) =
        (number(&first, 1)?, number(&last, 2)?, number(&step, 3)?)
    else {
        return Ok(Value::Undefined);
    };
    if step == 0 {
        return Err(unfit(
            "The third argument of the range function must not be 0",
        ));
    }
    // Differences of numbers up to 2^53 fit.
    let span = if step > 0 { last - first } else { first - last };
    let count = if span < 0 { 0 } else { span / step.abs() + 1 };
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    evaluation.charge_items(count)?;
    let items = (0_i64..)
        .take(count)
        .map(|index| Value::Number((first + index * step) as f64));
    Ok(Value::sequence(items.collect()))
}

/// `$hash(text, algorithm)`.
pub(super) fn hash<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [text, algorithm] = taken(arguments);
    let (Some(text), Some(algorithm)) = (text.as_text(), algorithm.as_text()) else {
        return Ok(Value::Undefined);
    };
    evaluation.charge_scan(text.len().saturating_mul(16))?;
    match digest(algorithm, text) {
        Some(digits) => Ok(Value::text(digits)),
        None => {
            let found = quoted(algorithm);
            Err(unfit(format!(
                "The second argument of the hash function must be \"MD5\", \"SHA-1\", \"SHA-256\", \"SHA-384\" or \"SHA-512\", found {found}"
            )))
        }
    }
}

/// `$random(seed)`: the same number for the same seed.
pub(super) fn random<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    match whole(&only(arguments), "random", 1)? {
        Some(seed) => Ok(Value::Number(JavaRandom::new(seed).fraction())),
        None => Ok(Value::Number(evaluation.random()?.fraction())),
    }
}

/// `$uuid()`: of version 4.
pub(super) fn uuid<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    _: Arguments<'a>,
) -> Outcome<Value<'a>> {
    Ok(Value::text(evaluation.random()?.uuid()))
}

/// How deep `$parse` lets JSON nest.
const MAX_DEPTH: usize = 1_000;

/// `$parse(text)`: what a JSON text stands for.
pub(super) fn parse<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let value = only(arguments);
    let Some(text) = value.as_text() else {
        return Ok(Value::Undefined);
    };
    evaluation.charge_scan(text.len())?;
    // A value of one digit takes this much.
    evaluation.charge_memory(text.len().saturating_mul(size_of::<Json>()))?;
    match json::parse(text, MAX_DEPTH) {
        Ok(json) => made(evaluation, json),
        Err(error) => Err(unfit(format!(
            "The argument of the parse function must be JSON: {error}"
        ))),
    }
}

/// A value of JSON that nothing else owns.
fn made<'a>(evaluation: &mut Evaluation<'a, '_>, json: Json) -> Outcome<Value<'a>> {
    Ok(match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Boolean(value),
        // There is no negative zero in what the service returns.
        Json::Number(number) => {
            Value::Number(number.as_f64().map_or(f64::NAN, |number| number + 0.0))
        }
        Json::String(text) => {
            evaluation.charge_text(text.len())?;
            Value::text(text)
        }
        Json::Array(items) => evaluation.within(|evaluation| {
            evaluation.charge_items(items.len())?;
            let items = items.into_iter().map(|item| made(evaluation, item));
            Ok(Value::array(items.collect::<Outcome<_>>()?))
        })?,
        Json::Object(fields) => evaluation.within(|evaluation| {
            evaluation.charge_fields(fields.len())?;
            let mut object = Object::with_capacity(fields.len());
            for (name, value) in fields {
                evaluation.charge_text(name.len())?;
                let value = made(evaluation, value)?;
                object.insert(Text::shared(name), value);
            }
            Ok(Value::object(object))
        })?,
    })
}
