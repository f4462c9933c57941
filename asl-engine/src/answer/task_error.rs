//! Errors of tasks, and how a handler's own errors become them.
use crate::Input;
use crate::error_names::TASK_FAILED;
use crate::error_output::ErrorOutput;
use std::convert::Infallible;
use std::error::Error;
use std::fmt;

/// An error of a task: an error name and a cause.
///
/// A handler may return an error type of its own, which becomes a `TaskError` by [`IntoTaskError`]. Any other error gets an
/// Error Name by [`or_error`](OrError::or_error):
///
/// ```
/// use asl_engine::{OrError, TaskError};
///
/// fn parse(text: &str) -> Result<u32, TaskError> {
///     text.parse::<u32>().or_error("InvalidAmount")
/// }
/// assert_eq!(parse("x").unwrap_err().to_string(), "InvalidAmount: invalid digit found in string");
/// ```
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
pub struct TaskError {
    /// The error and cause, as seen by Retry, Catch and readers.
    pub error_output: ErrorOutput,
    /// True if the execution is to end by it.
    pub(crate) fatal: bool,
}

impl TaskError {
    /// The Error Name of a task whose payload is not what its handler's parameter type needs.
    pub const INVALID_PAYLOAD: &'static str = "InvalidPayload";
    /// The Error Name of a task whose handler returned what cannot be JSON.
    pub const INVALID_RESULT: &'static str = "InvalidResult";

    /// Creates an error with an Error Name and a cause.
    pub fn new(error: impl Into<String>, cause: impl Into<String>) -> Self {
        ErrorOutput::new(error, cause).into()
    }

    /// Creates States.TaskFailed with a cause.
    pub fn failed(cause: impl Into<String>) -> Self {
        Self::new(TASK_FAILED, cause)
    }

    /// Creates the error of a task whose result is not needed any more.
    #[cfg(feature = "runtime")]
    pub(crate) fn cancelled() -> Self {
        Self::failed("the task was cancelled")
    }

    /// Creates an error with an Error Name only.
    pub fn without_cause(error: impl Into<String>) -> Self {
        ErrorOutput::without_cause(error).into()
    }

    /// Creates an error with an Error Name, whose cause is the text of `source` and of the errors below it.
    pub fn from_source(error: impl Into<String>, source: &(dyn Error + 'static)) -> Self {
        let mut cause = source.to_string();
        let mut below = source.source();
        while let Some(source) = below {
            cause = format!("{cause}: {source}");
            below = source.source();
        }
        Self::new(error, cause)
    }

    /// Returns the input for the outermost execution, if the error must end it as a whole.
    pub fn failing_input(&self) -> Option<Input> {
        self.fatal.then(|| Input::Fail(self.error_output.clone()))
    }

    /// Fails the whole execution (with its parents): no Retry and no Catch sees it, the outcome is
    /// [`Failed`](crate::Outcome::Failed) with this error and cause.
    #[must_use]
    pub fn failing_the_execution(mut self) -> Self {
        self.fatal = true;
        self
    }
}

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ErrorOutput { error, cause } = &self.error_output;
        f.write_str(error.as_deref().unwrap_or(TASK_FAILED))?;
        match cause {
            Some(cause) => write!(f, ": {cause}"),
            None => Ok(()),
        }
    }
}

debug_as_display!(TaskError);

/// An error that a task handler may return: its Error Name is what Retry and Catch of the definition refer to.
///
/// Implement it for the error types of a program's own. It is there for [`TaskError`]; for `Box<dyn Error + Send + Sync>`
/// and, with the feature `anyhow`, for `anyhow::Error`, which become States.TaskFailed unless they hold a `TaskError`; and
/// for `Infallible`, of a handler that cannot fail.
///
/// ```
/// use asl_engine::{IntoTaskError, TaskError};
///
/// enum CardError { Declined, Unreachable(std::io::Error) }
///
/// impl IntoTaskError for CardError {
///     fn into_task_error(self) -> TaskError {
///         match self {
///             Self::Declined => TaskError::new("CardDeclined", "the bank refuses the card"),
///             Self::Unreachable(error) => TaskError::from_source("BankUnreachable", &error),
///         }
///     }
/// }
/// assert_eq!(CardError::Declined.into_task_error().to_string(), "CardDeclined: the bank refuses the card");
/// ```
#[diagnostic::on_unimplemented(
    message = "a task handler cannot return the error `{Self}`",
    note = "implement `IntoTaskError` for it, to choose the Error Name for each of its cases",
    note = "or give it an Error Name at its origin: `.or_error(\"PaymentFailed\")?`"
)]
pub trait IntoTaskError {
    /// Converts the error to an Error Name and a cause.
    fn into_task_error(self) -> TaskError;
}

