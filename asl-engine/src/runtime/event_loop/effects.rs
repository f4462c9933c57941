//! Shared parts of an event loop for performing effects.
use super::arrival::Arrival;
use super::hosted::{AwaitedBy, EndedExecution, HostedExecution};
use super::shared::SharedState;
use super::timers::{Due, Timetable};
use crate::error_output::ErrorOutput;
use crate::runtime::performer::{PerformResult, Performer};
use crate::runtime::{ChildOf, ExecutionId, Observer, RunningExecution};
use crate::tree::{ExecutionTree, TreeAction};
use crate::{
    ChildExecution, Effect, EffectId, Execution, HeldEstimate, Input, Outcome, Output,
    SavedExecution,
};
use asl_model::Timestamp;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

/// Something that can continue now.
#[derive(Debug)]
pub(super) enum Ready {
    /// A new execution.
    Begin(Box<HostedExecution>),
    /// Someone wants to know what one is.
    Save(ExecutionId, oneshot::Sender<Option<SavedExecution>>),
    /// An input for an execution.
    Input(ExecutionId, Input),
    /// The result of an effect, which the execution holds.
    Answer(ExecutionId, (EffectId, u64)),
    /// One that used up the budget of one call.
    Continue(ExecutionId),
}

impl Ready {
    /// Returns the execution that continues, if it has started.
    pub(super) fn execution(&self) -> Option<ExecutionId> {
        match self {
            Self::Begin(_) => None,
            Self::Save(id, _) | Self::Input(id, _) | Self::Answer(id, _) | Self::Continue(id) => {
                Some(*id)
            }
        }
    }
}

/// The result of a spawned future.
#[derive(Debug)]
pub(super) struct FinishedTask(
    pub(super) ExecutionId,
    pub(super) EffectId,
    pub(super) PerformResult,
);

/// Number of transitions that an execution may make while available results are applied immediately.
const EAGER_TRANSITIONS: u64 = 256;

/// An event loop without its executions.
pub(super) struct Effects {
    pub(super) shared: Arc<SharedState>,
    /// Index of the loop in the runtime.
    pub(super) index: usize,
    /// The present of this turn of the loop.
    pub(super) now: Timestamp,
    pub(super) performer: Arc<dyn Performer>,
    pub(super) observer: Option<Arc<dyn Observer>>,
    watches_memory: bool,
    /// First come, first served: no execution starves another.
    pub(super) ready: VecDeque<Ready>,
    pub(super) timers: Timetable,
    pub(super) spawned: JoinSet<FinishedTask>,
    /// The embedder's tokio, which runs performers; a loop by a real clock is not part of it.
    pub(super) tokio: Handle,
    /// Performers at work: a virtual clock waits for them.
    pub(super) busy: usize,
    /// Answers that were left for a later turn, so far.
    answers: u64,
    /// Inputs that the running execution gets first.
    pub(super) at_once: VecDeque<Input>,
    /// A tree of which too much may be held, and its root.
    pub(super) to_count: Option<(Arc<ExecutionTree>, ExecutionId)>,
    /// Up to how many transitions of the execution that runs something may be put there.
    eager_until: u64,
}

impl Effects {
    pub(super) fn new(
        shared: Arc<SharedState>,
        index: usize,
        performer: Arc<dyn Performer>,
        observer: Option<Arc<dyn Observer>>,
        tokio: Handle,
    ) -> Self {
        Self {
            now: shared.clock.now(),
            shared,
            index,
            performer,
            watches_memory: observer.as_ref().is_some_and(|it| it.watches_memory()),
            observer,
            ready: VecDeque::new(),
            timers: Timetable::default(),
            spawned: JoinSet::new(),
            tokio,
            busy: 0,
            answers: 0,
            at_once: VecDeque::new(),
            to_count: None,
            eager_until: 0,
        }
    }

    /// Looks at the clock.
    pub(super) fn look_at_clock(&mut self) {
        self.now = self.shared.clock.now();
    }

    /// Lets an execution know, wherever it runs.
    pub(super) fn send_input(&mut self, execution: ExecutionId, input: Input) {
        if self.shared.loop_of(execution) == self.index {
            self.ready.push_back(Ready::Input(execution, input));
        } else {
            self.shared
                .send(execution, Arrival::Input(execution, input));
        }
    }

