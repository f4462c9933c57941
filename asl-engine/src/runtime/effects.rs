//! Performing what executions ask for.
use super::handler::TaskHandler;
use super::hosted::{AwaitedBy, EndedExecution, Hosted};
use super::identifier::{ExecutionId, RunningExecution};
use super::storage::Storage;
use super::task::Notice;
use super::timers::{Due, Timers};
use super::tokens::{Member, TokenBook};
use super::{Clock, Observer};
use crate::answer::{self, TaskAnswer, TaskError};
use crate::{
    ChildExecution, EffectId, Execution, Input, Outcome, Output, StorageRequest, StorageResult,
};
use asl_model::Timestamp;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// Something that can go on now.
#[derive(Debug)]
pub(super) enum Ready {
    /// A new execution.
    Begin(Box<Hosted>),
    /// Something to tell one.
    Input(ExecutionId, Input),
    /// One that used up the budget of one call.
    Continue(ExecutionId),
}

/// What a spawned future came to.
#[derive(Debug)]
pub(super) enum Finished {
    Task(ExecutionId, EffectId, Result<TaskAnswer, TaskError>),
    Storage(ExecutionId, EffectId, Result<StorageResult, String>),
}

/// The runtime without its executions: all that performing an effect needs.
pub(super) struct Effects {
    pub(super) clock: Clock,
    pub(super) handler: Arc<dyn TaskHandler>,
    pub(super) storage: Arc<dyn Storage>,
    pub(super) observer: Option<Arc<dyn Observer>>,
    pub(super) next_id: Arc<AtomicU64>,
    pub(super) notices: mpsc::UnboundedSender<Notice>,
    /// First come, first served: no execution starves another.
    pub(super) ready: VecDeque<Ready>,
    pub(super) timers: Timers,
    pub(super) tokens: Arc<TokenBook>,
    pub(super) spawned: JoinSet<Finished>,
    /// Handlers and object stores at work: a virtual clock waits for them.
    pub(super) busy: usize,
}

impl Effects {
    pub(super) fn tell(&mut self, execution: ExecutionId, input: Input) {
        self.ready.push_back(Ready::Input(execution, input));
    }

    pub(super) fn tell_all(&mut self, execution: ExecutionId, inputs: answer::Inputs) {
        for input in inputs.into_iter().flatten() {
            self.tell(execution, input);
        }
    }

    /// Performs one output that is neither Wait nor Done.
    pub(super) fn perform(&mut self, hosted: &mut Hosted, output: Output) {
        match output {
            Output::InvokeTask(invocation) => self.invoke_task(hosted, invocation),
            Output::CancelTask { id } => self.cancel_task(hosted, id),
            Output::Storage(request) => self.perform_storage(hosted.identity.id, *request),
            Output::StartChildExecution(child) => self.start_child(hosted, *child),
            Output::StopChildExecution { id } => {
                if let Some(child) = hosted.children.remove(&id) {
                    self.stop(child);
                }
            }
            Output::Event(event) => {
                if let Some(observer) = &self.observer {
                    observer.event(&hosted.identity, *event);
                }
            }
            Output::Wait { .. } | Output::Done(_) => {}
        }
    }

    /// Sees to it that an execution goes on at `until`.
    pub(super) fn wait(&mut self, hosted: &mut Hosted, until: Option<Timestamp>) {
        let id = hosted.identity.id;
        if until.is_some_and(|until| until <= self.clock.now()) {
            if !hosted.continues {
                hosted.continues = true;
                self.ready.push_back(Ready::Continue(id));
            }
            return;
        }
        if hosted.armed.map(|(moment, _)| moment) != until {
            self.disarm(hosted);
            hosted.armed = until.map(|until| self.timers.add(until, Due::Execution(id)));
        }
    }

    fn disarm(&mut self, hosted: &mut Hosted) {
        if let Some(place) = hosted.armed.take() {
            self.timers.remove(place);
        }
    }

    fn stop(&mut self, execution: ExecutionId) {
        let (error, cause) = (None, None);
        self.tell(execution, Input::Stop { error, cause });
    }

    /// Clears up after an execution, and tells whoever awaits it.
    pub(super) fn ended(&mut self, mut hosted: Box<Hosted>, outcome: Outcome) {
        self.disarm(&mut hosted);
        for (_, task) in std::mem::take(&mut hosted.tasks) {
            self.forget_task(*task);
        }
        for (_, child) in std::mem::take(&mut hosted.children) {
            self.stop(child);
        }
        if let Some(observer) = &self.observer {
            observer.ended(&hosted.identity, &outcome);
        }
        match hosted.awaited_by {
            AwaitedBy::Parent(parent, id) => {
                self.tell(parent, Input::ChildExecutionEnded { id, outcome })
            }
            AwaitedBy::Handle(handle) => {
                self.handler.execution_ended(hosted.identity.id);
                // Whoever dropped the handle does not want to know.
                let _ = handle.send(Box::new(EndedExecution {
                    outcome,
                    transitions: hosted.execution.transitions(),
                    start_date: hosted.started,
                    stop_date: self.clock.now(),
                }));
            }
        }
    }

    pub(super) fn member(&self, running: RunningExecution) -> Member {
        Member::new(running, Arc::clone(&self.tokens))
    }

    fn perform_storage(&mut self, execution: ExecutionId, request: StorageRequest) {
        let id = request.id;
        let work = self.storage.perform(request.bucket, request.operation);
        self.busy += 1;
        self.spawned
            .spawn(async move { Finished::Storage(execution, id, work.await) });
    }

    fn start_child(&mut self, hosted: &mut Hosted, child: ChildExecution) {
        let id = ExecutionId(self.next_id.fetch_add(1, Ordering::Relaxed));
        hosted.children.insert(child.id, id);
        let identity = RunningExecution {
            id,
            root: hosted.identity.root,
            identity: Arc::clone(&child.start.identity),
        };
        let (started, parent) = (
            child.start.now,
            AwaitedBy::Parent(hosted.identity.id, child.id),
        );
        let program = hosted.execution.program().clone();
        let execution =
            Execution::start_child(program, child, Some(Arc::clone(self.tokens.maker())));
        let child = Hosted::new(self.member(identity), execution, started, parent);
        self.ready.push_back(Ready::Begin(child));
    }
}
