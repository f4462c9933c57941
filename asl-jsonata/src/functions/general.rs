//! Functions on values of any type.
use super::arguments::{only, take};
use crate::evaluate::{Arguments, Evaluation, Outcome, failure, finite};
use crate::value::{Object, Value, View};

/// `$boolean(value)`.
pub(super) fn boolean<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    truth(evaluation, &only(arguments), true)
}

/// `$not(value)`.
pub(super) fn not<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    truth(evaluation, &only(arguments), false)
}

/// Returns true if a value is as true as expected; undefined of undefined.
fn truth<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    value: &Value<'a>,
    expected: bool,
) -> Outcome<Value<'a>> {
    let is_true = match value.view() {
        View::Undefined => return Ok(Value::Undefined),
        // Though a condition takes one for true.
        View::Function(_) => false,
        _ => evaluation.truth(value)?,
    };
    Ok(Value::Boolean(is_true == expected))
}

/// Returns true for values that JavaScript considers true, including every array and object.
pub(super) fn is_truthy(value: &Value<'_>) -> bool {
    match value.view() {
        View::Undefined | View::Null => false,
        View::Boolean(value) => value,
        View::Number(number) => number != 0.0 && !number.is_nan(),
        View::Text(text) => !text.is_empty(),
        View::Array(_) | View::Object(_) | View::Function(_) => true,
    }
}

/// `$exists(value)`.
pub(super) fn exists<'a>(
    _: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    Ok(Value::Boolean(!only(arguments).is_undefined()))
}

/// `$type(value)`.
pub(super) fn type_of<'a>(
    _: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let name = match only(arguments).view() {
        View::Undefined => return Ok(Value::Undefined),
        View::Null => "null",
        View::Boolean(_) => "boolean",
        // What is no number is none of the other types either.
        View::Number(number) => finite(number)?.map_or("object", |_| "number"),
        View::Text(_) => "string",
        View::Array(_) => "array",
        View::Object(_) => "object",
        View::Function(_) => "function",
    };
    Ok(Value::borrowed(name))
}

/// `$error(message)`.
pub(super) fn error<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let message = message(evaluation, &only(arguments), "$error() function evaluated")?;
    Err(failure("D3137", message))
}

/// `$assert(condition, message)`: undefined where the condition holds.
pub(super) fn assert<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [condition, text] = take(arguments);
    if matches!(condition.view(), View::Boolean(true)) {
        return Ok(Value::Undefined);
    }
    let message = message(evaluation, &text, "$assert() statement failed")?;
    Err(failure("D3141", message))
}

fn message<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    text: &Value<'a>,
    default: &str,
) -> Outcome<String> {
    let text = text
        .as_text()
        .filter(|text| !text.is_empty())
        .unwrap_or(default);
    evaluation.charge_text(text.len())?;
    Ok(text.to_owned())
}

/// `$eval(text, context)`.
pub(super) fn eval<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    evaluation.value_of_text(arguments)
}

/// `$clone(value)`: the value after conversion to JSON and back.
pub(super) fn clone<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let value = only(arguments);
    if value.is_undefined() {
        return Ok(value);
    }
    cloned(evaluation, &value)
}

/// Functions become empty texts, and numbers are those that their text has, but for integers of the data, which keep all their digits.
pub(crate) fn cloned<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    value: &Value<'a>,
) -> Outcome<Value<'a>> {
    match value.view() {
        View::Number(_) if value.is_integer_of_data() => Ok(value.clone()),
        View::Undefined => Ok(Value::Null),
        View::Function(_) => Ok(Value::borrowed("")),
        View::Number(number) => Ok(match finite(number)? {
            Some(number) => Value::Number(super::decimal::to_15_digits(number)),
            None => Value::Null,
        }),
        View::Array(items) => evaluation.within(|evaluation| {
            evaluation.charge_items(items.len())?;
            let items = items.iter().map(|item| cloned(evaluation, &item));
            Ok(Value::array(items.collect::<Outcome<_>>()?))
        }),
        View::Object(fields) => evaluation.within(|evaluation| {
            evaluation.charge_fields(fields.len())?;
            let mut object = Object::with_capacity(fields.len());
            for (name, value) in fields.iter().filter(|(_, value)| !value.is_undefined()) {
                let value = cloned(evaluation, &value)?;
                object.insert(name, value);
            }
            Ok(Value::object(object))
        }),
        View::Null | View::Boolean(_) | View::Text(_) => Ok(value.clone()),
    }
}
