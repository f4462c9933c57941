//! Functions that the service adds to JSONata (Step Functions Developer Guide, Transforming data with JSONata), as recorded:
//! numbers that must be integers are truncated.
use super::arguments::{only, take};
use crate::evaluate::{Arguments, Evaluation, Outcome, failure};
use crate::value::{Value, View};
use asl_intrinsics::digest;
use asl_intrinsics::random::{JavaRandom, RandomSource};
use asl_path::json::{self, Event, Events};
use serde_json::Value as Json;

/// Numbers beyond 2^53 are not exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Returns the error for an invalid argument, in the service's words.
fn unfit(message: impl Into<String>) -> Box<crate::EvaluationError> {
    failure("D3137", message)
}

fn whole(value: &Value<'_>, function: &str, number: usize) -> Outcome<Option<i64>> {
    let Some(given) = value.as_number() else {
        return Ok(None);
    };
    let whole = given.trunc();
    if (-EXACT..=EXACT).contains(&whole) {
        Ok(Some(whole as i64))
    } else {
        Err(unfit(format!(
            "Argument {number} of function {function} must be an integer of at most 2^53"
        )))
    }
}

/// `$partition(array, size)`: the items in arrays of that size; the last one may be shorter. Without a size all are in one; of
/// nothing, and of size 0, there are none.
pub(super) fn partition<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [array, size] = take(arguments);
    let items = match array.view() {
        View::Undefined => return Ok(Value::Undefined),
        View::Array(items) => items,
        _ => {
            return Err(failure(
                "T0412",
                "Argument 1 of function \"partition\" must be an array of undefined",
            ));
        }
    };
    let size = match whole(&size, "partition", 2)? {
        None => items.len(),
        Some(size) => {
            usize::try_from(size).map_err(|_| unfit("Second argument must be zero or greater"))?
        }
    };
    if size == 0 || items.len() == 0 {
        return Ok(Value::Undefined);
    }
    evaluation.charge_items(items.len())?;
    evaluation.charge_items(items.len().div_ceil(size))?;
    let items: Vec<Value<'a>> = items.iter().collect();
    let chunks = items.chunks(size).map(|chunk| Value::array(chunk.to_vec()));
    Ok(Value::array(chunks.collect()))
}

/// `$range(first, last, step)`: from the first number on by steps as far as the last one, a sequence. Nothing, where the step
/// is missing, 0 or leads away.
pub(super) fn range<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [first, last, step] = take(arguments);
    let number = |value, at| whole(value, "range", at);
    let (Some(first), Some(last), Some(step)) =
        (number(&first, 1)?, number(&last, 2)?, number(&step, 3)?)
    else {
        return Ok(Value::Undefined);
    };
    // Differences of numbers up to 2^53 fit.
    let span = if step > 0 { last - first } else { first - last };
    let count = match step.abs() {
        0 => 0,
        _ if span < 0 => 0,
        step => span / step + 1,
    };
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    evaluation.check_range(count)?;
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
    let [text, algorithm] = take(arguments);
    let (Some(text), Some(algorithm)) = (text.as_text(), algorithm.as_text()) else {
        return Ok(Value::Undefined);
    };
    evaluation.charge_scan(text.len().saturating_mul(16))?;
    match digest(algorithm, text) {
        Some(digits) => Ok(Value::text(digits)),
        None => Err(unfit(format!(
            "Hash algorithm '{algorithm}' must be one of SHA-1, SHA-384, SHA-256, SHA-512, MD5"
        ))),
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

/// Maximum nesting of JSON in `$parse`.
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
    let json = json::parse(text, MAX_DEPTH).map_err(|_| invalid_json())?;
    // A field that stands twice in its object is refused, too.
    if names_in(text) > fields_in(&json) {
        return Err(invalid_json());
    }
    evaluation.owned(json)
}

/// Returns the error of the service, which has no further details.
fn invalid_json() -> Box<crate::EvaluationError> {
    unfit("Invalid JSON")
}

/// Returns the number of field names in a JSON text.
fn names_in(text: &str) -> usize {
    let events = Events::new(text, MAX_DEPTH);
    events
        .filter(|event| matches!(event, Ok(Event::Name(_))))
        .count()
}

/// Returns the total number of fields of all objects in a value.
fn fields_in(json: &Json) -> usize {
    let mut count = 0;
    let mut open = vec![json];
    while let Some(json) = open.pop() {
        match json {
            Json::Array(items) => open.extend(items),
            Json::Object(fields) => {
                count += fields.len();
                open.extend(fields.values());
            }
            _ => {}
        }
    }
    count
}
