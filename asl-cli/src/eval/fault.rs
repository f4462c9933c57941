//! Errors of expressions.
use crate::snippet::Snippet;
use crate::source::Source;
use crate::terminal::{self, ERROR, FRAME, HINT, STRONG};
use asl_model::DiagnosticCode;

/// Error of a state whose path exceeds the limits.
pub(crate) const RUNTIME: &str = "States.Runtime";
/// Error of a state whose Parameters contain a path without a value.
pub(crate) const PATH_FAILURE: &str = "States.ParameterPathFailure";
/// Error of a state whose intrinsic function fails.
pub(crate) const INTRINSIC_FAILURE: &str = "States.IntrinsicFailure";
/// Error of a state whose JSONata fails (2024 specification, JSONata Runtime Errors).
pub(crate) const QUERY_FAILURE: &str = "States.QueryEvaluationError";
/// The reason why an expression has no value.
pub(crate) struct Fault {
    pub(crate) error: &'static str,
    pub(crate) cause: String,
    /// Byte offset in the whole argument, where a place in it is at fault.
    position: Option<usize>,
    hint: Option<String>,
}

impl Fault {
    /// The text itself is at fault: `code` is what the service calls a definition that holds it.
    pub(crate) fn invalid(code: DiagnosticCode, position: usize, cause: impl Into<String>) -> Self {
        Self {
            position: Some(position),
            ..Self::failed(code.as_str(), cause)
        }
    }

    /// Creates the error of a failed evaluation.
    pub(crate) fn failed(error: &'static str, cause: impl Into<String>) -> Self {
        Self {
            error,
            cause: cause.into(),
            position: None,
            hint: None,
        }
    }

    /// It happened at a place in the text.
    pub(crate) fn at(mut self, position: Option<usize>) -> Self {
        self.position = position;
        self
    }

    /// Returns the offset in the text.
    pub(crate) fn position(&self) -> Option<usize> {
        self.position
    }

    /// Adds a hint.
    pub(crate) fn with_hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }

    /// Reports it on stderr, with a marker under the place in the expression.
    pub(crate) fn print(&self, source: &Source) {
        let expression = &*source.text;
        let Self { error, cause, .. } = self;
        terminal::error_line(&format!(
            "{ERROR}{error}{ERROR:#}{STRONG}: {cause}{STRONG:#}"
        ));
        if let Some(position) = self.position {
            let before = expression.get(..position).unwrap_or(expression);
            let line = 1 + before.matches('\n').count();
            let column = 1 + before.rsplit('\n').next().unwrap_or("").chars().count();
            let snippet = Snippet::new(&source.name, expression, line, column);
            terminal::error_line(&snippet.to_string());
        }
        if let Some(hint) = &self.hint {
            terminal::error_line(&format!("  {FRAME}={FRAME:#} {HINT}hint:{HINT:#} {hint}"));
        }
    }
}
