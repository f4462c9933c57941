//! A request held against its shape.
use super::exceptions::{is_secret, pattern, values_in_order};
use super::shown_values::{TypeOf, show};
use crate::protocol::{ApiError, ErrorCode};
use asl_services::{Kind, Shape};
use serde_json::Value;

/// Maximum nesting of requests, above that of all API requests.
const MAX_DEPTH: usize = 32;

/// The location of a value, and the errors so far.
struct Checker<'o> {
    operation: &'o str,
    faults: Vec<String>,
}

pub(super) fn check(operation: &str, shape: Shape<'_>, request: &Value) -> Result<(), ApiError> {
    let mut checker = Checker {
        operation,
        faults: Vec::new(),
    };
    checker.value(shape, request, &Path::default(), 0)?;
    let faults = checker.faults;
    let errors = match faults.len() {
        0 => return Ok(()),
        1 => "1 validation error".to_owned(),
        count => format!("{count} validation errors"),
    };
    Err(ApiError::validation(format!(
        "{errors} detected: {}",
        faults.join("; ")
    )))
}

/// `routingConfiguration.1.member.weight`
#[derive(Debug, Clone, Default)]
struct Path {
    text: String,
    /// The last member's name.
    member: String,
}

impl Path {
    fn member(&self, name: &str) -> Self {
        let dot = if self.text.is_empty() { "" } else { "." };
        Self {
            text: format!("{}{dot}{name}", self.text),
            member: name.to_owned(),
        }
    }

    fn entry(&self, index: usize) -> Self {
        Self {
            text: format!("{}.{}.member", self.text, index + 1),
            member: self.member.clone(),
        }
    }
}

impl Checker<'_> {
    fn value(
        &mut self,
        shape: Shape<'_>,
        value: &Value,
        path: &Path,
        depth: usize,
    ) -> Result<(), ApiError> {
        if depth > MAX_DEPTH {
            return Ok(());
        }
        match (shape.kind(), value) {
            (Kind::Structure, Value::Object(members)) => {
                for member in shape.members() {
                    let path = || path.member(member.name());
                    match members.get(member.name()) {
                        None | Some(Value::Null) if member.is_required() => self.missing(&path()),
                        None | Some(Value::Null) => {}
                        Some(value) => self.value(member.shape(), value, &path(), depth + 1)?,
                    }
                }
            }
            (Kind::List(member), Value::Array(entries)) => {
                self.bounds(shape, entries.len() as f64, "length", value, path);
                for (index, entry) in entries.iter().enumerate() {
                    self.value(member, entry, &path.entry(index), depth + 1)?;
                }
            }
            (Kind::String, Value::String(text)) => self.text(shape, text, value, path),
            (Kind::Integer | Kind::Long, Value::Number(number)) if number.as_i64().is_some() => {
                let number = number.as_f64().unwrap_or_default();
                self.bounds(shape, number, "value", value, path);
            }
            (Kind::Float | Kind::Double, Value::Number(number)) => {
                let number = number.as_f64().unwrap_or_default();
                self.bounds(shape, number, "value", value, path);
            }
            (Kind::Boolean, Value::Bool(_)) | (Kind::Map { .. }, Value::Object(_)) => {}
            (Kind::Blob | Kind::Timestamp | Kind::Document, _) => {}
            (kind, value) => return Err(of_another_type(kind, value)),
        }
        Ok(())
    }

    fn text(&mut self, shape: Shape<'_>, text: &str, value: &Value, path: &Path) {
        let length = text.chars().count() as f64;
        self.bounds(shape, length, "length", value, path);
        let values = shape.values();
        if !values.is_empty() && !values.iter().any(|known| known == text) {
            let values = values_in_order(values).join(", ");
            self.fault(
                value,
                path,
                &format!("Member must satisfy enum value set: [{values}]"),
            );
        }
        if let Some((pattern, satisfies)) = pattern(self.operation, &path.text)
            && !satisfies(text)
        {
            self.fault(
                value,
                path,
                &format!("Member must satisfy regular expression pattern: {pattern}"),
            );
        }
    }

    fn bounds(
        &mut self,
        shape: Shape<'_>,
        measure: f64,
        of_what: &str,
        value: &Value,
        path: &Path,
    ) {
        let bounds = [(shape.minimum(), "greater"), (shape.maximum(), "less")];
        for (bound, side) in bounds {
            let Some(bound) = bound else { continue };
            let is_within = match side {
                "less" => measure <= bound as f64,
                _ => measure >= bound as f64,
            };
            if !is_within {
                self.fault(
                    value,
                    path,
                    &format!("Member must have {of_what} {side} than or equal to {bound}"),
                );
            }
        }
    }

    fn missing(&mut self, path: &Path) {
        self.fault(&Value::Null, path, "Member must not be null");
    }

    fn fault(&mut self, value: &Value, path: &Path, constraint: &str) {
        let shown = match value {
            _ if is_secret(&path.member) => String::new(),
            Value::Null => " null".to_owned(),
            value => format!(" '{}'", show(value, &path.member)),
        };
        self.faults.push(format!(
            "Value{shown} at '{}' failed to satisfy constraint: {constraint}",
            path.text
        ));
    }
}

fn of_another_type(kind: Kind<'_>, value: &Value) -> ApiError {
    let wanted = match kind {
        Kind::Structure => "a Structure",
        Kind::List(_) => "a List",
        Kind::Map { .. } => "a Map",
        Kind::Integer => "an Integer",
        Kind::Long => "a Long",
        Kind::Float => "a Float",
        Kind::Double => "a Double",
        Kind::Boolean => "a Boolean",
        _ => "a String",
    };
    ApiError::new(
        ErrorCode::Serialization,
        format!("{} can not be converted to {wanted}", TypeOf(value)),
    )
}
