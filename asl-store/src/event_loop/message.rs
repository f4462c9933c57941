//! Messages to the event loop.
use super::activities::TakenTask;
use super::job::{ComputedTurn, LoadedExecution};
use super::link::EffectMessage;
use super::resident::Resident;
use super::slots::Slot;
use crate::database::row::RowId;
use asl_backend::{
    ActivityTask, RedriveError, StartError, StartExecution, StartedExecution, StopError, TaskReply,
    TokenRefused,
};
use asl_engine::{EffectId, ErrorOutput, Input, MapRunUpdate, Timestamp};
use std::sync::Arc;
use tokio::sync::oneshot;

/// A message to the event loop.
pub(crate) enum Message {
    Start(Box<StartMessage>),
    /// A message of a performer about its effect.
    Effect(RowId, EffectId, EffectMessage),
    /// A worker says something of a task.
    Reply {
        execution_arn: Arc<str>,
        effect: EffectId,
        reply: TaskReply,
        told: oneshot::Sender<Result<(), TokenRefused>>,
    },
    Stop {
        arn: Arc<str>,
        error_output: ErrorOutput,
        told: oneshot::Sender<Result<Timestamp, StopError>>,
    },
    Redrive {
        arn: Arc<str>,
        client_token: Option<Arc<str>>,
        told: oneshot::Sender<Result<Timestamp, RedriveError>>,
    },
    UpdateMapRun {
        execution: RowId,
        update: MapRunUpdate,
        told: oneshot::Sender<bool>,
    },
    TakeActivityTask {
        activity: Arc<str>,
        worker_name: Option<Arc<str>>,
        told: oneshot::Sender<ActivityTask>,
    },
    /// The records of which an execution's history is made, so far; and how many events that is.
    Records(RowId, oneshot::Sender<Option<(Vec<i64>, u64)>>),
    /// An input from an execution of another event loop.
    Input(RowId, Input),
    /// A task of an activity that a worker takes.
    TakenTask(Box<TakenTask>),
    /// An execution had a turn in the pool.
    Computed(Box<ComputedTurn>),
    /// Executions are to leave memory.
    MemoryIsShort,
    /// An execution is packed.
    Packed(Box<Resident>, Vec<u8>),
    /// An execution came into memory, or cannot.
    Loaded(Box<LoadedExecution>),
    /// There is no memory for the turn of an execution.
    HeldBack(Box<Resident>),
    /// Its turn panicked: an execution with these records.
    Lost(RowId, Vec<i64>),
    /// A batch is durable.
    Committed(u64),
    /// Data that is not durable yet will never be.
    Refused,
    ShutDown,
}

pub(crate) struct StartMessage {
    pub(crate) start: StartExecution,
    /// Slot of the execution.
    pub(crate) slot: Slot,
    pub(crate) told: oneshot::Sender<Result<StartedExecution, StartError>>,
}