    /// The same, before all that waits for its turn: so what children give is counted, and refused, before more of them run.
    pub(super) fn send_urgent_input(&mut self, execution: ExecutionId, input: Input) {
        if self.shared.loop_of(execution) == self.index {
            self.ready.push_front(Ready::Input(execution, input));
        } else {
            self.send_input(execution, input);
        }
    }

    /// Starts a turn, in which the running execution gets available results immediately. On a virtual clock it gets them in
    /// order, so that the order does not depend on the speed of a performer.
    pub(super) fn start_turn(&mut self, hosted: &HostedExecution) {
        if !self.shared.clock.is_virtual() {
            self.eager_until = hosted.execution.transitions() + EAGER_TRANSITIONS;
        }
    }

    pub(super) fn end_turn(&mut self) {
        self.eager_until = 0;
        self.at_once.clear();
    }

    /// Queues the result of an effect for the running execution.
    pub(super) fn queue_input(&mut self, hosted: &mut HostedExecution, id: EffectId, input: Input) {
        if hosted.execution.transitions() < self.eager_until {
            self.at_once.push_back(input);
        } else {
            // It goes with the effect, where that is cancelled before the execution's turn comes.
            self.answers += 1;
            hosted.answers.insert((id, self.answers), input);
            let answer = Ready::Answer(hosted.member.id, (id, self.answers));
            self.ready.push_back(answer);
        }
    }

    /// Applies an input to an execution.
    pub(super) fn apply_input(&self, hosted: &mut HostedExecution, input: Input) {
        self.postpone_tasks(hosted);
        self.pass_on(hosted, input);
    }

    /// Keeps tasks from timing out that no performer has yet.
    pub(super) fn postpone_tasks(&self, hosted: &mut HostedExecution) {
        let ids = hosted.tasks_to_postpone(self.now);
        if !ids.is_empty() {
            self.pass_on(hosted, Input::TasksPostponed { ids });
        }
    }

    fn pass_on(&self, hosted: &mut HostedExecution, input: Input) {
        if let Some(observer) = &self.observer {
            observer.input(&hosted.member, &input);
        }
        if let Input::ChildExecutionEnded { id, .. } = &input {
            hosted.children.remove(id);
        }
        hosted.execution.handle_input(self.now, input);
    }

    /// Performs one output that is neither Wait nor Done.
    pub(super) fn perform(&mut self, hosted: &mut HostedExecution, output: Output) {
        match output {
            Output::InvokeTask(invocation) => self.request(hosted, Effect::Task(invocation)),
            Output::Storage(request) => self.request(hosted, Effect::Storage(request)),
            Output::CancelTask { id } => self.cancel(hosted, id),
            Output::StartChildExecution(child) => self.start_child(hosted, *child),
            Output::StopChildExecution { id } => {
                if let Some(child) = hosted.children.remove(&id) {
                    self.stop(child);
                }
            }
            Output::Event(event) => {
                if let Some(observer) = &self.observer {
                    observer.event(&hosted.member, *event);
                }
            }
            Output::Wait { .. } | Output::Done(_) => {}
        }
    }

    /// Records the use of resources by an execution of a tree.
    pub(super) fn note_tree(&mut self, hosted: &mut HostedExecution) {
        let Some(tree) = &hosted.tree else {
            return;
        };
        let loops = self.shared.loops().len();
        let root = hosted.member.root;
        match tree.note(&mut hosted.share, &hosted.execution, loops) {
            TreeAction::Within => {}
            TreeAction::ToBeCounted => self.to_count = Some((Arc::clone(tree), root)),
            TreeAction::Exceeded(input) => self.send_urgent_input(root, input),
        }
    }

    /// Reports the memory of an execution to an observer that watches it.
    pub(super) fn report_memory(&self, hosted: &mut HostedExecution) {
        let Some(observer) = self.observer.as_ref().filter(|_| self.watches_memory) else {
            return;
        };
        let (execution, is_new) = (&hosted.execution, hosted.held.is_none());
        let of = || HeldEstimate::of(execution);
        let held = hosted.held.get_or_insert_with(of);
        if held.note(execution) || is_new {
            observer.holds(&hosted.member, held.bytes());
        }
    }

