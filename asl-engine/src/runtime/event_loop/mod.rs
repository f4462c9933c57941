//! The event loop: receives messages, applies inputs to executions, performs their effects, and sleeps.
mod arrival;
mod command;
mod computing;
mod computing_threads;
mod effects;
mod handover;
mod hosted;
mod link;
mod member;
mod performing;
mod run;
mod shared;
mod timers;

pub(super) use arrival::Arrival;
pub(super) use command::{Command, TaskMessage};
pub use hosted::EndedExecution;
pub(super) use hosted::HostedExecution;
pub(super) use run::EventLoopRun;
pub(super) use shared::{Places, Senders, SharedState};

use super::identifier::{ByExecution, ExecutionId};
use super::observer::Observer;
use super::performer::Performer;
use crate::tree::{ExecutionTree, TreeAction};
use crate::{EffectId, Input, Outcome, Output, SavedExecution};
use asl_model::Timestamp;
use computing::{ComputingExecution, DeferredWork};
use effects::{Effects, FinishedTask, Ready};
use std::sync::Arc;
use std::time::Duration;
use timers::Due;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinError;

/// Calls of executions between two looks at what arrived, and between two turns of other tasks of the thread.
const BATCH: usize = 32;

/// The longest sleep of a real clock: the system's time may be set meanwhile.
const LONGEST_SLEEP: Duration = Duration::from_secs(60);

/// Runs the executions whose ids lead to it. An execution that waits is bytes in a table and an entry in a queue of
/// timers, neither a task nor a thread.
pub(super) struct EventLoop {
    executions: ByExecution<Box<HostedExecution>>,
    /// Those in the middle of a turn next to the loop.
    computing: ByExecution<ComputingExecution>,
    effects: Effects,
    commands: mpsc::Receiver<Command>,
    arrivals: mpsc::UnboundedReceiver<Arrival>,
    is_over: bool,
}

/// Receivers of one event loop.
pub(super) struct Receivers {
    pub(super) commands: mpsc::Receiver<Command>,
    pub(super) arrivals: mpsc::UnboundedReceiver<Arrival>,
}

impl EventLoop {
    /// Creates the loop of this index among those of a runtime.
    pub(super) fn new(
        shared: Arc<SharedState>,
        index: usize,
        receivers: Receivers,
        performer: Arc<dyn Performer>,
        observer: Option<Arc<dyn Observer>>,
    ) -> Self {
        let tokio = Handle::current();
        Self {
            executions: ByExecution::default(),
            computing: ByExecution::default(),
            effects: Effects::new(shared, index, performer, observer, tokio),
            commands: receivers.commands,
            arrivals: receivers.arrivals,
            is_over: false,
        }
    }

    /// Runs until it is shut down.
    pub(super) async fn run(mut self) {
        let mut idle_turns = 0;
        loop {
            self.effects.look_at_clock();
            self.take_arrived();
            if self.is_over {
                break;
            }
            self.take_due();
            if self.run_ready() {
                idle_turns = 0;
                tokio::task::yield_now().await;
            } else if self.may_jump() && idle_turns == 0 {
                // Others of this thread first: they may have something to say at this moment.
                idle_turns = 1;
                tokio::task::yield_now().await;
            } else if !self.jump() {
                idle_turns = 0;
                self.sleep().await;
            }
        }
        self.shut_down().await;
    }

    /// Takes what arrived meanwhile, of commands at most as many as there is room for.
    fn take_arrived(&mut self) {
        while let Some(finished) = self.effects.spawned.try_join_next() {
            self.take_finished(finished);
        }
        while let Ok(arrival) = self.arrivals.try_recv() {
            self.take_arrival(arrival);
        }
        for _ in 0..self.commands.max_capacity() {
            match self.commands.try_recv() {
                Ok(command) => self.take_command(command),
                Err(_) => break,
            }
        }
    }

    fn take_due(&mut self) {
        while let Some(due) = self.effects.timers.take_due(self.effects.now) {
            match due {
                Due::Execution(id) => {
                    if let Some(hosted) = self.executions.get_mut(&id) {
                        hosted.armed = None;
                        self.effects.send_input(id, Input::TimePassed);
                    }
                }
                Due::Sleeper {
                    execution,
                    id,
                    wake,
                } => {
                    // One that left its sleep says so itself.
                    if wake.send(()).is_ok() {
                        self.end_sleep(execution, id);
                    }
                }
            }
        }
    }

