//! Operations on a runtime: start executions, wait for them, stop them, complete their tasks.
use super::event_loop::{Command, HostedExecution, Senders, SharedState, TaskMessage};
use super::{Clock, EndedExecution, ExecutionId, UnhandledTasks};
use crate::error_output::ErrorOutput;
use crate::execution::Departures;
use crate::{
    Answer, Execution, Identity, Outcome, Program, RestoreError, SavedExecution, Start, TaskAnswer,
    TaskError,
};
use asl_model::Timestamp;
use serde_json::Value;
use std::fmt;
use std::sync::Arc;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};

/// A way to a [`Runtime`](super::Runtime), cheap to clone: handlers and other tasks keep one. It does not keep the
/// runtime alive.
#[derive(Clone)]
pub struct RuntimeHandle {
    pub(super) shared: Arc<SharedState>,
}

/// The reason why a message with a task token failed.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TokenError {
    /// No pending task has this token: it is unknown, already answered, or cancelled.
    #[error("Invalid Token: no task that waits for an answer has the token `{0}`")]
    InvalidToken(String),
    /// The runtime is gone.
    #[error("the runtime was shut down")]
    ShutDown,
}

debug_as_display!(TokenError);

impl RuntimeHandle {
    /// Returns the start of an execution with a random name: a UUID from the operating system's randomness or from the
    /// [builder's seed](super::RuntimeBuilder::seed).
    pub fn unnamed(&self, input: Value) -> Start {
        Start::new(self.shared.chance.name(), input, self.now())
    }

    /// Starts an execution; it runs even if the handle is dropped. [`Start::now`] is set to the current time of the
    /// runtime's clock.
    ///
    /// The name distinguishes it from others: of two running executions with the same name, the second cannot wait for a
    /// task token. The call waits while the runtime has many pending commands. If the runtime is gone, the execution counts
    /// as aborted.
    pub async fn start_execution(
        &self,
        program: impl Into<Program>,
        start: Start,
    ) -> ExecutionHandle {
        self.host(Command::Begin, |now, shared| {
            let start = shared.admission.start(start, now);
            let tokens = Arc::clone(shared.tokens.maker());
            let mut execution = Execution::start_with_tokens(program, start, tokens);
            shared.admission.refuse(&mut execution);
            execution
        })
        .await
    }

    /// Says before an execution runs which tasks of its program no handler would do: a name that is misspelt, a route that
    /// is missing. A handler that takes every task, as that of [`handlers`](super::RuntimeBuilder::handlers) or of
    /// [`otherwise`](super::TaskHandlers::otherwise) may be, leaves none.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// use asl_engine::runtime::{Runtime, TaskHandlers};
    /// use asl_engine::Program;
    /// use serde_json::json;
    ///
    /// let program = Program::parse(r#"{"StartAt": "Pay", "States": {
    ///     "Pay": {"Type": "Task", "Resource": "charge-card", "End": true}}}"#).unwrap();
    /// let handlers = TaskHandlers::new().on_value("charge_card", |_| async { Ok(json!(null)) });
    /// let runtime = Runtime::builder().handlers(handlers).build();
    /// assert_eq!(
    ///     runtime.check(&program).unwrap_err().to_string(),
    ///     "no handler for the resource `charge-card` of state `Pay`: give one with `TaskHandlers::on(\"charge-card\", …)`"
    /// );
    /// # });
    /// ```
    ///
    /// # Errors
    /// The tasks that nothing handles, if there is one.
    /// [`refuse_unhandled_tasks`](super::RuntimeBuilder::refuse_unhandled_tasks) makes that an error of every execution.
    pub fn check(&self, program: &Program) -> Result<(), UnhandledTasks> {
        self.shared.admission.check(program)
    }

    /// Resumes an execution that was [saved](Self::save), here or in another process. Its pending effects are requested
    /// again. A task that a worker started or that was submitted is only awaited, and completed by its token. Unfinished
    /// child executions of a distributed Map start again. A virtual clock that is behind advances to the time of the save.
    ///
    /// The runtime that it was saved in must not run it any more. Give both the same
    /// [tokens](super::RuntimeBuilder::tokens) where tasks may wait for theirs.
    ///
    /// # Errors
    /// As [`SavedExecution::restore`], and where a task waits whose token is of another key than this runtime's.
    pub async fn resume(
        &self,
        saved: SavedExecution,
        program: impl Into<Program>,
    ) -> Result<ExecutionHandle, RestoreError> {
        let tokens = Arc::clone(self.shared.tokens.maker());
        let mut execution = saved.restore_with_other_tokens(program.into(), tokens)?;
        if self.shared.admission.records_history {
            execution.record_history(true);
        }
        self.clock().jump_to(execution.now());
        Ok(self.host(Command::Resume, |_, _| execution).await)
    }