    /// Sees to it that an execution continues at `until`.
    pub(super) fn wait(&mut self, hosted: &mut HostedExecution, until: Option<Timestamp>) {
        let id = hosted.member.id;
        if until.is_some_and(|until| until <= self.now) {
            if !hosted.continues {
                hosted.continues = true;
                self.ready.push_back(Ready::Continue(id));
            }
            return;
        }
        if hosted.armed.map(|(moment, _)| moment) != until {
            self.disarm(hosted);
            hosted.armed = until.map(|until| self.timers.add(until, Due::Execution(id)));
            if let Some(observer) = &self.observer
                && let Some((state, until)) = hosted.execution.passing_time()
            {
                observer.waits(&hosted.member, state, until);
            }
        }
    }

    pub(super) fn disarm(&mut self, hosted: &mut HostedExecution) {
        if let Some(key) = hosted.armed.take() {
            self.timers.remove(key);
        }
    }

    fn stop(&mut self, execution: ExecutionId) {
        self.send_input(execution, Input::Stop(ErrorOutput::default()));
    }

    /// Cleans up after an execution, and notifies its waiter.
    pub(super) fn ended(&mut self, mut hosted: Box<HostedExecution>, outcome: Outcome) {
        self.disarm(&mut hosted);
        for effect in std::mem::take(&mut hosted.effects).into_values() {
            self.busy -= usize::from(effect.is_busy());
        }
        for (_, child) in std::mem::take(&mut hosted.children) {
            self.stop(child);
        }
        if let Some(tree) = &hosted.tree {
            tree.leave(&mut hosted.share);
        }
        hosted.member.span().ended(&outcome);
        if let Some(observer) = &self.observer {
            observer.ended(&hosted.member, &outcome);
        }
        match hosted.awaited_by {
            AwaitedBy::Parent(parent, id) => {
                self.send_urgent_input(parent, Input::ChildExecutionEnded { id, outcome })
            }
            AwaitedBy::Handle(handle) => {
                let root = hosted.member.id;
                let told = AssertUnwindSafe(|| self.performer.execution_ended(root));
                // A panic there is no fault of the execution; the panic hook reports it.
                let _ = catch_unwind(told);
                // Whoever dropped the handle does not want to know.
                let _ = handle.send(Box::new(EndedExecution {
                    outcome,
                    transitions: hosted.execution.transitions(),
                    start_date: hosted.started,
                    stop_date: self.now,
                    failed_at: hosted.execution.failed_at().cloned(),
                    departures: hosted.execution.departures(),
                }));
            }
        }
    }

    pub(super) fn start_child(&mut self, hosted: &mut HostedExecution, child: ChildExecution) {
        let tree = tree_of(hosted);
        if tree.is_cut_off() {
            return;
        }
        let id = self.shared.next_id();
        hosted.children.insert(child.id, id);
        let running = RunningExecution {
            id,
            root: hosted.member.root,
            identity: Arc::clone(&child.start.identity),
            child: hosted.execution.waiting_for(child.id).map(|(state, flow)| {
                Arc::new(ChildOf {
                    parent: hosted.member.id,
                    state: Arc::clone(state),
                    flow,
                    index: child.index(),
                })
            }),
        };
        let parent = AwaitedBy::Parent(hosted.member.id, child.id);
        let program = hosted.execution.program().clone();
        let tokens = Arc::clone(self.shared.tokens.maker());
        let execution = Execution::start_child(program, child, Some(tokens));
        let mut child = HostedExecution::new(hosted.member.child(running), execution, parent);
        child.tree = Some(tree);
        self.note_tree(&mut child);
        if self.shared.loop_of(id) == self.index {
            self.ready.push_back(Ready::Begin(child));
        } else {
            self.shared.send(id, Arrival::Begin(child));
        }
    }
}

/// The tree of an execution that has children, or is about to.
fn tree_of(hosted: &mut HostedExecution) -> Arc<ExecutionTree> {
    let HostedExecution {
        tree,
        share,
        execution,
        ..
    } = hosted;
    let tree = tree.get_or_insert_with(|| {
        let tree = ExecutionTree::new(&execution.start_parameters().limits);
        tree.count(share, execution);
        Arc::new(tree)
    });
    Arc::clone(tree)
}
