//! Interpreters that are held to the cases.
use crate::Case;
use serde_json::Value;

/// An interpreter. An answer that is an error means that the interpreter gave none: the case then fails at its first level.
pub trait Subject {
    /// Runs the execution of a case.
    ///
    /// # Errors
    /// The reason why it does not run.
    fn execute(&mut self, case: &Case) -> Result<Run, String>;

    /// Validates the definition of a case.
    ///
    /// # Errors
    /// The reason why there is no verdict.
    fn validate(&mut self, case: &Case) -> Result<Validation, String>;

    /// Evaluates the expression of a case: its value, or the cause of its failure.
    ///
    /// # Errors
    /// The reason why it is not evaluated.
    fn evaluate(&mut self, case: &Case) -> Result<Result<Value, String>, String>;

    /// Answers a request of the TestState API: with the response, or with `{"Error": {"Code": …, "Message": …}}`. None, the
    /// default, if the interpreter cannot answer it: the case is then not judged.
    fn test_state(&mut self, request: &Value) -> Option<Value> {
        let _ = request;
        None
    }
}

/// The result of an execution.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Run {
    /// `SUCCEEDED`, `FAILED`, `TIMED_OUT` or `ABORTED`.
    pub status: String,
    /// The output, if it succeeded.
    pub output: Option<Value>,
    /// The Error Name, if it has one.
    pub error: Option<String>,
    /// The cause, if it has one.
    pub cause: Option<String>,
    /// Events as GetExecutionHistory shows them; None for an interpreter that has no history.
    pub events: Option<Vec<Value>>,
    /// A contradiction that the interpreter itself found; it counts as a difference of the events.
    pub contradiction: Option<String>,
}

impl Run {
    /// Creates the result of an execution that ended with this status, without anything else.
    pub fn new(status: impl Into<String>) -> Self {
        Self {
            status: status.into(),
            output: None,
            error: None,
            cause: None,
            events: None,
            contradiction: None,
        }
    }

    /// Creates the result of an execution that succeeded.
    pub fn succeeded(output: Value) -> Self {
        Self {
            output: Some(output),
            ..Self::new("SUCCEEDED")
        }
    }

    /// Creates the result of an execution that failed with this Error Name and cause.
    pub fn failed(error: impl Into<String>, cause: impl Into<String>) -> Self {
        Self {
            error: Some(error.into()),
            cause: Some(cause.into()),
            ..Self::new("FAILED")
        }
    }

    /// Sets the events, as GetExecutionHistory shows them.
    #[must_use]
    pub fn with_events(self, events: Vec<Value>) -> Self {
        Self {
            events: Some(events),
            ..self
        }
    }
}

/// The verdict of an interpreter on a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Validation {
    /// The errors; a definition without any is valid.
    pub errors: Vec<DefinitionFault>,
    /// Codes of all diagnostics, warnings too.
    pub codes: Vec<String>,
}

impl Validation {
    /// Creates the verdict on a valid definition, without warnings.
    pub fn valid() -> Self {
        Self {
            errors: Vec::new(),
            codes: Vec::new(),
        }
    }

    /// Creates the verdict on a definition with these errors.
    pub fn refused(errors: Vec<DefinitionFault>) -> Self {
        let codes = errors.iter().map(|error| error.code.clone()).collect();
        Self { errors, codes }
    }
}

/// An error of a definition. An interpreter with texts of its own leaves them empty: then only the verdict is judged.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct DefinitionFault {
    /// The service's code, such as `SCHEMA_VALIDATION_FAILED`.
    pub code: String,
    /// The place, for readers of the report.
    pub location: String,
    /// The service's message.
    pub message: String,
}
