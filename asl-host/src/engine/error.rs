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
        Self::Unavailable("not enough memory at the moment: try again".to_owned())
    }
}

/// Why an execution did not start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// One of this name exists that ended, or that was given another input.
    #[error("an execution with this name already exists")]
    AlreadyExists,
    /// Too many run.
    #[error("{0} executions are running, the maximum allowed")]
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
    #[error("no such execution")]
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
    #[error("no such execution")]
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
    #[error("not a task token")]
    Invalid,
    /// Its task was answered, timed out, or its execution ended.
    #[error("the task no longer waits for a result")]
    TimedOut,
    /// Its execution is not kept any more.
    #[error("no such task")]
    NoTask,
    /// As for everything else.
    #[error(transparent)]
    Engine(#[from] EngineError),
}
