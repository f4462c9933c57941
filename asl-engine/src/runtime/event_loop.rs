//! The event loop: takes what happened, tells the executions, performs what they ask for, and sleeps.
use super::effects::{Effects, Finished, Ready};
use super::hosted::{AwaitedBy, EndedExecution, Hosted};
use super::identifier::{ExecutionId, RunningExecution};
use super::task::Notice;
use super::timers::Due;
use crate::answer::{TaskAnswer, TaskError};
use crate::{EffectId, Execution, Input, Output, Program, Start};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinError;

/// What the holder of a runtime wants.
#[derive(Debug)]
pub(super) enum Command {
    Start(Box<StartCommand>),
    Stop {
        id: ExecutionId,
        error: Option<String>,
        cause: Option<String>,
    },
    Task {
        execution: ExecutionId,
        id: EffectId,
        message: TaskMessage,
        /// Whether someone waited for it.
        known: oneshot::Sender<bool>,
    },
    ShutDown,
}

#[derive(Debug)]
pub(super) struct StartCommand {
    pub(super) id: ExecutionId,
    pub(super) program: Arc<Program>,
    pub(super) start: Start,
    pub(super) ended: oneshot::Sender<Box<EndedExecution>>,
}

/// What is said of a task by its token.
#[derive(Debug)]
pub(super) enum TaskMessage {
    Answer(Result<TaskAnswer, TaskError>),
    Heartbeat,
}

/// Calls of executions between two looks at what arrived, and between two turns of other tasks of the thread.
const BATCH: usize = 32;

/// The longest sleep of a real clock: the system's time may be set meanwhile.
const LONGEST_SLEEP: Duration = Duration::from_secs(60);

pub(super) struct EventLoop {
    pub(super) executions: HashMap<ExecutionId, Box<Hosted>>,
    pub(super) effects: Effects,
    pub(super) commands: mpsc::Receiver<Command>,
    pub(super) notices: mpsc::UnboundedReceiver<Notice>,
    pub(super) is_over: bool,
}

