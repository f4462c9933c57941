//! The parts of a request outside of its body: path, query and headers.
use super::HttpRequest;
use super::parameters::{MemberValue, wrong_type};
use super::scalar;
use crate::encoding::{percent_encoded, percent_encoded_path};
use crate::error::RequestError;
use asl_path::json::printed;
use asl_services::{Kind, Location, Member, Shape, TimestampFormat};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::HashSet;

/// Writes path, query and headers of an operation with the pattern `uri`.
pub(crate) fn write_outside_of_body(
    request: &mut HttpRequest,
    uri: &str,
    members: &[MemberValue<'_, '_>],
    input: Option<Shape<'_>>,
) -> Result<(), RequestError> {
    let (path, fixed_query) = uri.split_once('?').unwrap_or((uri, ""));
    request.path = write_path(path, members)?;
    let mut query: Vec<String> = Vec::new();
    query.extend((!fixed_query.is_empty()).then(|| fixed_query.to_owned()));
    for (member, value) in members {
        let written = match member.traits().location() {
            Some(Location::Query) => query_parameters(*member, value, input, &mut query),
            Some(Location::Header) => header(*member, value, request),
            Some(Location::Headers) => prefixed_headers(*member, value, request),
            _ => Ok(()),
        };
        written.map_err(|error| error.within(member.name()))?;
    }
    request.query = query.join("&");
    Ok(())
}

/// Fills the places of a pattern: `{Name}`, or `{Name+}` that keeps slashes.
fn write_path(pattern: &str, members: &[MemberValue<'_, '_>]) -> Result<String, RequestError> {
    let mut path = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('{') {
        path.push_str(before);
        let (label, after) = after.split_once('}').unwrap_or((after, ""));
        rest = after;
        let (name, keeps_slashes) = match label.strip_suffix('+') {
            Some(name) => (name, true),
            None => (label, false),
        };
        let text = label_text(name, members)?;
        path.push_str(&match keeps_slashes {
            true => percent_encoded_path(&text),
            false => percent_encoded(&text),
        });
    }
    path.push_str(rest);
    Ok(path)
}

fn label_text<'v>(
    name: &str,
    members: &'v [MemberValue<'_, '_>],
) -> Result<Cow<'v, str>, RequestError> {
    let is_label = |(member, _): &&MemberValue<'_, '_>| {
        member.traits().location() == Some(Location::Uri)
            && member.traits().name().unwrap_or(member.name()) == name
    };
    let missing = || RequestError::MissingParameter(name.to_owned());
    let (member, value) = members.iter().find(is_label).ok_or_else(missing)?;
    let text = scalar::text(
        member.shape(),
        member.traits(),
        value,
        TimestampFormat::Iso8601,
    );
    let text = text.map_err(|error| error.within(member.name()))?;
    match text.is_empty() {
        true => Err(missing()),
        false => Ok(text),
    }
}

