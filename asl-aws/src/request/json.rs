//! Bodies in JSON.
use super::parameters::{Scope, array, members, object, wrong_type};
use super::scalar::{boolean, bytes, is_number, moment, plain_text, timestamp_format};
use crate::error::RequestError;
use crate::timestamp;
use asl_services::{Kind, Shape, TimestampFormat, Traits};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

/// Returns the JSON of a value. Members that have a place outside of the body are left out.
pub(crate) fn value(
    shape: Shape<'_>,
    traits: &Traits,
    value: &Value,
    scope: Scope<'_>,
) -> Result<Value, RequestError> {
    Ok(match shape.kind() {
        Kind::Document => value.clone(),
        Kind::Structure => Value::Object(structure(shape, value, scope.deeper()?)?),
        Kind::List(element) => Value::Array(list(shape, element, value, scope.deeper()?)?),
        Kind::Map {
            value: shape_of_values,
            ..
        } => Value::Object(map(shape, shape_of_values, value, scope.deeper()?)?),
        Kind::Blob => STANDARD.encode(bytes(value).as_ref()).into(),
        Kind::Timestamp => {
            let moment = moment(value)?;
            match timestamp_format(shape, traits).unwrap_or(TimestampFormat::Seconds) {
                TimestampFormat::Seconds => Value::Number(timestamp::seconds(moment)),
                format => timestamp::write(moment, format).into(),
            }
        }
        Kind::Boolean => boolean(value)?.into(),
        Kind::Integer | Kind::Long | Kind::Float | Kind::Double => number(value)?,
        Kind::String => plain_text(value).into(),
    })
}

fn structure(
    shape: Shape<'_>,
    value_of: &Value,
    scope: Scope<'_>,
) -> Result<Map<String, Value>, RequestError> {
    let mut object = Map::new();
    for (member, given) in members(shape, value_of, scope)? {
        let traits = member.traits();
        if traits.location().is_some() {
            continue;
        }
        let written = value(member.shape(), traits, &given, scope);
        let written = written.map_err(|error| error.within(member.name()))?;
        object.insert(traits.name().unwrap_or(member.name()).to_owned(), written);
    }
    Ok(object)
}

fn list(
    shape: Shape<'_>,
    element: Shape<'_>,
    value_of: &Value,
    scope: Scope<'_>,
) -> Result<Vec<Value>, RequestError> {
    let elements = array(value_of)?.iter().enumerate();
    elements
        .map(|(index, given)| match given {
            Value::Null => Ok(Value::Null),
            given => value(element, shape.element_traits(), given, scope)
                .map_err(|error| error.within(index.to_string())),
        })
        .collect()
}

fn map(
    shape: Shape<'_>,
    shape_of_values: Shape<'_>,
    value_of: &Value,
    scope: Scope<'_>,
) -> Result<Map<String, Value>, RequestError> {
    let fields = object(value_of)?.iter();
    fields
        .map(|(key, given)| {
            let written = match given {
                Value::Null => Ok(Value::Null),
                given => value(shape_of_values, shape.element_traits(), given, scope),
            };
            let written = written.map_err(|error| error.within(key))?;
            Ok((key.clone(), written))
        })
        .collect()
}

/// A text with a number becomes one, unless JSON cannot express it.
fn number(value: &Value) -> Result<Value, RequestError> {
    match value {
        Value::Number(_) => Ok(value.clone()),
        Value::String(text) if is_number(text) => Ok(match text.parse() {
            Ok(number) => Value::Number(number),
            Err(_) => value.clone(),
        }),
        other => Err(wrong_type("a number", other)),
    }
}
