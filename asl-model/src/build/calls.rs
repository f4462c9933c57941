//! The errors of a build: faults with the calls that made them.
use crate::location::segments;
use crate::{Diagnostic, Diagnostics, Severity, escaped_segment};
use std::borrow::Cow;
use std::fmt;

/// The faults of a machine that cannot be built, each with the call that made it.
///
/// `{}` and `{:?}` print them for people, one below the other, with hints.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
pub struct BuildError(Diagnostics);

impl BuildError {
    pub(super) fn new(diagnostics: Diagnostics) -> Self {
        Self(diagnostics)
    }

    /// Returns all errors and warnings. Their locations are those in the JSON of the definition.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.0
    }

    /// Returns the errors, each with the call that made it: ``state("Charge").retry(2).interval_seconds``. Calls for the
    /// elements of an array are counted from 1. The text is empty for the machine as a whole.
    pub fn calls(&self) -> impl Iterator<Item = (String, &Diagnostic)> {
        let errors = self.0.iter().filter(|it| it.severity == Severity::Error);
        errors.map(|fault| (call(&fault.pointer()), fault))
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the state machine is not valid")?;
        for (call, fault) in self.calls() {
            match call.as_str() {
                "" => write!(f, "\n  {}", fault.message)?,
                call => write!(f, "\n  in {call}: {}", fault.message)?,
            }
            if let Some(hint) = &fault.hint {
                write!(f, "\n    hint: {hint}")?;
            }
        }
        Ok(())
    }
}

/// As `{}`, so that an error that leaves `main` by `?` can be read.
impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Values with parts that were given by one call: templates and lists.
const WHOLE_VALUES: [&str; 12] = [
    "ErrorEquals",
    "Parameters",
    "Arguments",
    "ResultSelector",
    "ItemSelector",
    "Assign",
    "Output",
    "Credentials",
    "BatchInput",
    "Result",
    "Items",
    "CSVHeaders",
];

/// Returns the calls that lead to a place of a definition.
fn call(pointer: &str) -> String {
    let mut calls: Vec<String> = Vec::new();
    let mut segments = segments(pointer);
    while let Some(segment) = segments.next() {
        match &*segment {
            "States" => calls.extend(segments.next().map(|name| format!("state({name:?})"))),
            "Branches" => calls.push(element_call("branch", segments.next())),
            "Choices" => calls.push(element_call("choice", segments.next())),
            "Retry" => calls.push(element_call("retry", segments.next())),
            "Catch" => calls.push(element_call("catch", segments.next())),
            "And" => calls.push(element_call("and", segments.next())),
            "Or" => calls.push(element_call("or", segments.next())),
            field => {
                calls.push(method_name(field));
                if WHOLE_VALUES.contains(&field) {
                    break;
                }
            }
        }
    }
    let within: Vec<String> = segments.map(|segment| escaped_segment(&segment)).collect();
    match within.as_slice() {
        [] => calls.join("."),
        within => format!("{} at /{}", calls.join("."), within.join("/")),
    }
}

/// Returns the call for an element of an array, or for the array as a whole.
fn element_call(name: &str, index: Option<Cow<'_, str>>) -> String {
    match index.and_then(|index| index.parse::<usize>().ok()) {
        Some(index) => format!("{name}({})", index + 1),
        None => name.to_owned(),
    }
}

/// Returns a field's name as that of a method: `TimeoutSeconds` is set by `timeout_seconds`.
fn method_name(field: &str) -> String {
    let characters: Vec<char> = field.chars().collect();
    let mut name = String::new();
    for (index, character) in characters.iter().enumerate() {
        let follows_lower = index > 0 && characters[index - 1].is_lowercase();
        let precedes_lower = characters
            .get(index + 1)
            .is_some_and(|next| next.is_lowercase());
        if character.is_uppercase() && index > 0 && (follows_lower || precedes_lower) {
            name.push('_');
        }
        name.extend(character.to_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::{call, method_name};

    #[test]
    fn a_place_is_named_by_the_calls_that_lead_to_it() {
        for (pointer, expected) in [
            ("/", ""),
            ("/StartAt", "start_at"),
            ("/States/Charge", r#"state("Charge")"#),
            ("/States//Next", r#"state("").next"#),
            ("/States/a~1b/Next", r#"state("a/b").next"#),
            (
                "/States/A/Branches/1/States/B/Retry/0/ErrorEquals",
                r#"state("A").branch(2).state("B").retry(1).error_equals"#,
            ),
            (
                "/States/A/Choices/0/And/1/Variable",
                r#"state("A").choice(1).and(2).variable"#,
            ),
            (
                "/States/A/Parameters/Next/a.$",
                r#"state("A").parameters at /Next/a.$"#,
            ),
            (
                "/States/A/ItemReader/ReaderConfig/MaxItems",
                r#"state("A").item_reader.reader_config.max_items"#,
            ),
        ] {
            assert_eq!(call(pointer), expected, "{pointer}");
        }
    }

    #[test]
    fn a_field_is_set_by_the_method_of_its_name() {
        for (field, method) in [
            ("CSVHeaders", "csv_headers"),
            (
                "MaxInputBytesPerBatchPath",
                "max_input_bytes_per_batch_path",
            ),
            ("End", "end"),
        ] {
            assert_eq!(method_name(field), method);
        }
    }
}
