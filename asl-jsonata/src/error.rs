//! Errors of parsing and evaluation.

/// The reason why a text is not a JSONata expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct ParseError {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) position: usize,
}

impl ParseError {
    /// Returns the code of the JSONata reference, such as S0203.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// Returns the expected and the actual content.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the offset in bytes from the start of the expression.
    pub fn position(&self) -> usize {
        self.position
    }
}

/// The reason why an evaluation failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct EvaluationError {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) position: Option<usize>,
}

impl EvaluationError {
    /// Code of an evaluation that exceeded the limit on depth.
    pub const TOO_DEEP: &str = "D1011";
    /// Code of an evaluation that exceeded the limit on steps.
    pub const TOO_LONG: &str = "D1012";
    /// Code of an evaluation that exceeded a limit on memory or sizes.
    pub const TOO_LARGE: &str = "D2015";
    /// Code of an evaluation that was [cancelled](crate::Environment::cancelled).
    pub const CANCELLED: &str = "D1013";
    /// Code of an error of a [function of the embedding program](crate::Functions), and of `$error`.
    pub const OF_FUNCTION: &str = "D3137";
    /// Code of a result that is not JSON: a function.
    pub const NO_JSON: &str = "D2016";

    /// Returns the code of the JSONata reference, such as T2001 or D3030.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// Returns the error with its values.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the offset in the expression in bytes, if known.
    pub fn position(&self) -> Option<usize> {
        self.position
    }

    /// Returns true if the evaluation exceeded one of its [limits](crate::Limits).
    pub fn is_limit(&self) -> bool {
        [Self::TOO_DEEP, Self::TOO_LONG, Self::TOO_LARGE].contains(&self.code)
    }

    /// Returns true if the evaluation was [cancelled](crate::Environment::cancelled).
    pub fn is_cancellation(&self) -> bool {
        self.code == Self::CANCELLED
    }

    /// Returns true if the result of the expression is not JSON: a function.
    ///
    /// ```
    /// use asl_jsonata::{Environment, Expression};
    /// let error = Expression::parse("$sum")?.evaluate(&mut Environment::from_input(&serde_json::Value::Null));
    /// assert!(error.unwrap_err().is_of_result());
    /// # Ok::<(), asl_jsonata::ParseError>(())
    /// ```
    pub fn is_of_result(&self) -> bool {
        self.code == Self::NO_JSON
    }

    /// Returns the end of the cause that the service gives, after "threw an error during evaluation": the code and the
    /// message, or for a limit words of its own.
    ///
    /// ```
    /// use asl_jsonata::{Environment, Expression};
    /// let error = Expression::parse("1 + 'a'")?.evaluate(&mut Environment::from_input(&serde_json::Value::Null));
    /// let end = error.unwrap_err().end_of_cause();
    /// assert_eq!(end, ". T2002: The right side of the \"+\" operator must evaluate to a number");
    /// # Ok::<(), asl_jsonata::ParseError>(())
    /// ```
    pub fn end_of_cause(&self) -> String {
        match self.code {
            Self::TOO_DEEP => ": Stack overflow error: Check for non-terminating recursive function. Consider rewriting as tail-recursive.".to_owned(),
            Self::TOO_LONG => ": Expression evaluation timeout: Check for infinite loop".to_owned(),
            Self::TOO_LARGE => ": Expression evaluation memory limit exceeded: Check for excessive memory usage".to_owned(),
            code => format!(". {code}: {}", self.message),
        }
    }
}
