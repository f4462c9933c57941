//! Errors of parsing and evaluation.

/// Why a text is no JSONata expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct ParseError {
    /// The code of the JSONata reference, such as S0203.
    pub code: &'static str,
    /// What was expected and what was found.
    pub message: String,
    /// Where, in bytes from the start of the expression.
    pub position: usize,
}

/// Why an evaluation failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct EvaluationError {
    /// The code of the JSONata reference, such as T2001 or D3030.
    pub code: &'static str,
    /// What went wrong, with the values.
    pub message: String,
    /// Where in the expression, in bytes, where that is known.
    pub position: Option<usize>,
}
