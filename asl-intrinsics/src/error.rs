//! Errors of calls: parsing and evaluation.
use crate::Function;
use asl_path::{Path, QueryError};

/// The reason why a text is not an intrinsic function call, with its position.
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

    /// Returns the expected and the actual content.
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// Arguments that do not suit their function, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct Misuse {
    error: ParseError,
    is_ignored: bool,
}

impl Misuse {
    pub(crate) fn new(error: ParseError, is_ignored: bool) -> Self {
        Self { error, is_ignored }
    }

    /// Byte offset of the misuse.
    pub fn position(&self) -> usize {
        self.error.position
    }

    /// Returns the expected value and the value that was found, in words.
    pub fn message(&self) -> &str {
        &self.error.message
    }

    /// True if the service ignores the arguments, so that the call succeeds.
    ///
    /// ```
    /// use asl_intrinsics::Intrinsic;
    /// assert!(Intrinsic::parse("States.UUID(1)")?.misuses()[0].is_ignored());
    /// assert!(!Intrinsic::parse("States.MathAdd(1)")?.misuses()[0].is_ignored());
    /// # Ok::<(), asl_intrinsics::ParseError>(())
    /// ```
    pub fn is_ignored(&self) -> bool {
        self.is_ignored
    }
}

/// The reason why a call failed: the cause of `States.IntrinsicFailure`.
///
/// Its text names the call and describes the error: `The function 'States.MathAdd($.a, 1)' had the following error: …`. The
/// service says less, see [`Self::service_text`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("The function '{call}' had the following error: {detail}")]
pub struct EvaluationError {
    call: Box<str>,
    function: Function,
    detail: String,
    /// The service's text, if it says less.
    words: Option<String>,
    query_error: Option<Box<QueryError>>,
    is_limit: bool,
}

impl EvaluationError {
    /// Returns the function that failed: with nested calls not always the outermost one.
    pub fn function(&self) -> Function {
        self.function
    }

    /// Returns the service's text for the error, which often names only the function (recorded from the service).
    ///
    /// ```
    /// use asl_intrinsics::{Intrinsic, random::SplitMix64};
    /// use serde_json::Value;
    ///
    /// # struct Nothing(Value);
    /// # impl asl_path::Roots for Nothing {
    /// #     fn input(&self) -> &Value { &self.0 }
    /// #     fn context(&self) -> &Value { &self.0 }
    /// # }
    /// let call = Intrinsic::parse("States.MathAdd(1, 'b')")?;
    /// let error = call.evaluate(&Nothing(Value::Null), &mut SplitMix64::new(1)).unwrap_err();
    /// assert_eq!(
    ///     error.service_text(),
    ///     "There was an error while evaluating the intrinsic function: States.MathAdd(1, 'b'). Invalid arguments in \
    ///      States.MathAdd"
    /// );
    /// # Ok::<(), asl_intrinsics::ParseError>(())
    /// ```
    pub fn service_text(&self) -> String {
        match &self.words {
            Some(words) => format!(
                "There was an error while evaluating the intrinsic function: {}. {words}",
                self.call
            ),
            None => self.to_string(),
        }
    }

    /// Returns the error without the call.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// True if an argument is a path and the path has no value.
    pub fn is_path_failure(&self) -> bool {
        self.query_error.is_some()
    }

    /// True if the call, or a path among its arguments, would have made more than it may, or taken longer.
    pub fn is_limit(&self) -> bool {
        self.is_limit || self.query_error().is_some_and(QueryError::is_limit)
    }

    /// Returns the reason why the path has no value, if [`Self::is_path_failure`].
    pub fn query_error(&self) -> Option<&QueryError> {
        self.query_error.as_deref()
    }
}

/// A failure on its way up to the call that was requested.
#[derive(Debug)]
pub(crate) enum Failure<'v> {
    /// The arguments do not suit the function they are given to.
    Arguments { detail: String },
    /// An argument is not what the function reads it as; the service says so in these words.
    Unreadable { words: String },
    /// The same, once the function is known.
    Function {
        function: Function,
        detail: String,
        words: String,
    },
    /// An argument is a path without a value.
    Path(Box<PathFailure<'v>>),
    /// More would be made than so many bytes.
    TooLarge { limit: usize },
}

/// A path without a value, and the document.
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
        if !self.error.is_not_found() || self.error.is_no_array() {
            return self.error.to_string();
        }
        // Recorded from the service: a path into the Context Object is shown as one into the input.
        let source = self.path.source();
        let shown = match source.strip_prefix('$') {
            Some(inner) if inner.starts_with('$') => inner,
            _ => source,
        };
        format!(
            "The JsonPath argument for the field '{shown}' could not be found in the input '{}'",
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

    #[cold]
    pub(crate) fn unreadable(words: String) -> Self {
        Self::Unreadable { words }
    }

    /// Returns true if the function itself refused its arguments, rather than one of them had no value.
    pub(crate) fn is_of_the_function(&self) -> bool {
        matches!(self, Self::Arguments { .. } | Self::Unreadable { .. })
    }

    pub(crate) fn within(self, function: Function) -> Self {
        match self {
            Self::Arguments { detail } => {
                let words = format!("Invalid arguments in {function}");
                let detail = format!("{words}: {detail}");
                Self::Function {
                    function,
                    detail,
                    words,
                }
            }
            Self::Unreadable { words } => Self::Function {
                function,
                detail: words.clone(),
                words,
            },
            known => known,
        }
    }

    pub(crate) fn into_error(self, call: &str, outermost: Function) -> EvaluationError {
        let is_limit = matches!(self, Self::TooLarge { .. });
        let (function, detail, words, query_error) = match self.within(outermost) {
            Self::Path(failure) => (
                failure.function,
                failure.detail(),
                None,
                Some(Box::new(failure.error)),
            ),
            Self::Function {
                function,
                detail,
                words,
            } => (function, detail, Some(words), None),
            Self::Arguments { detail: words } | Self::Unreadable { words } => {
                (outermost, words.clone(), Some(words), None)
            }
            Self::TooLarge { limit } => {
                let detail = format!("it makes too much data: more than {limit} bytes");
                (outermost, detail, None, None)
            }
        };
        EvaluationError {
            call: call.into(),
            function,
            detail,
            words,
            query_error,
            is_limit,
        }
    }
}
