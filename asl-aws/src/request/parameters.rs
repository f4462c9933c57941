//! The parameters of an operation: the members of a structure with their values.
use crate::error::RequestError;
use asl_path::json::described;
use asl_services::{Member, Shape};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Levels of nesting that the parameters may have.
pub(crate) const MAX_NESTING: usize = 200;

/// Context of all parts of a request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope<'r> {
    /// Value of a member that makes requests unique, if the caller has none.
    pub(crate) idempotency_token: &'r str,
    depth: usize,
}

impl<'r> Scope<'r> {
    pub(crate) fn new(idempotency_token: &'r str) -> Self {
        Self {
            idempotency_token,
            depth: 0,
        }
    }

    pub(crate) fn deeper(self) -> Result<Self, RequestError> {
        if self.depth == MAX_NESTING {
            return Err(RequestError::TooDeep(MAX_NESTING));
        }
        Ok(Self {
            depth: self.depth + 1,
            ..self
        })
    }
}

/// A member of a structure, and its value.
pub(crate) type MemberValue<'s, 'v> = (Member<'s>, Cow<'v, Value>);

/// Returns the members of a structure that have a value, in the order of the model. Names are those of the API, or those
/// that states have. A member without a value (null) is left out.
pub(crate) fn members<'s, 'v>(
    shape: Shape<'s>,
    value: &'v Value,
    scope: Scope<'_>,
) -> Result<Vec<MemberValue<'s, 'v>>, RequestError> {
    let fields = object(value)?;
    let mut known = 0;
    let mut found = Vec::new();
    for member in shape.members() {
        if let Some(value) = field(fields, member) {
            known += 1;
            if !value.is_null() {
                found.push((member, Cow::Borrowed(value)));
                continue;
            }
        }
        if member.traits().is_idempotency_token() {
            found.push((member, Cow::Owned(scope.idempotency_token.into())));
        }
    }
    match known < fields.len() {
        true => Err(unknown(shape, fields)),
        false => Ok(found),
    }
}

fn field<'v>(fields: &'v Map<String, Value>, member: Member<'_>) -> Option<&'v Value> {
    fields.get(member.name()).or_else(|| {
        let names = member.step_functions_names();
        names.iter().find_map(|name| fields.get(name))
    })
}

fn unknown(shape: Shape<'_>, fields: &Map<String, Value>) -> RequestError {
    let name = fields.keys().find(|name| shape.member(name).is_none());
    // Two names of one member: the second is not used.
    let name = name.or_else(|| fields.keys().next_back());
    let expected: Vec<String> = shape
        .members()
        .map(|member| {
            let [_, name] = member.step_functions_names();
            name
        })
        .collect();
    RequestError::UnknownParameter {
        place: String::new(),
        name: name.cloned().unwrap_or_default(),
        expected: match expected.is_empty() {
            true => "none".to_owned(),
            false => expected.join(", "),
        },
    }
}

pub(crate) fn object(value: &Value) -> Result<&Map<String, Value>, RequestError> {
    value
        .as_object()
        .ok_or_else(|| wrong_type("an object", value))
}

pub(crate) fn array(value: &Value) -> Result<&[Value], RequestError> {
    let array = value.as_array();
    array
        .map(Vec::as_slice)
        .ok_or_else(|| wrong_type("an array", value))
}

pub(crate) fn wrong_type(expected: &'static str, found: &Value) -> RequestError {
    RequestError::WrongType {
        place: String::new(),
        expected,
        found: described(found),
    }
}

impl RequestError {
    /// Adds where the error is.
    pub(crate) fn within(mut self, name: impl AsRef<str>) -> Self {
        let name = name.as_ref();
        match &mut self {
            Self::UnknownParameter { place, .. } => *place = format!("{name}.{place}"),
            Self::WrongType { place, .. } if place.is_empty() => name.clone_into(place),
            Self::WrongType { place, .. } => *place = format!("{name}.{place}"),
            _ => {}
        }
        self
    }
}
