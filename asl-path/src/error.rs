//! Errors of paths: parsing, querying, writing.

/// The reason why a text is not a path, with its position.
///
/// # Example
///
/// ```
/// let error = asl_path::JsonPath::parse("$.a[x]").unwrap_err();
/// assert_eq!(error.position(), 4);
/// assert_eq!(error.message(), "expected a quoted name, an index, a slice, '*' or a filter '?(…)', found 'x'");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} at offset {position}")]
pub struct ParseError {
    position: usize,
    message: String,
}

impl ParseError {
    pub(crate) fn new(position: usize, message: impl Into<String>) -> Self {
        Self {
            position,
            message: message.into(),
        }
    }

    /// The same fault in a text that has `bytes` more in front.
    pub(crate) fn shifted(self, bytes: usize) -> Self {
        Self {
            position: self.position + bytes,
            ..self
        }
    }

    /// Byte offset of the fault in the text.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Returns the expected and the actual content.
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// The reason why a valid path has no value in a document, in the words of Jayway.
///
/// # Example
///
/// ```
/// let path = asl_path::JsonPath::parse("$.a.b")?;
/// let error = path.evaluate(&serde_json::json!({"a": {}})).unwrap_err();
/// assert_eq!(error.to_string(), "No results for path: $['a']['b']");
/// assert!(error.is_not_found());
/// # Ok::<(), asl_path::ParseError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct QueryError {
    message: String,
    kind: QueryErrorKind,
}

/// Kinds of query errors, which determine how a filter handles an error of an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QueryErrorKind {
    /// The document has nothing there.
    NotFound,
    /// The same: an array is too short.
    PastTheEnd,
    /// The same: what an index was applied to is no array.
    NoArray,
    /// The path cannot be applied to such a document; a filter takes it as "does not match".
    NotApplicable,
    /// A function got something it cannot work with; this ends the whole query.
    Function,
    /// A limit on evaluations; this ends the whole query.
    Limit,
}

impl QueryError {
    pub(crate) fn new(kind: QueryErrorKind, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            kind,
        }
    }

    /// A path begins with a variable that has no value.
    pub(crate) fn no_variable(name: &str) -> Self {
        Self::new(
            QueryErrorKind::NotFound,
            format!("the variable ${name} has no value"),
        )
    }

    pub(crate) fn kind(&self) -> QueryErrorKind {
        self.kind
    }

    /// True if the document has nothing at the path; false if the path cannot be applied at all, as a filter to a string or
    /// `min()` to an empty array.
    pub fn is_not_found(&self) -> bool {
        matches!(
            self.kind,
            QueryErrorKind::NotFound | QueryErrorKind::PastTheEnd | QueryErrorKind::NoArray
        )
    }

    /// True if nothing was found because an array is too short for an index.
    pub fn is_past_the_end(&self) -> bool {
        self.kind == QueryErrorKind::PastTheEnd
    }

    /// Returns true if an index was applied to a value that is not an array.
    pub fn is_no_array(&self) -> bool {
        self.kind == QueryErrorKind::NoArray
    }

    /// True if the evaluation would take more than its [`EvaluationLimits`](crate::EvaluationLimits) allow.
    pub fn is_limit(&self) -> bool {
        self.kind == QueryErrorKind::Limit
    }
}

/// The reason why a value could not be written at a reference path.
///
/// # Example
///
/// ```
/// let path = asl_path::ReferencePath::parse("$.a.b")?;
/// let error = path.write(&mut serde_json::json!({"a": 1}), true.into()).unwrap_err();
/// assert_eq!(error.to_string(), "cannot write $.a.b: $.a is a number, expected an object");
/// # Ok::<(), asl_path::ParseError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct WriteError {
    message: String,
}

impl WriteError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
        }
    }
}