impl IntoTaskError for TaskError {
    fn into_task_error(self) -> TaskError {
        self
    }
}

impl IntoTaskError for Infallible {
    fn into_task_error(self) -> TaskError {
        match self {}
    }
}

impl IntoTaskError for Box<dyn Error + Send + Sync> {
    fn into_task_error(self) -> TaskError {
        match self.downcast::<TaskError>() {
            Ok(error) => *error,
            Err(error) => TaskError::from_source(TASK_FAILED, &*error),
        }
    }
}

#[cfg(feature = "anyhow")]
impl IntoTaskError for anyhow::Error {
    fn into_task_error(self) -> TaskError {
        match self.downcast::<TaskError>() {
            Ok(error) => error,
            Err(error) => TaskError::from_source(TASK_FAILED, error.as_ref()),
        }
    }
}

impl From<ErrorOutput> for TaskError {
    fn from(error_output: ErrorOutput) -> Self {
        Self {
            error_output,
            fatal: false,
        }
    }
}

impl From<Box<dyn Error + Send + Sync>> for TaskError {
    fn from(error: Box<dyn Error + Send + Sync>) -> Self {
        error.into_task_error()
    }
}

#[cfg(feature = "anyhow")]
impl From<anyhow::Error> for TaskError {
    fn from(error: anyhow::Error) -> Self {
        error.into_task_error()
    }
}

/// Gives errors an Error Name.
pub trait OrError<T> {
    /// Converts an error to a [`TaskError`] with this Error Name; its cause is the text of the error and of its sources.
    ///
    /// ```
    /// use asl_engine::{OrError, TaskError};
    ///
    /// fn read(path: &str) -> Result<String, TaskError> {
    ///     std::fs::read_to_string(path).or_error("NoTemplate")
    /// }
    /// assert_eq!(read("/nowhere").unwrap_err().error_output.error.as_deref(), Some("NoTemplate"));
    /// ```
    ///
    /// # Errors
    /// The error, if there is one.
    fn or_error(self, error: impl Into<String>) -> Result<T, TaskError>;

    /// Converts an error to States.TaskFailed; its cause is the text of the error and of its sources.
    ///
    /// # Errors
    /// The error, if there is one.
    fn or_failed(self) -> Result<T, TaskError>
    where
        Self: Sized,
    {
        self.or_error(TASK_FAILED)
    }
}

impl<T, E: Into<Box<dyn Error + Send + Sync>>> OrError<T> for Result<T, E> {
    fn or_error(self, error: impl Into<String>) -> Result<T, TaskError> {
        self.map_err(|source| TaskError::from_source(error, &*source.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_error_that_was_made_so_fails_the_execution() {
        let error = TaskError::new("E", "why");
        assert_eq!(error.failing_input(), None);
        let input = Input::Fail(ErrorOutput::new("E", "why"));
        assert_eq!(error.failing_the_execution().failing_input(), Some(input));
    }

    #[derive(Debug, thiserror::Error)]
    #[error("outer")]
    struct Outer(#[source] std::num::ParseIntError);

    fn outer() -> Outer {
        Outer("x".parse::<i32>().unwrap_err())
    }

    const CHAIN: &str = "outer: invalid digit found in string";

    #[test]
    fn an_error_becomes_a_failure_with_all_its_sources() {
        let boxed: Box<dyn Error + Send + Sync> = outer().into();
        assert_eq!(boxed.into_task_error(), TaskError::new(TASK_FAILED, CHAIN));
        let named = Err::<(), _>(outer()).or_error("Bad");
        assert_eq!(named, Err(TaskError::new("Bad", CHAIN)));
    }

    #[test]
    fn a_task_error_keeps_its_name_in_a_box() {
        let error = TaskError::new("CardDeclined", "no money").failing_the_execution();
        let boxed: Box<dyn Error + Send + Sync> = error.clone().into();
        assert_eq!(boxed.into_task_error(), error);
    }

    #[cfg(feature = "anyhow")]
    #[test]
    fn an_error_of_anyhow_becomes_a_failure_with_its_contexts() {
        let error = anyhow::Error::new(outer()).context("reading the card");
        let expected = TaskError::failed(format!("reading the card: {CHAIN}"));
        assert_eq!(error.into_task_error(), expected);
        let error = TaskError::new("CardDeclined", "no money");
        assert_eq!(anyhow::Error::new(error.clone()).into_task_error(), error);
        let named = Err::<(), _>(anyhow::anyhow!("x")).or_error("Bad");
        assert_eq!(named, Err(TaskError::new("Bad", "x")));
    }
}
