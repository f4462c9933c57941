//! Values in JSON.
use super::document::invalid;
use super::form::ResultForm;
use super::scalar;
use crate::error::ResponseError;
use crate::timestamp;
use asl_path::json::{DEFAULT_MAX_DEPTH, described};
use asl_services::{Kind, Location, Shape};
use serde_json::{Map, Value};

/// Parses a body. An empty one is an object.
pub(crate) fn parse(bytes: &[u8]) -> Result<Value, ResponseError> {
    let text = std::str::from_utf8(bytes).map_err(|_| invalid("it is not UTF-8"))?;
    match text.trim() {
        "" => Ok(Value::Object(Map::new())),
        text => asl_path::json::parse(text, DEFAULT_MAX_DEPTH).map_err(invalid),
    }
}

/// Converts the value of a body. Members that the model does not have are left out.
///
/// Recursion ends with the document, whose nesting is limited.
pub(crate) fn value(
    shape: Shape<'_>,
    value: Value,
    form: ResultForm,
) -> Result<Value, ResponseError> {
    Ok(match (shape.kind(), value) {
        (_, Value::Null) => Value::Null,
        (Kind::Document, any) => any,
        (Kind::Structure, Value::Object(fields)) => Value::Object(structure(shape, fields, form)?),
        (Kind::List(element), Value::Array(elements)) => {
            let elements = elements.into_iter();
            let elements = elements.map(|it| self::value(element, it, form));
            Value::Array(elements.collect::<Result<_, _>>()?)
        }
        (
            Kind::Map {
                value: of_values, ..
            },
            Value::Object(fields),
        ) => {
            let fields = fields.into_iter();
            let fields = fields.map(|(key, it)| Ok((key, self::value(of_values, it, form)?)));
            Value::Object(fields.collect::<Result<_, _>>()?)
        }
        (Kind::Blob, Value::String(text)) => scalar::blob(&text)?,
        (Kind::Timestamp, any) => match timestamp::read(&any) {
            Some(moment) => timestamp::value(moment, form.timestamps),
            None => return Err(wrong("a timestamp", &any)),
        },
        (Kind::String, any @ Value::String(_))
        | (Kind::Boolean, any @ Value::Bool(_))
        | (Kind::Integer | Kind::Long | Kind::Float | Kind::Double, any @ Value::Number(_)) => any,
        // Some servers write texts as numbers.
        (Kind::String, any @ (Value::Number(_) | Value::Bool(_))) => any.to_string().into(),
        // Numbers that JSON cannot express, and services that write numbers as texts.
        (
            Kind::Integer | Kind::Long | Kind::Float | Kind::Double | Kind::Boolean,
            Value::String(text),
        ) => scalar::value(shape, &text, form)?,
        (kind, any) => return Err(wrong(expected(kind), &any)),
    })
}

pub(crate) fn structure(
    shape: Shape<'_>,
    mut fields: Map<String, Value>,
    form: ResultForm,
) -> Result<Map<String, Value>, ResponseError> {
    let mut object = Map::new();
    for member in shape.members() {
        let traits = member.traits();
        if traits.location().is_some_and(Location::is_of_responses) {
            continue;
        }
        let name = traits.name().unwrap_or(member.name());
        let found = fields.swap_remove(name).filter(|value| !value.is_null());
        if let Some(found) = found {
            object.insert(form.name(member), value(member.shape(), found, form)?);
        }
    }
    Ok(object)
}

fn expected(kind: Kind<'_>) -> &'static str {
    match kind {
        Kind::Structure | Kind::Map { .. } => "an object",
        Kind::List(_) => "an array",
        Kind::Boolean => "a boolean",
        Kind::String | Kind::Blob => "a string",
        _ => "a number",
    }
}

fn wrong(expected: &str, found: &Value) -> ResponseError {
    invalid(format!("expected {expected}, found {}", described(found)))
}
