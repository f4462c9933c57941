//! What can go wrong with a call: parsing it, evaluating it.
use crate::Function;
use asl_path::{Path, QueryError};

/// Why a text is not an intrinsic function call, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} at offset {position}")]
pub struct ParseError {
    position: usize,
    message: String,
}

impl ParseError {
    pub(crate) fn new(position: usize, message: String) -> Self {
        Self { position, message }
    }

    /// Byte offset of the fault.
    pub fn position(&self) -> usize {
        self.position
    }

    /// What was expected and what was found.
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// Why a call failed: the cause of `States.IntrinsicFailure`.
///
/// Its text names the call and says what was wrong, in the words of the service:
/// `The function 'States.MathAdd($.a, 1)' had the following error: …`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("The function '{call}' had the following error: {detail}")]
pub struct EvaluationError {
    call: Box<str>,
    function: Function,
    detail: String,
    query_error: Option<Box<QueryError>>,
}

impl EvaluationError {
    /// The function that failed: with nested calls not always the outermost one.
    pub fn function(&self) -> Function {
        self.function
    }

    /// What was wrong, without the call.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// True where an argument is a path and the path has no value: the service is reported to raise `States.Runtime`
    /// then, where `States.IntrinsicFailure` is prescribed (2022 specification, Appendix A).
    pub fn is_path_failure(&self) -> bool {
        self.query_error.is_some()
    }

    /// Why the path has no value, where [`Self::is_path_failure`].
    pub fn query_error(&self) -> Option<&QueryError> {
        self.query_error.as_deref()
    }
}

/// A failure on its way up to the call that was asked for.
#[derive(Debug)]
pub(crate) enum Failure<'v> {
    /// The arguments do not suit the function they are given to.
    Arguments { detail: String },
    /// The same, once the function is known.
    Function { function: Function, detail: String },
    /// An argument is a path without a value.
    Path(Box<PathFailure<'v>>),
}

/// A path without a value, and where it was looked for.
#[derive(Debug)]
pub(crate) struct PathFailure<'v> {
    pub(crate) function: Function,
    pub(crate) path: &'v Path,
    /// JSON text of the document that the path was applied to.
    pub(crate) document: String,
    pub(crate) error: QueryError,
}

impl PathFailure<'_> {
    fn detail(&self) -> String {
        if !self.error.is_not_found() {
            return self.error.to_string();
        }
        format!(
            "The JsonPath argument for the field '{}' could not be found in the input '{}'",
            self.path.source(),
            self.document
        )
    }
}

impl Failure<'_> {
    #[cold]
    pub(crate) fn arguments(detail: impl Into<String>) -> Self {
        Self::Arguments {
            detail: detail.into(),
        }
    }

    pub(crate) fn within(self, function: Function) -> Self {
        match self {
            Self::Arguments { detail } => Self::Function { function, detail },
            known => known,
        }
    }

    pub(crate) fn into_error(self, call: &str, outermost: Function) -> EvaluationError {
        let (function, detail, query_error) = match self.within(outermost) {
            Self::Path(failure) => (
                failure.function,
                failure.detail(),
                Some(Box::new(failure.error)),
            ),
            Self::Function { function, detail } => (
                function,
                format!("Invalid arguments in {function}: {detail}"),
                None,
            ),
            Self::Arguments { detail } => (outermost, detail, None),
        };
        EvaluationError {
            call: call.into(),
            function,
            detail,
            query_error,
        }
    }
}