/// Fills the places of a host prefix.
pub(crate) fn host_prefix(
    pattern: &str,
    members: &[MemberValue<'_, '_>],
) -> Result<String, RequestError> {
    let mut prefix = String::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('{') {
        prefix.push_str(before);
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        rest = after;
        let is_label = |(member, _): &&MemberValue<'_, '_>| {
            member.traits().is_host_label() && member.name() == name
        };
        let value = members.iter().find(is_label).map(|(_, value)| value);
        // Nothing that would lead to another host.
        let is_label_text = |text: &&str| {
            !text.is_empty()
                && text.len() <= 63
                && text
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        let text = value.and_then(|value| value.as_str()).filter(is_label_text);
        prefix.push_str(text.ok_or_else(|| RequestError::MissingParameter(name.to_owned()))?);
    }
    prefix.push_str(rest);
    Ok(prefix)
}

fn query_parameters(
    member: Member<'_>,
    value: &Value,
    input: Option<Shape<'_>>,
    query: &mut Vec<String>,
) -> Result<(), RequestError> {
    let traits = member.traits();
    let name = traits.name().unwrap_or(member.name());
    let mut push = |name: &str, text: &str| {
        query.push(format!(
            "{}={}",
            percent_encoded(name),
            percent_encoded(text)
        ));
    };
    let shape = member.shape();
    match (shape.kind(), value) {
        (Kind::List(element), Value::Array(values)) => {
            for value in values {
                let own = shape.element_traits();
                push(
                    name,
                    &scalar::text(element, own, value, TimestampFormat::Iso8601)?,
                );
            }
        }
        (
            Kind::Map {
                value: of_values, ..
            },
            Value::Object(fields),
        ) => {
            // A parameter that has a member of its own is not taken from a map.
            let explicit = explicit_parameters(input);
            for (key, value) in fields
                .iter()
                .filter(|(key, _)| !explicit.contains(key.as_str()))
            {
                let (element, values) = match (of_values.kind(), value) {
                    (Kind::List(element), Value::Array(values)) => (element, values.as_slice()),
                    _ => (of_values, std::slice::from_ref(value)),
                };
                for value in values {
                    let own = of_values.element_traits();
                    push(
                        key,
                        &scalar::text(element, own, value, TimestampFormat::Iso8601)?,
                    );
                }
            }
        }
        _ => push(
            name,
            &scalar::text(shape, traits, value, TimestampFormat::Iso8601)?,
        ),
    }
    Ok(())
}

fn explicit_parameters(input: Option<Shape<'_>>) -> HashSet<&str> {
    let members = input.into_iter().flat_map(Shape::members);
    members
        .filter(|member| member.traits().location() == Some(Location::Query))
        .filter(|member| !matches!(member.shape().kind(), Kind::Map { .. }))
        .map(|member| member.traits().name().unwrap_or(member.name()))
        .collect()
}

fn header(
    member: Member<'_>,
    value: &Value,
    request: &mut HttpRequest,
) -> Result<(), RequestError> {
    let (shape, traits) = (member.shape(), member.traits());
    let text = match (shape.kind(), value) {
        _ if traits.is_json_text() => STANDARD.encode(printed(value)),
        (Kind::List(element), Value::Array(values)) => {
            let mut texts = Vec::new();
            for value in values {
                let own = shape.element_traits();
                let text = scalar::text(element, own, value, TimestampFormat::HttpDate)?;
                texts.push(match element.kind() {
                    Kind::String => quoted_where_needed(&text),
                    _ => text.into_owned(),
                });
            }
            if texts.is_empty() {
                return Ok(());
            }
            texts.join(", ")
        }
        _ => scalar::text(shape, traits, value, TimestampFormat::HttpDate)?.into_owned(),
    };
    push_header(request, traits.name().unwrap_or(member.name()), text)
}

fn prefixed_headers(
    member: Member<'_>,
    value: &Value,
    request: &mut HttpRequest,
) -> Result<(), RequestError> {
    let prefix = member.traits().name().unwrap_or_default();
    for (name, value) in super::parameters::object(value)? {
        let text = scalar::plain_text(value).into_owned();
        push_header(request, &format!("{prefix}{name}"), text)
            .map_err(|error| error.within(name))?;
    }
    Ok(())
}

/// A text may not end a header and begin another.
fn push_header(request: &mut HttpRequest, name: &str, text: String) -> Result<(), RequestError> {
    let is_token = |byte: u8| byte.is_ascii_graphic() && !b"()<>@,;:\\\"/[]?={}".contains(&byte);
    let is_name = !name.is_empty() && name.bytes().all(is_token);
    let is_text = text
        .chars()
        .all(|character| !character.is_control() || character == '\t');
    if !is_name || !is_text {
        return Err(wrong_type("the text of a header", &text.into()));
    }
    request.headers.push((name.to_owned(), text));
    Ok(())
}

/// An element with a comma or a quote is quoted (RFC 9110, section 5.6.4).
fn quoted_where_needed(text: &str) -> String {
    match text.contains([',', '"']) {
        true => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
        false => text.to_owned(),
    }
}
