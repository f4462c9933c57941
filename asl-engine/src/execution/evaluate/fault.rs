//! Faults in evaluating the fields of a state, before it is said which state and event it was.
use crate::error_names;
use crate::execution::error::StateError;
use asl_path::{Path, QueryError};
use std::fmt::Display;

/// An error in the evaluation of a state's fields; boxed, so that results without an error are small.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EvaluationFault(Box<FaultParts>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct FaultParts {
    error: &'static str,
    detail: String,
    /// The field of a JSONata state, such as `Output/total`.
    location: Option<String>,
    /// The field of any state, as a JSON pointer.
    pointer: String,
    /// The JSONata expression that failed.
    expression: Option<String>,
    /// The input of a JSONata state is of no use to it.
    is_of_input: bool,
}

impl EvaluationFault {
    pub(crate) fn new(error: &'static str, detail: impl Into<String>) -> Self {
        Self(Box::new(FaultParts {
            error,
            detail: detail.into(),
            location: None,
            pointer: String::new(),
            expression: None,
            is_of_input: false,
        }))
    }

    pub(crate) fn runtime(detail: impl Into<String>) -> Self {
        Self::new(error_names::RUNTIME, detail)
    }

    /// A path has no value, or cannot be evaluated.
    pub(crate) fn from_path(path: &Path, error: &QueryError) -> Self {
        Self::runtime(format!("Invalid path '{}' : {error}", path.source()))
    }

    /// Creates the error for a field whose value exceeds the maximum payload size.
    pub(crate) fn too_large() -> Self {
        Self::new(error_names::DATA_LIMIT_EXCEEDED, "")
    }

    /// Creates the error of a failed expression; `detail` describes it. The callers add the location with [`at`](Self::at).
    pub(crate) fn from_expression(expression: &str, detail: impl Into<String>) -> Self {
        let mut fault = Self::from_field("", detail);
        fault.0.expression = Some(expression.to_owned());
        fault
    }

    /// Creates the error for a value that a field of a JSONata state does not accept.
    pub(crate) fn from_field(field: &str, detail: impl Into<String>) -> Self {
        let mut fault = Self::new(error_names::QUERY_EVALUATION_ERROR, detail);
        fault.0.location = Some(field.to_owned());
        fault.0.pointer = pointer(field);
        fault
    }

    /// Creates the error for an input that a JSONata state does not accept.
    pub(crate) fn from_input(detail: impl Into<String>) -> Self {
        let mut fault = Self::new(error_names::QUERY_EVALUATION_ERROR, detail);
        fault.0.is_of_input = true;
        fault
    }

    /// Prepends `place` to the location.
    #[cold]
    pub(crate) fn at(mut self, place: impl Display) -> Self {
        let place = place.to_string();
        self.0.pointer.insert_str(0, &pointer(&place));
        if let Some(location) = &mut self.0.location {
            location.insert_str(0, &place);
        }
        self
    }

    /// The field of a JSONata state that it is about.
    pub(crate) fn location(&self) -> Option<&str> {
        self.0.location.as_deref()
    }

    /// The field of any state that it is about, as a JSON pointer.
    pub(crate) fn take_pointer(&mut self) -> Option<String> {
        Some(std::mem::take(&mut self.0.pointer)).filter(|pointer| !pointer.is_empty())
    }

    /// Returns true if an expression failed, rather than gave a value that is of no use; or the state's input did.
    pub(crate) fn is_of_expression(&self) -> bool {
        self.0.expression.is_some() || self.0.is_of_input
    }

    /// Returns true if it has an event of its own, as the faults of JSONata states have.
    pub(crate) fn has_event(&self) -> bool {
        self.0.location.is_some() || self.0.is_of_input
    }

    /// Returns the error with the cause as the service words it.
    pub(crate) fn in_state(self, state_name: &str, entered_event_id: u64) -> StateError {
        let place = format!(
            "An error occurred while executing the state '{state_name}' (entered at the event id #{entered_event_id})."
        );
        let FaultParts {
            error,
            detail,
            location,
            pointer: _,
            expression,
            is_of_input: _,
        } = *self.0;
        let detail = match (expression, location) {
            (Some(expression), Some(field)) => format!(
                "The JSONata expression '{expression}' specified for the field '{field}' {detail}"
            ),
            _ => detail,
        };
        let cause = format!("{place} {detail}");
        match error {
            error_names::RUNTIME => StateError::runtime(cause),
            error_names::DATA_LIMIT_EXCEEDED => StateError::too_large(state_name),
            error => StateError::new(error, cause),
        }
    }
}

/// Converts a piece of a location to a JSON Pointer (RFC 6901): `Choices[0]/` becomes `/Choices/0`. A piece that starts with
/// `/` is a name.
pub(super) fn pointer(place: &str) -> String {
    if let Some(name) = place.strip_prefix('/') {
        return format!("/{}", asl_model::escaped_segment(name));
    }
    let steps = place.split(['/', '[', ']']).filter(|step| !step.is_empty());
    steps.map(|step| format!("/{step}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_location_is_put_together_from_within() {
        let fault = EvaluationFault::from_expression("$x", "returned nothing (undefined).")
            .at("[1]")
            .at("/values")
            .at("Output");
        assert_eq!(fault.location(), Some("Output/values[1]"));
        assert_eq!(
            fault.in_state("S", 2).error_output.cause.as_deref(),
            Some(
                "An error occurred while executing the state 'S' (entered at the event id #2). The JSONata expression '$x' specified for the field 'Output/values[1]' returned nothing (undefined)."
            )
        );
    }

    #[test]
    fn every_state_has_pointers() {
        let mut fault = EvaluationFault::runtime("x")
            .at("[1]")
            .at("/a/b~c")
            .at("Arguments")
            .at("Choices[3]/");
        assert_eq!(
            fault.take_pointer().as_deref(),
            Some("/Choices/3/Arguments/a~1b~0c/1")
        );
        let mut fault = EvaluationFault::from_field("Seconds", "x");
        assert_eq!(fault.take_pointer().as_deref(), Some("/Seconds"));
        assert_eq!(EvaluationFault::runtime("x").take_pointer(), None);
    }

    #[test]
    fn only_a_jsonata_state_has_locations() {
        assert_eq!(EvaluationFault::runtime("x").at("Output").location(), None);
        let fault = EvaluationFault::from_field("Timestamp", "The Timestamp field is wrong");
        assert!(!fault.is_of_expression());
        assert_eq!(fault.at("").location(), Some("Timestamp"));
    }
}
