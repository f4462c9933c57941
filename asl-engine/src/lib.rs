#![cfg_attr(feature = "runtime", doc = include_str!("../README.md"))]
#![cfg_attr(
    not(feature = "runtime"),
    doc = "Runs state machines of the Amazon States Language: programs and a sans-IO core. The host is the embedding program, \
           see [`Execution::step`], or the smallest one there is, [`drive`]; with the feature `runtime` there is one on tokio."
)]

/// Lets `{:?}` print what `{}` prints: what leaves `main` by `?` is printed by it.
macro_rules! debug_as_display {
    ($name:ty) => {
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    };
}

#[cfg(all(feature = "runtime", target_family = "wasm", target_os = "unknown"))]
compile_error!(
    "the feature `runtime` of asl-engine needs threads and an operating system: depend on it with `default-features = false`, \
     and drive executions by `drive` or `Execution::step`"
);

mod answer;
mod data;
mod definition_error;
mod distributed;
mod error_names;
mod error_output;
pub mod execution;
mod form;
mod held_estimate;
pub mod history;
mod identity;
mod limits;
mod outcome;
mod program;
mod row;
#[cfg(feature = "runtime")]
pub mod runtime;
mod saved;
mod synchronous;
mod tree;
mod turn_queue;

pub use answer::{Answer, IntoTaskError, OrError, TaskAnswer, TaskError};
pub use asl_model as model;
pub use asl_model::{Integration, IntegrationPattern, Resource, ResourceKind, Timestamp};
pub use definition_error::DefinitionError;
pub use error_output::ErrorOutput;
pub use execution::{
    AwaitedAnswer, CORE_VERSION, ChildExecution, Departure, Departures, Effect, EffectId,
    ErrorPlace, Execution, Input, InspectedPlace, InspectionEvent, Inspector, JournalRecord,
    MacTokens, MapRunCounts, MapRunStatus, MapRunUpdate, MockedChildren, MockedOutcome, ObjectPart,
    Output, ParentFlow, PartStart, PendingEffect, ReplayError, RestoreError, SavedExecution, Start,
    StartAt, Step, StorageOperation, StorageRequest, StorageResult, StoredObject, TaskInvocation,
    TaskProgress, TaskTokens, TokenTask, TurnLimits,
};
pub use form::{ArrayFormat, form_encoded};
pub use held_estimate::HeldEstimate;
pub use history::{EventDetails, HistoryEvent};
pub use identity::{Identity, StateMachineIdentity};
pub use limits::Limits;
pub use outcome::{Failure, Outcome};
pub use program::{CompileError, Program, ProgramTask, StateReference};
pub use synchronous::{SynchronousHost, drive, drive_with};
pub use tree::{ExecutionTree, TreeAction, TreeShare};
pub use turn_queue::TurnQueue;