    /// Returns the current state of an execution, to be [resumed](Self::resume) in another process. It contains the effect of
    /// all messages that the runtime received before. None if the execution is not running.
    ///
    /// Children of a distributed Map are executions of their own, and not part of it.
    pub async fn save(&self, id: ExecutionId) -> Option<SavedExecution> {
        save(self.shared.commands(id), id).await
    }

    /// Stops an execution by its id (see [`ExecutionHandle::stop`]).
    pub async fn stop(&self, id: ExecutionId, error_output: ErrorOutput) {
        stop(self.shared.commands(id), id, error_output).await;
    }

    /// Lets an event loop run an execution, made at the present moment.
    async fn host(
        &self,
        command: fn(Box<HostedExecution>) -> Command,
        execution: impl FnOnce(Timestamp, &SharedState) -> Execution,
    ) -> ExecutionHandle {
        let places = self.shared.execution_places.clone();
        let place = match places {
            Some(places) => places.acquire_owned().await.ok(),
            None => None,
        };
        let id = self.shared.next_id();
        let (sender, ended) = oneshot::channel();
        let commands = self.shared.commands(id);
        let room = commands.reserve().await;
        let start_date = self.now();
        let execution = execution(start_date, &self.shared);
        let handle = ExecutionHandle {
            id,
            identity: Arc::clone(&execution.start_parameters().identity),
            commands: commands.clone(),
            start_date,
            state: State::Runs(ended),
            stops: None,
        };
        // Where the runtime is gone, so is the sender: the handle finds the execution aborted.
        if let Ok(room) = room {
            room.send(command(HostedExecution::from_start(
                &self.shared,
                id,
                execution,
                place,
                sender,
            )));
        }
        handle
    }

    /// Runs an execution to its end. Dropping the future stops the execution;
    /// [`start_execution`](Self::start_execution) starts an execution that continues.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// use asl_engine::Program;
    /// use asl_engine::runtime::Runtime;
    /// use serde_json::json;
    /// use std::time::Duration;
    ///
    /// let program = Program::parse(r#"{"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 60, "End": true}}}"#).unwrap();
    /// let runtime = Runtime::builder().build();
    /// let run = runtime.run(&program, runtime.unnamed(json!({})));
    /// assert!(tokio::time::timeout(Duration::from_millis(10), run).await.is_err()); // it is stopped
    /// # });
    /// ```
    pub async fn run(&self, program: impl Into<Program>, start: Start) -> Outcome {
        let started = self.start_execution(program, start).await;
        started.stop_when_dropped().outcome().await
    }

    /// Answers a task by its token: done, with `output` as its result (SendTaskSuccess of the service).
    ///
    /// # Errors
    /// [`TokenError`], where no task waits for an answer by this token.
    pub async fn send_task_success(&self, token: &str, output: Value) -> Result<(), TokenError> {
        self.send_to_task(
            token,
            TaskMessage::Answer(Ok(Answer::Task(TaskAnswer::Completed(output)))),
        )
        .await
    }

    /// Answers a task by its token: failed (SendTaskFailure of the service).
    ///
    /// # Errors
    /// [`TokenError`], where no task waits for an answer by this token.
    pub async fn send_task_failure(&self, token: &str, error: TaskError) -> Result<(), TokenError> {
        self.send_to_task(token, TaskMessage::Answer(Err(error)))
            .await
    }

    /// Says by its token that a task is alive (SendTaskHeartbeat of the service).
    ///
    /// # Errors
    /// [`TokenError`], where no task waits for an answer by this token.
    pub async fn send_task_heartbeat(&self, token: &str) -> Result<(), TokenError> {
        self.send_to_task(token, TaskMessage::Heartbeat).await
    }

    async fn send_to_task(&self, token: &str, message: TaskMessage) -> Result<(), TokenError> {
        let is_gone = |loops: &[Senders]| loops.iter().all(|senders| senders.commands.is_closed());
        if is_gone(self.shared.loops()) {
            return Err(TokenError::ShutDown);
        }
        let unknown = || TokenError::InvalidToken(token.to_owned());
        let (execution, id) = self.shared.tokens.find(token).ok_or_else(unknown)?;
        let (known, answer) = oneshot::channel();
        let command = Command::Task {
            execution,
            id,
            message,
            known,
        };
        let commands = self.shared.commands(execution);
        commands
            .send(command)
            .await
            .map_err(|_| TokenError::ShutDown)?;
        match answer.await {
            Ok(true) => Ok(()),
            Ok(false) => Err(unknown()),
            Err(_) => Err(TokenError::ShutDown),
        }
    }