impl EventLoop {
    /// Runs until it is shut down, or nobody is left who could command it.
    pub(super) async fn run(mut self) {
        let mut idle_turns = 0;
        loop {
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

    /// Takes what arrived meanwhile, of each kind at most as much as there is room for.
    fn take_arrived(&mut self) {
        while let Some(finished) = self.effects.spawned.try_join_next() {
            self.take_finished(finished);
        }
        while let Ok(notice) = self.notices.try_recv() {
            self.take_notice(notice);
        }
        for _ in 0..self.commands.max_capacity() {
            match self.commands.try_recv() {
                Ok(command) => self.take_command(command),
                Err(_) => break,
            }
        }
    }

    fn take_due(&mut self) {
        if self.effects.timers.is_empty() {
            return;
        }
        let now = self.effects.clock.now();
        while let Some(due) = self.effects.timers.take_due(now) {
            match due {
                Due::Execution(id) => {
                    if let Some(hosted) = self.executions.get_mut(&id) {
                        hosted.armed = None;
                        self.effects.tell(id, Input::TimePassed);
                    }
                }
                Due::Sleeper {
                    execution,
                    id,
                    wake,
                } => {
                    // One that left its sleep says so itself.
                    if wake.send(()).is_ok()
                        && let Some(hosted) = self.executions.get_mut(&execution)
                    {
                        self.effects.end_sleep(hosted, id);
                    }
                }
            }
        }
    }

    /// Lets executions go on; whether there was any that could.
    fn run_ready(&mut self) -> bool {
        let mut ran = false;
        for _ in 0..BATCH {
            let Some(ready) = self.effects.ready.pop_front() else {
                break;
            };
            ran = true;
            self.go_on(ready);
        }
        ran
    }

    fn go_on(&mut self, ready: Ready) {
        match ready {
            Ready::Begin(hosted) => {
                let id = hosted.identity.id;
                if let Some(observer) = &self.effects.observer {
                    observer.started(&hosted.identity);
                }
                self.executions.insert(id, hosted);
                self.drain(id);
            }
            Ready::Continue(id) => {
                if let Some(hosted) = self.executions.get_mut(&id) {
                    hosted.continues = false;
                    let now = self.effects.clock.now();
                    hosted.execution.handle_input(now, Input::TimePassed);
                    self.drain(id);
                }
            }
            Ready::Input(id, input) => self.tell(id, input),
        }
    }

    fn tell(&mut self, id: ExecutionId, input: Input) {
        let Some(hosted) = self.executions.get_mut(&id) else {
            return;
        };
        if let Some(observer) = &self.effects.observer {
            observer.input(&hosted.identity, &input);
        }
        if let Input::ChildExecutionEnded { id, .. } = &input {
            hosted.children.remove(id);
        }
        let now = self.effects.clock.now();
        hosted.execution.handle_input(now, input);
        self.drain(id);
    }

    /// Performs an execution's outputs until it waits or is done.
    fn drain(&mut self, id: ExecutionId) {
        let Some(hosted) = self.executions.get_mut(&id) else {
            return;
        };
        let outcome = loop {
            match hosted.execution.poll_output() {
                Output::Wait { until } => return self.effects.wait(hosted, until),
                Output::Done(outcome) => break outcome,
                effect => self.effects.perform(hosted, effect),
            }
        };
        if let Some(hosted) = self.executions.remove(&id) {
            self.effects.ended(hosted, outcome);
        }
    }

    fn take_finished(&mut self, finished: Result<Finished, JoinError>) {
        // The future of a handler cannot panic, and is aborted only with the loop.
        let Ok(finished) = finished else { return };
        match finished {
            Finished::Task(execution, id, answer) => {
                if let Some(hosted) = self.executions.get_mut(&execution) {
                    self.effects.settle(hosted, id, answer);
                }
            }
            Finished::Storage(execution, id, result) => {
                self.effects.busy -= 1;
                let input = match result {
                    Ok(result) => Input::StorageSucceeded { id, result },
                    Err(cause) => Input::StorageFailed { id, cause },
                };
                self.effects.tell(execution, input);
            }
        }
    }

    fn take_notice(&mut self, notice: Notice) {
        if let Notice::Heartbeat { beating, .. } = &notice {
            beating.store(false, Ordering::Release);
        }
        if let Some(hosted) = self.executions.get_mut(&notice.execution()) {
            self.effects.take_notice(hosted, notice);
        }
    }

    fn take_command(&mut self, command: Command) {
        match command {
            Command::Start(start) => self.start(*start),
            Command::Stop { id, error, cause } => {
                self.effects.tell(id, Input::Stop { error, cause })
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

    fn start(&mut self, command: StartCommand) {
        let StartCommand {
            id,
            program,
            mut start,
            ended,
        } = command;
        let now = self.effects.clock.now();
        start.now = now;
        let identity = RunningExecution {
            id,
            root: id,
            identity: Arc::clone(&start.identity),
        };
        let tokens = Arc::clone(self.effects.tokens.maker());
        let execution = Execution::start_with_tokens(program, start, tokens);
        let identity = self.effects.member(identity);
        let hosted = Hosted::new(identity, execution, now, AwaitedBy::Handle(ended));
        self.effects.ready.push_back(Ready::Begin(hosted));
    }

    /// Hands on what is said of a task by its token; whether anyone waits for it.
    fn take_message(&mut self, execution: ExecutionId, id: EffectId, message: TaskMessage) -> bool {
        let Some(hosted) = self.executions.get_mut(&execution) else {
            return false;
        };
        if !hosted.tasks.contains_key(&id) {
            return false;
        }
        match message {
            TaskMessage::Answer(answer) => self.effects.settle(hosted, id, answer),
            TaskMessage::Heartbeat => self.effects.tell(execution, Input::TaskHeartbeat { id }),
        }
        true
    }

    /// Whether nothing can go on but by a jump of the clock.
    fn may_jump(&self) -> bool {
        self.effects.busy == 0 && self.effects.clock.may_jump()
    }

    /// Jumps to the next moment at which something is due, if a virtual clock may.
    fn jump(&mut self) -> bool {
        if !self.may_jump() {
            return false;
        }
        let next = self.effects.timers.next_moment();
        next.is_some_and(|moment| self.effects.clock.jump_to(moment))
    }

    /// Sleeps until something arrives or is due.
    async fn sleep(&mut self) {
        let next = self.effects.timers.next_moment();
        let clock = self.effects.clock.clone();
        let left = next.and_then(|moment| clock.time_until(moment));
        tokio::select! {
            Some(finished) = self.effects.spawned.join_next() => self.take_finished(finished),
            Some(notice) = self.notices.recv() => self.take_notice(notice),
            command = self.commands.recv() => match command {
                Some(command) => self.take_command(command),
                None => self.is_over = true,
            },
            () = sleep_for(left) => {}
            () = clock.released() => {}
        }
    }

    /// Tells every handler that it is cancelled, and waits until their futures are dropped.
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
