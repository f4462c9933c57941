//! Errors of a backend.

/// An error of the backend itself: the request can succeed later.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BackendError {
    /// A resource is exhausted (disk, memory, concurrent requests): the caller can retry later.
    #[error("{0}")]
    Unavailable(String),
    /// Stored data cannot be read, or given data cannot be stored.
    #[error("{0}")]
    Broken(String),
}

impl BackendError {
    /// Returns the error for a [budget](super::MemoryBudget) without free memory.
    pub fn no_memory() -> Self {
        Self::Unavailable("not enough memory at the moment: try again".to_owned())
    }
}

/// Reasons why an execution did not start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// An execution with this name exists that ended, or that has another input.
    #[error("an execution with this name already exists")]
    AlreadyExists,
    /// Too many run.
    #[error("{0} executions are running, the maximum allowed")]
    TooMany(u64),
    /// An error of the backend.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

/// Reasons why an execution was not stopped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StopError {
    /// No execution has this name.
    #[error("no such execution")]
    NoExecution,
    /// An error of the backend.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

/// Reasons why an execution was not redriven.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RedriveError {
    /// No execution has this name.
    #[error("no such execution")]
    NoExecution,
    /// The execution is running, succeeded, is Express, or ended too long ago.
    #[error("{0}")]
    NotRedrivable(String),
    /// An error of the backend.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

/// Reasons why a task token was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TokenRefused {
    /// The text is not a token of this backend.
    #[error("not a task token")]
    Invalid,
    /// The task has a result or timed out, or its execution ended.
    #[error("the task no longer waits for a result")]
    TimedOut,
    /// The execution of the task is no longer stored.
    #[error("no such task")]
    NoTask,
    /// An error of the backend.
    #[error(transparent)]
    Backend(#[from] BackendError),
}