    /// Returns the present moment of the runtime's clock.
    pub fn now(&self) -> Timestamp {
        self.shared.clock.now()
    }

    /// Returns the runtime's clock.
    pub fn clock(&self) -> &Clock {
        &self.shared.clock
    }
}

impl fmt::Debug for RuntimeHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RuntimeHandle")
            .field("clock", self.clock())
            .finish_non_exhaustive()
    }
}

/// An execution that was started. Dropping it changes nothing for the execution, unless
/// [`stop_when_dropped`](Self::stop_when_dropped) was called.
#[derive(Debug)]
pub struct ExecutionHandle {
    id: ExecutionId,
    identity: Arc<Identity>,
    commands: mpsc::Sender<Command>,
    start_date: Timestamp,
    state: State,
    /// The tokio of a task that stops the execution when this is dropped.
    stops: Option<tokio::runtime::Handle>,
}

#[derive(Debug)]
enum State {
    Runs(oneshot::Receiver<Box<EndedExecution>>),
    Ended(Box<EndedExecution>),
}

impl ExecutionHandle {
    /// Returns the id in the runtime.
    pub fn id(&self) -> ExecutionId {
        self.id
    }

    /// Names and ARNs.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// `$$.Execution.Name`.
    pub fn name(&self) -> &str {
        self.identity.execution_name()
    }

    /// Waits for the end, and reports how the execution ended; again, when asked again. Where the runtime is gone before,
    /// that is [`Outcome::Aborted`].
    pub async fn outcome(&mut self) -> Outcome {
        self.ended().await.outcome
    }

    /// Waits for the end, and reports all about it. Can be given up and called again.
    pub async fn ended(&mut self) -> EndedExecution {
        let ended = match &mut self.state {
            State::Ended(ended) => return (**ended).clone(),
            State::Runs(ended) => ended.await,
        };
        let ended = ended.unwrap_or_else(|_| Box::new(aborted_with_the_runtime(self.start_date)));
        self.state = State::Ended(ended.clone());
        *ended
    }

    /// Returns all that the execution is now, as [`RuntimeHandle::save`]; none once it has ended.
    pub async fn save(&self) -> Option<SavedExecution> {
        save(&self.commands, self.id).await
    }

    /// Lets the execution be stopped when this handle is dropped before its end.
    ///
    /// # Panics
    /// Outside of a tokio runtime.
    #[must_use]
    pub fn stop_when_dropped(mut self) -> Self {
        self.stops = Some(tokio::runtime::Handle::current());
        self
    }

    /// Stops the execution: it ends as [`Outcome::Aborted`] with this error and cause (StopExecution of the service).
    /// No effect on one that has ended.
    pub async fn stop(&self, error_output: ErrorOutput) {
        stop(&self.commands, self.id, error_output).await;
    }
}

impl Drop for ExecutionHandle {
    fn drop(&mut self) {
        let (Some(tokio), State::Runs(_)) = (&self.stops, &self.state) else {
            return;
        };
        let stop = Command::Stop {
            id: self.id,
            error_output: ErrorOutput::default(),
        };
        // After its start, which may still wait for the event loop.
        if let Err(TrySendError::Full(stop)) = self.commands.try_send(stop) {
            let commands = self.commands.clone();
            tokio.spawn(async move { commands.send(stop).await });
        }
    }
}

async fn stop(commands: &mpsc::Sender<Command>, id: ExecutionId, error_output: ErrorOutput) {
    // A runtime that is gone has stopped it.
    let _ = commands.send(Command::Stop { id, error_output }).await;
}

async fn save(commands: &mpsc::Sender<Command>, id: ExecutionId) -> Option<SavedExecution> {
    let (saved, answer) = oneshot::channel();
    commands.send(Command::Save { id, saved }).await.ok()?;
    answer.await.ok().flatten()
}

fn aborted_with_the_runtime(start_date: Timestamp) -> EndedExecution {
    let outcome = Outcome::Aborted(ErrorOutput::without_name(
        "the runtime was shut down before the execution ended",
    ));
    EndedExecution {
        outcome,
        transitions: 0,
        start_date,
        stop_date: start_date,
        failed_at: None,
        departures: Departures::default(),
    }
}
