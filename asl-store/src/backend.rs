//! The store as a backend.
use crate::database::operation::Operation;
use crate::database::{catalogue, definitions, executions};
use crate::event_loop::{EventLoops, Message};
use crate::shared::closing;
use crate::store::Store;
use crate::{error, history};
use asl_backend::{
    ActivityTask, Backend, BackendError, Definition, DefinitionId, EndedExpress, Entry, EntryKey,
    EntryKind, ExecutionDescription, ExecutionFilter, ExecutionPage, ExecutionStatus, FeedCursor,
    FollowError, FollowedEvents, HistoryPage, HistoryQuery, MapRunDescription, MemoryBudget,
    MemoryReservation, MemoryUse, RedriveError, Reply, StartError, StartExecution,
    StartedExecution, StatusChanges, StopError, TaskReply, TokenRefused, WriteOutcome,
    perform_alone,
};
use asl_engine::{ErrorOutput, MapRunUpdate, TaskInvocation, Timestamp};
use futures::FutureExt as _;
use rusqlite::Connection;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

impl Store {
    /// Reads in a thread where blocking is allowed.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, BackendError> {
        let shared = Arc::clone(&self.inner.shared);
        // A database that was removed is read on as if nothing had happened.
        if let Some(refusal) = shared.refusal()
            && matches!(refusal, BackendError::Broken(_))
        {
            return Err(refusal);
        }
        match tokio::task::spawn_blocking(move || shared.read(read)).await {
            Ok(result) => result.map_err(|error| error::broken(&error)),
            Err(_) => Err(BackendError::Broken("reading was interrupted".to_owned())),
        }
    }

    /// Reads what takes some microseconds where the caller runs: handing it to another thread would take longer.
    pub(crate) fn read_here<T>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, BackendError> {
        let shared = &self.inner.shared;
        if let Some(refusal) = shared.refusal()
            && matches!(refusal, BackendError::Broken(_))
        {
            return Err(refusal);
        }
        shared.read(read).map_err(|error| error::broken(&error))
    }

    /// Reserves memory for the request to start an execution, until that is answered.
    fn reserve_for_start(&self, start: &StartExecution) -> Result<MemoryReservation, BackendError> {
        /// A value takes some times more than its text.
        const PARSED: u64 = 8;
        let bytes = (start.input.text().len() as u64).saturating_mul(PARSED);
        let memory = &self.inner.shared.memory;
        let reserved = memory.reserve(MemoryUse::Starts, bytes);
        reserved
            .filter(|_| !memory.is_short())
            .ok_or_else(BackendError::no_memory)
    }

    /// Asks an event loop, and waits for its answer.
    async fn request<T>(
        &self,
        send: impl FnOnce(&EventLoops, oneshot::Sender<T>),
    ) -> Result<T, BackendError> {
        let shared = &self.inner.shared;
        if let Some(refusal) = shared.refusal() {
            return Err(refusal);
        }
        let (told, answer) = oneshot::channel();
        send(&self.inner.loops, told);
        shared.answered(answer).await
    }
}

impl Backend for Store {
    fn now(&self) -> Timestamp {
        self.inner.shared.clock.now()
    }

