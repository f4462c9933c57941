//! Advice for errors: hints for readers, and changes that fix the error. The rules describe the error, mostly in the words
//! of the service. Advice does not affect whether a definition is valid.

mod expressions;
mod fields;
mod missing;
mod other_language;
mod paths;
mod resources;
mod targets;
pub(crate) mod texts;
mod values;
mod variables;
mod words;

pub(crate) use expressions::advise_half_open;
pub(crate) use resources::{advise_invalid_arn, advise_job_of_sdk};
pub(crate) use targets::{MissingTargets, Owners};

use crate::read::{ErrorReported, Place, Reader};
use crate::{Change, Fix};
use serde_json::Value;

/// Advice for an error.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Advice {
    hint: Option<String>,
    fix: Option<Fix>,
}

impl Advice {
    fn new(hint: impl Into<String>) -> Self {
        Self {
            hint: Some(hint.into()),
            fix: None,
        }
    }

    fn with_fix(self, fix: Fix) -> Self {
        Self {
            fix: Some(fix),
            ..self
        }
    }
}

impl ErrorReported {
    /// Adds advice to the last reported error.
    pub(crate) fn with_advice(self, reader: &mut Reader<'_>, advice: Advice) -> Self {
        // Once no more can be told, the last is not what this is about.
        if reader.may_report()
            && let Some(last) = reader.diagnostics.last_mut()
        {
            last.hint = advice.hint.or(last.hint.take());
            last.fix = advice.fix.or(last.fix.take());
            // The fix holds the location once more.
            let length = last.fix.as_ref().map_or(0, |_| last.location.len());
            reader.locations_left = reader.locations_left.saturating_sub(length);
        }
        self
    }
}

fn pointer(place: &Place<'_>) -> String {
    place.location().pointer().to_owned()
}

/// Returns a fix with one change. A safe fix is applied without asking.
fn fix(is_sure: bool, title: impl Into<String>, change: Change) -> Fix {
    match is_sure {
        true => Fix::safe(title, change),
        false => Fix::offered(title, change),
    }
}

/// Gives the field another name.
pub(crate) fn renamed(is_sure: bool, place: &Place<'_>, name: &str) -> Fix {
    let change = Change::Rename {
        pointer: pointer(place),
        name: name.to_owned(),
    };
    fix(is_sure, format!("rename the field to '{name}'"), change)
}

/// Puts another value in the place of the one that is there.
fn replaced(is_sure: bool, place: &Place<'_>, value: impl Into<Value>) -> Fix {
    let value = value.into();
    let title = match &value {
        Value::Array(_) => "put the value in an array".to_owned(),
        value => format!("write {value}"),
    };
    let pointer = pointer(place);
    fix(is_sure, title, Change::Replace { pointer, value })
}

/// Takes the field out.
fn removed(is_sure: bool, place: &Place<'_>) -> Fix {
    let title = match place.name() {
        Some(name) => format!("remove '{name}'"),
        None => "take it out".to_owned(),
    };
    let pointer = pointer(place);
    fix(is_sure, title, Change::Remove { pointer })
}

/// Adds a field to an object: an offer, since only people know its value.
fn inserted(place: &Place<'_>, name: &str, value: impl Into<Value>) -> Fix {
    let value = value.into();
    let title = format!("add \"{name}\": {value}");
    let change = Change::Insert {
        pointer: pointer(place),
        name: name.to_owned(),
        value,
    };
    Fix::offered(title, change)
}

/// `A`, `A and B`, `A, B and C`.
fn listed<'n>(names: impl IntoIterator<Item = &'n str>, last: &str) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

/// Returns true if a name differs from the one that was meant in the case of its letters or the spaces around it alone.
fn is_same_word(name: &str, meant: &str) -> bool {
    name.trim().to_lowercase() == meant.trim().to_lowercase()
}