    /// Lets executions continue; whether there was any that could.
    fn run_ready(&mut self) -> bool {
        let mut ran = false;
        for _ in 0..BATCH {
            let Some(ready) = self.effects.ready.pop_front() else {
                break;
            };
            ran = true;
            self.continue_execution(ready);
        }
        ran
    }

    fn continue_execution(&mut self, ready: Ready) {
        let Some(ready) = self.defer(ready.execution(), ready, DeferredWork::Ready) else {
            return;
        };
        match ready {
            Ready::Begin(hosted) if hosted.is_cut_off() => {}
            Ready::Begin(hosted) => self.start(hosted, false),
            Ready::Save(id, saved) => self.save(id, saved),
            Ready::Continue(id) => self.continue_after_yield(id),
            Ready::Input(id, input) => self.drain(id, Some(input)),
            Ready::Answer(id, answer) => {
                let hosted = self.executions.get_mut(&id);
                if let Some(input) = hosted.and_then(|it| it.answers.remove(&answer)) {
                    self.drain(id, Some(input));
                }
            }
        }
    }

    /// Saves an execution. The save has each submission that a performer reported, so that none is repeated.
    fn save(&mut self, id: ExecutionId, saved: oneshot::Sender<Option<SavedExecution>>) {
        let hosted = self.executions.get_mut(&id);
        let submissions = hosted.map_or_else(Vec::new, |hosted| hosted.submissions());
        if submissions.is_empty() {
            let hosted = self.executions.get(&id);
            // The receiver may be gone.
            let _ = saved.send(hosted.map(|hosted| hosted.execution.save()));
            return;
        }
        for input in submissions {
            self.effects.send_input(id, input);
        }
        self.effects.ready.push_back(Ready::Save(id, saved));
    }

    fn start(&mut self, mut hosted: Box<HostedExecution>, is_resumed: bool) {
        let id = hosted.member.id;
        hosted.member.span().started();
        if let Some(observer) = &self.effects.observer {
            observer.started(&hosted.member);
            let inspector = observer.inspector(&hosted.member);
            hosted.execution.inspect(inspector);
        }
        if is_resumed {
            self.effects.resume(&mut hosted);
        }
        self.executions.insert(id, hosted);
        self.drain(id, None);
    }

    /// Applies an input, if there is one, and performs the outputs until the execution waits or ends.
    fn drain(&mut self, id: ExecutionId, told: Option<Input>) {
        let Some(hosted) = self.executions.get_mut(&id) else {
            return;
        };
        if hosted.is_cut_off() && !matches!(told, Some(Input::Stop(_))) {
            return;
        }
        let is_limited = !self.effects.shared.clock.is_virtual();
        if is_limited {
            hosted.limit_turn();
        }
        self.effects.start_turn(hosted);
        self.effects.at_once.extend(told);
        let outcome = loop {
            while let Some(input) = self.effects.at_once.pop_front() {
                self.effects.apply_input(hosted, input);
            }
            match hosted.execution.poll_output() {
                Output::Wait { until } => break Err(until),
                Output::Done(outcome) => break Ok(outcome),
                effect => self.effects.perform(hosted, effect),
            }
        };
        if is_limited {
            hosted.note_turn();
        }
        self.effects.end_turn();
        self.end_turn(id, outcome);
    }

    /// An execution waits, until a moment if there is one, or has ended.
    fn end_turn(&mut self, id: ExecutionId, outcome: Result<Outcome, Option<Timestamp>>) {
        let Some(hosted) = self.executions.get_mut(&id) else {
            return;
        };
        self.effects.note_tree(hosted);
        self.effects.report_memory(hosted);
        match outcome {
            Err(until) => self.effects.wait(hosted, until),
            Ok(outcome) => {
                if let Some(hosted) = self.executions.remove(&id) {
                    self.effects.ended(hosted, outcome);
                }
            }
        }
        self.count_tree();
    }

    /// Counts what a tree holds of which too much may be held.
    fn count_tree(&mut self) {
        if let Some((tree, root)) = self.effects.to_count.take() {
            self.effects
                .shared
                .request_counts(self.effects.index, &tree, root);
            self.count(&tree, root);
        }
    }

    /// Counts what the executions of a tree hold that run here.
    fn count(&mut self, tree: &Arc<ExecutionTree>, root: ExecutionId) {
        if let Some(id) = self.computing_of(tree) {
            let count = Arrival::Count(Arc::clone(tree), root);
            self.defer(Some(id), count, DeferredWork::Arrival);
            return;
        }
        for hosted in self.executions.values_mut() {
            if hosted.tree.as_ref().is_some_and(|it| Arc::ptr_eq(it, tree)) {
                tree.count(&mut hosted.share, &hosted.execution);
            }
        }
        if let TreeAction::Exceeded(input) = tree.record_count() {
            self.effects.send_urgent_input(root, input);
        }
    }

