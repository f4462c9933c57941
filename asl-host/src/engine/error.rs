//! Why an engine did not do what it was asked for.

/// It could not be done now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// There is no room (disk, memory, requests under way): it may be asked again later.
    #[error("{0}")]
    Unavailable(String),
    /// What was kept cannot be read, or what was given cannot be kept.
    #[error("{0}")]
    Broken(String),
}

impl EngineError {
    /// There is no memory for it in the [budget](super::MemoryBudget) now.
    pub fn no_memory() -> Self {
        Self::Unavailable("there is no memory for it now: try again".to_owned())
    }
}

/// Why an execution did not start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// One of this name exists that ended, or that was given another input.
    #[error("an execution of this name exists already")]
    AlreadyExists,
    /// Too many run.
    #[error("{0} executions run, the most that may run at a time")]
    TooMany(u64),
    /// As for everything else.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Why an execution was not stopped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StopError {
    /// There is none of this name.
    #[error("there is no such execution")]
    NoExecution,
    /// As for everything else.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Why an execution was not redriven.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RedriveError {
    /// There is none of this name.
    #[error("there is no such execution")]
    NoExecution,
    /// It runs or succeeded, is Express, or ended too long ago.
    #[error("{0}")]
    NotRedrivable(String),
    /// As for everything else.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Why a task's token was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TokenRefused {
    /// It is no token of this engine.
    #[error("this is no task token")]
    Invalid,
    /// Its task was answered, timed out, or its execution ended.
    #[error("the task does not wait for an answer any more")]
    TimedOut,
    /// Its execution is not kept any more.
    #[error("there is no such task")]
    NoTask,
    /// As for everything else.
    #[error(transparent)]
    Engine(#[from] EngineError),
}
