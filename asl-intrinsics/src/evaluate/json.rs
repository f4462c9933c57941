//! `States.StringToJson`, `States.JsonToString` and `States.JsonMerge` (2022 specification, Appendix B).
use super::{Arguments, Outcome};
use crate::{error::Failure, print};
use asl_path::json;
use serde_json::Value;
use std::borrow::Cow;

/// `States.StringToJson(text)`: what the JSON text stands for; null for a blank one, as the service answers.
pub(super) fn string_to_json<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Outcome<'v> {
    let text = arguments.string(0)?;
    if text.trim_ascii().is_empty() {
        return Ok(Cow::Owned(Value::Null));
    }
    arguments.scope.charge_json(&text)?;
    match json::parse(&text, arguments.limits().max_depth) {
        Ok(value) => Ok(Cow::Owned(value)),
        Err(error) => Err(match json::service_text(&text) {
            Some(said) => Failure::unreadable(format!(
                "Cannot convert String to Json in States.StringToJson, caused by: {said}"
            )),
            None => Failure::arguments(format!("the string is not JSON: {error}")),
        }),
    }
}

/// `States.JsonToString(value)`: compact JSON text.
pub(super) fn json_to_string<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Outcome<'v> {
    let value = arguments.value(0)?;
    let text = print::json_text(&value, arguments.limits().max_depth)?;
    arguments.scope.charge_text(text.len())?;
    Ok(Cow::Owned(Value::String(text)))
}

/// `States.JsonMerge(first, second, false)`: the fields of both objects, where the second wins. Only this shallow mode
/// exists. A third argument that is not a boolean selects it too (recorded from the service).
pub(super) fn json_merge<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Outcome<'v> {
    let first = arguments.object(0)?;
    let second = arguments.object(1)?;
    if *arguments.value(2)? == true {
        return Err(Failure::arguments(
            "argument 3 must be false, since deep merging is not supported",
        ));
    }
    for fields in [&first, &second] {
        if let Cow::Borrowed(fields) = fields {
            arguments.scope.charge_fields(fields)?;
        }
    }
    let mut merged = first.into_owned();
    match second {
        Cow::Borrowed(fields) => merged.extend(
            fields
                .iter()
                .map(|(name, value)| (name.clone(), value.clone())),
        ),
        Cow::Owned(fields) => merged.extend(fields),
    }
    Ok(Cow::Owned(Value::Object(merged)))
}