    fn take_finished(&mut self, finished: Result<FinishedTask, JoinError>) {
        // The future of a performer cannot panic, and is aborted only with the loop.
        if let Ok(finished) = finished {
            self.settle(finished);
        }
    }

    fn settle(&mut self, finished: FinishedTask) {
        let Some(finished) = self.defer(Some(finished.0), finished, DeferredWork::Finished) else {
            return;
        };
        let FinishedTask(execution, id, answer) = finished;
        if let Some(hosted) = self.executions.get_mut(&execution) {
            self.effects.settle(hosted, id, answer);
        }
    }

    fn take_arrival(&mut self, arrival: Arrival) {
        let concerned = match &arrival {
            Arrival::Notice(id, ..) => Some(*id),
            _ => None,
        };
        let Some(arrival) = self.defer(concerned, arrival, DeferredWork::Arrival) else {
            return;
        };
        match arrival {
            Arrival::Computed(computed) => self.take_computed(*computed),
            Arrival::Begin(hosted) => self.effects.ready.push_back(Ready::Begin(hosted)),
            Arrival::Input(execution, input) => self.effects.send_input(execution, input),
            Arrival::Count(tree, root) => self.count(&tree, root),
            Arrival::Notice(execution, id, notice) => {
                if let Some(hosted) = self.executions.get_mut(&execution) {
                    self.effects.take_notice(hosted, id, notice);
                }
            }
        }
    }

    fn take_command(&mut self, command: Command) {
        let concerned = match &command {
            Command::Task { execution, .. } => Some(*execution),
            _ => None,
        };
        let Some(command) = self.defer(concerned, command, DeferredWork::Command) else {
            return;
        };
        match command {
            Command::Begin(hosted) => self.effects.ready.push_back(Ready::Begin(hosted)),
            // At once: what is said of its tasks may be next.
            Command::Resume(hosted) => self.start(hosted, true),
            // In its turn: all that it was told before is in it.
            Command::Save { id, saved } => self.effects.ready.push_back(Ready::Save(id, saved)),
            Command::Stop { id, error_output } => {
                self.effects.send_input(id, Input::Stop(error_output))
            }
            Command::Task {
                execution,
                id,
                message,
                known,
            } => {
                // Whoever gave up waiting need not know.
                let _ = known.send(self.take_message(execution, id, message));
            }
            Command::ShutDown => self.is_over = true,
        }
    }

    /// Passes on the message about a task; returns true if an execution waits for it.
    fn take_message(&mut self, execution: ExecutionId, id: EffectId, message: TaskMessage) -> bool {
        let Some(hosted) = self.executions.get_mut(&execution) else {
            return false;
        };
        if hosted.effects.get(id).is_none() {
            return false;
        }
        match message {
            TaskMessage::Answer(answer) => self.effects.settle(hosted, id, answer),
            TaskMessage::Heartbeat => self
                .effects
                .send_input(execution, Input::TaskHeartbeat { id }),
        }
        true
    }

    /// Returns true if nothing can continue but by a jump of the clock.
    fn may_jump(&self) -> bool {
        self.effects.busy == 0 && self.effects.shared.clock.may_jump()
    }

    /// Jumps to the next moment at which something is due, if a virtual clock may.
    fn jump(&mut self) -> bool {
        if !self.may_jump() {
            return false;
        }
        let next = self.effects.timers.next_moment();
        next.is_some_and(|moment| self.effects.shared.clock.jump_to(moment))
    }

    /// Sleeps until something arrives or is due.
    async fn sleep(&mut self) {
        let next = self.effects.timers.next_moment();
        let clock = self.effects.shared.clock.clone();
        let left = next.and_then(|moment| clock.time_until(moment));
        tokio::select! {
            Some(finished) = self.effects.spawned.join_next() => self.take_finished(finished),
            Some(arrival) = self.arrivals.recv() => self.take_arrival(arrival),
            Some(command) = self.commands.recv() => self.take_command(command),
            () = sleep_for(left) => {}
            () = clock.released() => {}
        }
    }

    /// Reports every performer that it is cancelled, and waits until their futures are dropped.
    async fn shut_down(mut self) {
        self.executions.clear();
        self.effects.spawned.shutdown().await;
    }
}

async fn sleep_for(left: Option<Duration>) {
    match left {
        Some(left) => tokio::time::sleep(left.min(LONGEST_SLEEP)).await,
        None => std::future::pending().await,
    }
}
