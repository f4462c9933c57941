//! Values of headers.
use super::document::invalid;
use super::form::ResultForm;
use super::{HttpResponse, json, scalar};
use crate::error::ResponseError;
use asl_services::{Kind, Location, Member, Shape};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

/// Adds the members of a result that are not in the body.
pub(crate) fn add(
    object: &mut Map<String, Value>,
    output: Shape<'_>,
    response: &HttpResponse,
    form: ResultForm,
) -> Result<(), ResponseError> {
    for member in output.members() {
        let value = match member.traits().location() {
            Some(Location::StatusCode) => Some(response.status.into()),
            Some(Location::Header) => header(member, response, form)?,
            Some(Location::Headers) => Some(prefixed(member, response)),
            _ => None,
        };
        if let Some(value) = value {
            object.insert(form.name(member), value);
        }
    }
    Ok(())
}

fn header(
    member: Member<'_>,
    response: &HttpResponse,
    form: ResultForm,
) -> Result<Option<Value>, ResponseError> {
    let (shape, traits) = (member.shape(), member.traits());
    let Some(text) = response.header(traits.name().unwrap_or(member.name())) else {
        return Ok(None);
    };
    if traits.is_json_text() {
        let decoded = STANDARD.decode(text).map_err(invalid)?;
        return json::parse(&decoded).map(Some);
    }
    let Kind::List(element) = shape.kind() else {
        return scalar::value(shape, text, form).map(Some);
    };
    let texts = match element.kind() {
        Kind::Timestamp => timestamps(text),
        _ => elements(text),
    };
    let values = texts.iter().map(|text| scalar::value(element, text, form));
    Ok(Some(Value::Array(values.collect::<Result<_, _>>()?)))
}

fn prefixed(member: Member<'_>, response: &HttpResponse) -> Value {
    let prefix = member.traits().name().unwrap_or_default();
    let mut found = Map::new();
    for (name, value) in &response.headers {
        let Some((start, rest)) = name.split_at_checked(prefix.len()) else {
            continue;
        };
        if start.eq_ignore_ascii_case(prefix) {
            found.insert(rest.to_owned(), value.as_str().into());
        }
    }
    Value::Object(found)
}

/// Splits a list (RFC 9110, section 5.6.1): elements may be quoted.
fn elements(text: &str) -> Vec<String> {
    let mut elements = Vec::new();
    let mut element = String::new();
    let (mut is_quoted, mut was_quoted) = (false, false);
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => {
                is_quoted = !is_quoted;
                was_quoted = true;
            }
            '\\' if is_quoted => element.extend(characters.next()),
            ',' if !is_quoted => {
                finish(&mut elements, &mut element, was_quoted);
                was_quoted = false;
            }
            // White space around a quoted element is no part of it.
            ' ' | '\t' if was_quoted && !is_quoted => {}
            other => element.push(other),
        }
    }
    finish(&mut elements, &mut element, was_quoted);
    elements
}

fn finish(elements: &mut Vec<String>, element: &mut String, was_quoted: bool) {
    let text = std::mem::take(element);
    let text = match was_quoted {
        true => text.trim_start().to_owned(),
        false => text.trim().to_owned(),
    };
    if was_quoted || !text.is_empty() {
        elements.push(text);
    }
}

/// Splits a list of timestamps, of which those of HTTP have a comma.
fn timestamps(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let mut found = Vec::new();
    let mut parts = parts.into_iter().peekable();
    while let Some(part) = parts.next() {
        let is_day = part.len() == 3 && part.bytes().all(|byte| byte.is_ascii_alphabetic());
        found.push(match (is_day, parts.peek()) {
            (true, Some(rest)) => {
                let whole = format!("{part}, {rest}");
                parts.next();
                whole
            }
            _ => part.to_owned(),
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_split() {
        assert_eq!(
            elements(r#"a, "b,c" , "\"d\"",e"#),
            ["a", "b,c", "\"d\"", "e"]
        );
        assert_eq!(elements(""), Vec::<String>::new());
        let date = "Mon, 16 Dec 2019 23:48:18 GMT";
        assert_eq!(timestamps(&format!("{date}, {date}")), [date, date]);
        assert_eq!(
            timestamps("1576540098, 1576540098"),
            ["1576540098", "1576540098"]
        );
    }
}