    fn check_health(&self) -> Reply<'_, ()> {
        async move {
            if let Some(refusal) = self.inner.shared.refusal() {
                return Err(refusal);
            }
            self.entries(EntryKind::StateMachine, "".into(), None, 1)
                .await
                .map(drop)
        }
        .boxed()
    }

    fn entry(&self, key: EntryKey) -> Reply<'_, Option<Entry>> {
        async move { self.read_here(|connection| catalogue::read(connection, &key)) }.boxed()
    }

    fn write_entry(
        &self,
        key: EntryKey,
        expected: Option<u64>,
        value: Option<Arc<str>>,
    ) -> Reply<'_, WriteOutcome> {
        async move {
            let (told, written) = oneshot::channel();
            let entry = Operation::Entry {
                key,
                expected,
                value,
                told: Some(told),
                written: Default::default(),
            };
            self.inner.shared.write(vec![entry]).await?;
            written.await.map_err(|_| closing())
        }
        .boxed()
    }

    fn entries(
        &self,
        kind: EntryKind,
        scope: Arc<str>,
        after: Option<Arc<str>>,
        limit: usize,
    ) -> Reply<'_, Vec<Entry>> {
        self.read(move |connection| {
            catalogue::list(connection, kind, &scope, after.as_deref(), limit)
        })
        .boxed()
    }

    fn store_definition(&self, definition: Definition) -> Reply<'_, DefinitionId> {
        async move {
            let id = definition.id();
            if self
                .read(move |connection| definitions::read(connection, id))
                .await?
                .is_some()
            {
                return Ok(id);
            }
            let compiled = definition.compile().map(drop);
            compiled.map_err(|error| BackendError::Broken(error.to_string()))?;
            self.inner
                .shared
                .write(vec![Operation::Definition(id, definition)])
                .await?;
            Ok(id)
        }
        .boxed()
    }

    fn definition(&self, id: DefinitionId) -> Reply<'_, Option<Arc<Definition>>> {
        async move {
            let found = self.read_here(|connection| definitions::read(connection, id))?;
            Ok(found.map(Arc::new))
        }
        .boxed()
    }

    fn memory(&self) -> Option<&Arc<MemoryBudget>> {
        Some(&self.inner.shared.memory)
    }

    fn start(&self, start: StartExecution) -> Reply<'_, StartedExecution, StartError> {
        async move {
            let _reserved = self.reserve_for_start(&start)?;
            self.request(|loops, told| loops.send_start(start, told))
                .await?
        }
        .boxed()
    }

    fn run_express(&self, start: StartExecution) -> Reply<'_, EndedExpress, StartError> {
        async move {
            let _reserved = self.reserve_for_start(&start)?;
            let id = start.definition;
            let shared = Arc::clone(&self.inner.shared);
            let program = self.read(move |connection| shared.program(connection, id));
            let program = program.await?;
            let core_start = start.begin(
                self.now(),
                &program,
                self.inner.shared.options.max_execution_bytes,
            );
            let shared = &self.inner.shared;
            let test_case = shared.test_case(&start);
            let (identity, observation) = (Arc::clone(&core_start.identity), &shared.observation);
            observation.execution_started(&identity, false);
            let express = &self.inner.express;
            let ended = express.run(program, core_start, test_case).await?;
            observation.execution_ended(&identity, false, ended.status, &ended.error_output);
            Ok(ended)
        }
        .boxed()
    }

    fn perform_task(&self, task: TaskInvocation) -> Reply<'_, Value, ErrorOutput> {
        async move {
            let shared = &self.inner.shared;
            // The semaphore is never closed.
            let _permit = shared.performing.acquire().await;
            perform_alone(&*shared.options.performer, task).await
        }
        .boxed()
    }

    fn stop(&self, arn: Arc<str>, error_output: ErrorOutput) -> Reply<'_, Timestamp, StopError> {
        async move {
            self.request(|loops, told| {
                let of = Arc::clone(&arn);
                let stop = Message::Stop {
                    arn,
                    error_output,
                    told,
                };
                loops.send(&of, stop);
            })
            .await?
        }
        .boxed()
    }

    fn redrive(
        &self,
        arn: Arc<str>,
        client_token: Option<Arc<str>>,
    ) -> Reply<'_, Timestamp, RedriveError> {
        async move {
            self.request(|loops, told| {
                let of = Arc::clone(&arn);
                let redrive = Message::Redrive {
                    arn,
                    client_token,
                    told,
                };
                loops.send(&of, redrive);
            })
            .await?
        }
        .boxed()
    }

    fn describe(&self, arn: Arc<str>) -> Reply<'_, Option<ExecutionDescription>> {
        async move { self.read_here(|connection| executions::describe(connection, &arn)) }.boxed()
    }

    fn executions(
        &self,
        filter: ExecutionFilter,
        after: Option<Arc<str>>,
        limit: usize,
    ) -> Reply<'_, ExecutionPage> {
        self.read(move |connection| executions::list(connection, &filter, after.as_deref(), limit))
            .boxed()
    }

    fn running_executions(&self, state_machine_arn: Arc<str>) -> Reply<'_, u64> {
        self.read(move |connection| executions::running(connection, &state_machine_arn))
            .boxed()
    }

    fn history(&self, arn: Arc<str>, query: HistoryQuery) -> Reply<'_, Option<HistoryPage>> {
        history::page::page(&self.inner.histories, arn, query).boxed()
    }

    fn follow(
        &self,
        arn: Arc<str>,
        after: u64,
        timeout: Duration,
    ) -> Reply<'_, Option<FollowedEvents>> {
        self.follow_events(arn, after, timeout).boxed()
    }

    fn follow_statuses(
        &self,
        after: Option<FeedCursor>,
        limit: usize,
        timeout: Duration,
    ) -> Reply<'_, StatusChanges, FollowError> {
        self.follow_changes(after, limit, timeout).boxed()
    }

    fn map_runs(&self, execution_arn: Arc<str>) -> Reply<'_, Option<Vec<MapRunDescription>>> {
        self.read(
            move |connection| match executions::row_of(connection, &execution_arn)? {
                Some(_) => executions::map_runs(connection, Some(&execution_arn), None).map(Some),
                None => Ok(None),
            },
        )
        .boxed()
    }

    fn map_run(&self, arn: Arc<str>) -> Reply<'_, Option<MapRunDescription>> {
        self.read(move |connection| {
            let runs = executions::map_runs(connection, None, Some(&arn))?;
            Ok(runs.into_iter().next())
        })
        .boxed()
    }

    fn update_map_run(&self, update: MapRunUpdate) -> Reply<'_, bool> {
        async move {
            let arn = update.map_run_arn.clone();
            let found = self
                .read(move |connection| executions::execution_of_map_run(connection, &arn))
                .await?;
            match found {
                Some((execution, ExecutionStatus::Running)) => {
                    self.request(|loops, told| {
                        let update = Message::UpdateMapRun {
                            execution,
                            update,
                            told,
                        };
                        loops.send_of_row(execution, update);
                    })
                    .await
                }
                _ => Ok(false),
            }
        }
        .boxed()
    }

    fn reply_to_task(&self, token: Arc<str>, reply: TaskReply) -> Reply<'_, (), TokenRefused> {
        async move {
            let task = self
                .inner
                .shared
                .tokens
                .verify(&token)
                .ok_or(TokenRefused::Invalid)?;
            let execution_arn: Arc<str> = task.execution_arn.into();
            let effect = task.effect;
            self.request(|loops, told| {
                let of = Arc::clone(&execution_arn);
                let reply = Message::Reply {
                    execution_arn,
                    effect,
                    reply,
                    told,
                };
                loops.send(&of, reply);
            })
            .await?
        }
        .boxed()
    }

    fn take_activity_task(
        &self,
        activity_arn: Arc<str>,
        worker_name: Option<Arc<str>>,
    ) -> Reply<'_, ActivityTask> {
        self.request(|loops, told| {
            let activity = Arc::clone(&activity_arn);
            let worker = Message::TakeActivityTask {
                activity: activity_arn,
                worker_name,
                told,
            };
            loops.send_worker(&activity, worker);
        })
        .boxed()
    }
}
