//! Execution engine of the Amazon States Language: programs, a sans-IO core, and a tokio runtime.

mod answer;
mod data;
mod distributed;
pub mod execution;
pub mod history;
mod identity;
mod limits;
mod outcome;
mod program;
#[cfg(feature = "runtime")]
pub mod runtime;
mod saved;
mod synchronous;

pub use answer::{Answer, TaskAnswer, TaskError};
pub use asl_model::{Integration, IntegrationPattern, Resource, ResourceKind};
pub use execution::{
    Awaited, CORE_VERSION, ChildExecution, Effect, EffectId, Execution, Input, Inspected,
    Inspector, JournalRecord, MacTokens, MapRunCounts, MapRunStatus, MapRunUpdate, Output, Pending,
    ReplayError, RestoreError, SavedExecution, Start, StartAt, Step, StorageOperation,
    StorageRequest, StorageResult, StoredObject, TaskInvocation, TaskProgress, TaskTokens,
    TokenTask,
};
pub use history::{EventDetails, HistoryEvent};
pub use identity::{Identity, StateMachineIdentity};
pub use limits::Limits;
pub use outcome::Outcome;
pub use program::{CompileError, Program, StateReference};
pub use synchronous::{SynchronousHost, drive, drive_with};

/// The examples of the README, compiled and run.
#[cfg(all(doctest, feature = "runtime"))]
#[doc = include_str!("../README.md")]
struct Readme;
