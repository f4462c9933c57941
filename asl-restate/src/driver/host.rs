//! The interface of the driver to Restate.
use crate::messages::{
    ChildAgain, Command, CommandAnswer, ExecutionOutcome, ExternalMessage, KeptMapRun,
    PerformRequest, PerformedRequest, Redrives,
};
use asl_backend::HistoryPiece;
use asl_engine::{ChildExecution, EffectId, JournalRecord, Outcome, TaskInvocation, Timestamp};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// A host whose every answer is durable: asked again in the same order, it answers the same.
pub(crate) trait DurableHost: Send {
    /// Has something performed; [`HostEvent::PerformedRequest`] answers it.
    fn perform(&mut self, id: EffectId, request: PerformRequest);
    /// Returns true if a test case answers the tasks of a state; the same at every replay.
    fn is_mocked(&self, state_name: &str) -> bool;
    /// Offers a task to the workers of its activity.
    fn offer(&mut self, task: &Arc<TaskInvocation>);
    /// Runs a child execution of a Map Run; [`HostEvent::ChildrenEnded`] answers it.
    fn start_child(
        &mut self,
        child: ChildExecution,
        map_run_arn: Option<Arc<str>>,
        again: Option<ChildAgain>,
    );
    /// From now on a task hears one message from outside, after so many others: [`HostEvent::ExternalEvent`].
    fn open(&mut self, id: EffectId, heard: u64);
    /// Closes an effect that is no longer needed; `was_open` means that it could receive messages from outside.
    fn close(&mut self, id: EffectId, was_open: bool);
    /// A performer works at it still, and may end.
    fn abandon(&mut self, id: EffectId);
    /// Stops a child that is no longer needed, from this time on.
    fn stop_child(&mut self, id: EffectId, at: Timestamp);
    /// The execution has ended: no children are waited for.
    fn stop_children(&mut self, at: Timestamp);
    /// Stops an execution that a task no longer waits for.
    fn stop_nested(&mut self, arn: Arc<str>, at: Timestamp);
    /// [`HostEvent::Slept`] comes at this moment.
    fn sleep_until(&mut self, due: Timestamp);
    /// Stores an input of the core, by its number.
    fn store_record(&mut self, number: u64, record: &JournalRecord);
    /// From now on the execution itself hears a command, after so many others: [`HostEvent::CommandReply`]. Of the first it
    /// hears from its beginning on.
    fn listen(&mut self, turn: u64);
    /// Sends the result of the command of a turn.
    fn answer(&mut self, turn: u64, answer: CommandAnswer);
    /// The execution has ended, for the time being or for good.
    fn end(&mut self, redrives: &Redrives, ending: &ExecutionOutcome);
    /// Nothing is waited for any more that was waited for so far, commands among it.
    fn rest(&mut self);
    /// The execution runs again.
    fn redrive(&mut self, redrives: &Redrives);
    /// Keeps the events that were not kept so far; there are so many in all. An error where the workflow was cancelled.
    fn seal(
        &mut self,
        pieces: Vec<HistoryPiece>,
        events: u64,
    ) -> impl Future<Output = Result<(), HostInterruption>> + Send;
    /// The records so far are not needed any more: the history is sealed for good.
    fn forget_records(&mut self, records: u64);
    /// The execution has ended for good, and hears no commands any more.
    fn close_inbox(&mut self);
    /// Keeps what Map Runs have become; some of them are new.
    fn store_map_runs(&mut self, changed: Vec<KeptMapRun>, new: Vec<Arc<str>>);
    /// Returns a permit for each thread on which executions compute for longer than a turn.
    fn threads(&self) -> Arc<Semaphore>;
    /// Returns the next event.
    fn next(&mut self) -> impl Future<Output = Result<HostEvent, HostInterruption>> + Send;
}

/// An event from the host.
#[derive(Debug)]
pub(crate) enum HostEvent {
    Performed(EffectId, PerformedRequest),
    Told(EffectId, ExternalMessage),
    ChildrenEnded(Vec<(EffectId, Timestamp, Outcome)>),
    /// A sleep is over that was to end at `due`.
    Slept {
        due: Timestamp,
        now: Timestamp,
    },
    Commanded(Command),
    /// The workflow was cancelled with Restate's own tools.
    Cancelled,
}

/// The host cannot continue at present.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct HostInterruption(pub(crate) String);
