//! Warnings where something that looks like a path or an intrinsic function is taken as it stands.
use crate::DiagnosticCode;
use crate::read::{Object, Place, Reader};
use serde_json::Value;

fn is_like_path(text: &str) -> bool {
    text.starts_with("$.") || text.starts_with("$[") || text.starts_with("$$.")
}

fn is_like_intrinsic(text: &str) -> bool {
    text.strip_prefix("States.")
        .and_then(|rest| rest.split_once('('))
        .is_some_and(|(name, rest)| {
            rest.ends_with(')') && name.bytes().all(|b| b.is_ascii_alphanumeric())
        })
}

impl<'v> Reader<'v> {
    /// A field of a template whose name does not end in `.$`.
    pub(crate) fn warn_of_missing_suffix(&mut self, name: &str, value: &Value, place: &Place<'_>) {
        let Value::String(text) = value else { return };
        if is_like_path(text) || is_like_intrinsic(text) {
            self.warn(
                &place.field(name),
                DiagnosticCode::NoDollar,
                format!("the value of '{name}' looks like a path or an intrinsic function, but is taken as it stands"),
                format!("name the field '{name}.$' to have it replaced"),
            );
        }
    }

    /// A field that has a sibling for paths.
    pub(crate) fn warn_of_path(&mut self, object: Object<'v, '_>, name: &str) {
        let Some(Value::String(text)) = object.get(name) else {
            return;
        };
        if is_like_path(text) {
            self.warn(
                &object.place.field(name),
                DiagnosticCode::NoPath,
                format!("the value of '{name}' looks like a path, but is taken as it stands"),
                format!("name the field '{name}Path' to have it looked up"),
            );
        }
    }

    /// "Result" of a Pass State, which is not a template.
    pub(crate) fn warn_of_static_result(&mut self, state: Object<'v, '_>) {
        let Some(result) = state.get("Result") else {
            return;
        };
        if holds_path(result) {
            self.warn(
                &state.place.field("Result"),
                DiagnosticCode::PassResultIsStatic,
                "the Result looks like a template, but is taken as it stands",
                "use Parameters to have paths replaced",
            );
        }
    }
}

/// Whether a path is in the value: as itself, or in a field whose name ends in `.$`. No recursion.
fn holds_path(value: &Value) -> bool {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) if is_like_path(text) => return true,
            Value::Array(elements) => open.extend(elements),
            Value::Object(fields) => {
                for (name, value) in fields {
                    if name.ends_with(".$") && value.is_string() {
                        return true;
                    }
                    open.push(value);
                }
            }
            _ => {}
        }
    }
    false
}
