//! A backend that keeps everything in memory, on the runtime: what the API's own tests need, and no more. Nothing survives
//! it, Express executions continue when nobody waits, nothing is redriven, and Map Runs are not reported.
mod following;
mod kept;

use asl_backend::*;
use asl_engine::runtime::{ExecutionHandle, Performer, Runtime, Task, task_fn};
use asl_engine::{
    Answer, ErrorOutput, Identity, MapRunUpdate, Program, Start, TaskAnswer, TaskError,
    TaskInvocation, Timestamp,
};
use asl_server::SelfCalls;
use kept::{KeptExecution, Shared, error_output, perform};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// The backend.
pub(crate) struct Fake {
    shared: Arc<Shared>,
    runtime: Runtime,
    performer: Arc<dyn Performer>,
}

impl Fake {
    /// On the tokio runtime that runs this; what executions ask of the API themselves, `calls` perform.
    pub(crate) fn new(calls: &SelfCalls) -> Self {
        let shared = Arc::new(Shared::default());
        let performing = Arc::clone(&shared);
        let tasks = task_fn(move |task| perform(Arc::clone(&performing), task));
        let performer: Arc<dyn Performer> = Arc::new(calls.performer(Arc::new(tasks)));
        let runtime = Runtime::builder()
            .clock(shared.clock.clone())
            .observer(Arc::clone(&shared))
            .handlers(Arc::clone(&performer))
            .build();
        Self {
            shared,
            runtime,
            performer,
        }
    }

    async fn begin(&self, start: &StartExecution) -> Result<ExecutionHandle, BackendError> {
        let program = self
            .shared
            .kept()
            .definitions
            .get(&start.definition)
            .cloned();
        let (definition, program) =
            program.ok_or_else(|| BackendError::Broken("no definition".into()))?;
        let value = start.input.value().as_ref().clone();
        let mut begun = Start::new(Arc::clone(&start.name), value, self.now());
        begun.identity = Arc::new(Identity::from_state_machine(
            Arc::clone(&start.state_machine),
            Arc::clone(&start.name),
        ));
        begun.input_text = Some(Arc::clone(start.input.text()));
        begun.state_machine_type = definition.state_machine_type;
        begun.record_history = true;
        begun.absent_activities.clone_from(&start.absent_activities);
        Ok(self.runtime.start_execution(program, begun).await)
    }

    /// Answers a task when the execution that it waits for has ended: with the form, and what came of it.
    fn answer_nested(&self, nested: NestedTask, arn: Arc<str>) {
        let (runtime, shared) = (self.runtime.handle().clone(), Arc::clone(&self.shared));
        tokio::spawn(async move {
            let outcome = shared.ended(&arn).await;
            let form = format!("{:?}", nested.form);
            let output = serde_json::json!({"Form": form, "Output": outcome.output()});
            let _ = runtime.send_task_success(&nested.token, output).await;
        });
    }
}

/// Returns a reply that is ready.
fn known<'e, T: Send + 'e, E: Send + 'e>(answer: Result<T, E>) -> Reply<'e, T, E> {
    Box::pin(std::future::ready(answer))
}

impl Backend for Fake {
    fn now(&self) -> Timestamp {
        self.shared.clock.now()
    }

    fn entry(&self, key: EntryKey) -> Reply<'_, Option<Entry>> {
        let entry = self.shared.kept().entries.get(&key).cloned();
        Box::pin(async move {
            // Others write meanwhile.
            tokio::task::yield_now().await;
            Ok(entry.map(|(version, value)| Entry {
                key,
                version,
                value,
            }))
        })
    }

    fn write_entry(
        &self,
        key: EntryKey,
        expected: Option<u64>,
        value: Option<Arc<str>>,
    ) -> Reply<'_, WriteOutcome> {
        let mut kept = self.shared.kept();
        if kept.entries.get(&key).map(|(version, _)| *version) != expected {
            return known(Ok(WriteOutcome::Changed));
        }
        kept.writes += 1;
        let version = kept.writes;
        match value {
            Some(value) => kept.entries.insert(key, (version, value)),
            None => kept.entries.remove(&key),
        };
        known(Ok(WriteOutcome::Done))
    }

    fn entries(
        &self,
        kind: EntryKind,
        scope: Arc<str>,
        after: Option<Arc<str>>,
        limit: usize,
    ) -> Reply<'_, Vec<Entry>> {
        let kept = self.shared.kept();
        let entries = kept
            .entries
            .iter()
            .filter(|(key, _)| key.kind == kind && key.scope == scope);
        let entries =
            entries.filter(|(key, _)| after.as_ref().is_none_or(|after| key.name > *after));
        let entry = |(key, (version, value)): (&EntryKey, &(u64, Arc<str>))| Entry {
            key: key.clone(),
            version: *version,
            value: Arc::clone(value),
        };
        known(Ok(entries.take(limit).map(entry).collect()))
    }

    fn store_definition(&self, definition: Definition) -> Reply<'_, DefinitionId> {
        let program = match Program::parse(&definition.text) {
            Ok(program) => program,
            Err(error) => return known(Err(BackendError::Broken(error.to_string()))),
        };
        let mut kept = self.shared.kept();
        let known_as = kept
            .definitions
            .iter()
            .find(|(_, (known, _))| **known == definition);
        let mut id = [0; 32];
        id[..8].copy_from_slice(&(kept.definitions.len() as u64).to_be_bytes());
        let id = known_as.map_or(DefinitionId(id), |(id, _)| *id);
        kept.definitions.insert(id, (Arc::new(definition), program));
        known(Ok(id))
    }

    fn definition(&self, id: DefinitionId) -> Reply<'_, Option<Arc<Definition>>> {
        let definition = self.shared.kept().definitions.get(&id).cloned();
        known(Ok(definition.map(|(definition, _)| definition)))
    }

    fn start(&self, start: StartExecution) -> Reply<'_, StartedExecution, StartError> {
        Box::pin(async move {
            let identity = Identity::from_state_machine(
                Arc::clone(&start.state_machine),
                Arc::clone(&start.name),
            );
            let is_express = start.express_arn.is_some();
            let arn: Arc<str> = start
                .express_arn
                .clone()
                .unwrap_or_else(|| identity.execution_arn().into());
            let start_date = self.now();
            {
                let mut kept = self.shared.kept();
                if let Some(known) = kept.execution(&arn) {
                    let is_same = known.start.input == start.input && known.ended.is_none();
                    let start_date = known.start_date;
                    return is_same
                        .then_some(StartedExecution {
                            arn,
                            start_date,
                            is_new: false,
                        })
                        .ok_or(StartError::AlreadyExists);
                }
                if !is_express {
                    kept.executions.push(KeptExecution {
                        start: start.clone(),
                        arn: Arc::clone(&arn),
                        start_date,
                        events: Vec::new(),
                        ended: None,
                        handle: None,
                    });
                }
            }
            if !is_express {
                self.shared.record_change(&arn, ErrorOutput::default());
            }
            let handle = Arc::new(self.begin(&start).await?);
            if let Some(nested) = start.nested {
                self.answer_nested(nested, Arc::clone(&arn));
            }
            if let Some(kept) = self.shared.kept().execution(&arn) {
                kept.handle = Some(handle);
            }
            Ok(StartedExecution {
                arn,
                start_date,
                is_new: true,
            })
        })
    }

    fn run_express(&self, start: StartExecution) -> Reply<'_, EndedExpress, StartError> {
        Box::pin(async move {
            let ended = self.begin(&start).await?.ended().await;
            Ok(EndedExpress {
                start_date: ended.start_date,
                stop_date: ended.stop_date,
                status: ExecutionStatus::from_word(ended.outcome.status())
                    .unwrap_or(ExecutionStatus::Failed),
                output: ended
                    .outcome
                    .output()
                    .map(|output| output.to_string().into()),
                error_output: error_output(&ended.outcome),
            })
        })
    }

    fn perform_task(&self, task: TaskInvocation) -> Reply<'_, serde_json::Value, ErrorOutput> {
        let performing = self.performer.perform(Task::detached(task).into());
        Box::pin(async {
            match performing.await {
                Ok(Answer::Task(TaskAnswer::Completed(result))) => Ok(result),
                Ok(_) => Err(ErrorOutput::default()),
                Err(error) => Err(error.error_output),
            }
        })
    }

    fn stop(&self, arn: Arc<str>, error_output: ErrorOutput) -> Reply<'_, Timestamp, StopError> {
        Box::pin(async move {
            let handle = self
                .shared
                .kept()
                .execution(&arn)
                .map(|kept| kept.handle.clone());
            if let Some(handle) = handle.ok_or(StopError::NoExecution)? {
                handle.stop(error_output).await;
            }
            loop {
                let changed = self.shared.changed.notified();
                let ended = self
                    .shared
                    .kept()
                    .execution(&arn)
                    .and_then(|kept| kept.ended.as_ref().map(|(_, date)| *date));
                if let Some(date) = ended {
                    return Ok(date);
                }
                changed.await;
            }
        })
    }

    fn redrive(
        &self,
        arn: Arc<str>,
        _token: Option<Arc<str>>,
    ) -> Reply<'_, Timestamp, RedriveError> {
        known(Err(RedriveError::NotRedrivable(format!(
            "{arn} is kept in memory"
        ))))
    }

    fn describe(&self, arn: Arc<str>) -> Reply<'_, Option<ExecutionDescription>> {
        known(Ok(self
            .shared
            .kept()
            .execution(&arn)
            .map(|kept| kept.description())))
    }

    fn executions(
        &self,
        filter: ExecutionFilter,
        after: Option<Arc<str>>,
        limit: usize,
    ) -> Reply<'_, ExecutionPage> {
        let kept = self.shared.kept();
        let begin = after
            .and_then(|after| after.parse().ok())
            .unwrap_or(kept.executions.len());
        let listed = kept.executions.iter().enumerate().take(begin).rev();
        let listed = listed.filter(|(_, it)| {
            it.is_of(&filter.parent) && filter.status.is_none_or(|status| it.status() == status)
        });
        let mut listed: Vec<_> = listed.take(limit + 1).collect();
        let next = (listed.len() > limit)
            .then(|| listed.pop())
            .and(listed.last());
        let next = next.map(|(index, _)| index.to_string().into());
        let executions = listed.iter().map(|(_, it)| it.summary()).collect();
        known(Ok(ExecutionPage { executions, next }))
    }

    fn running_executions(&self, arn: Arc<str>) -> Reply<'_, u64> {
        let kept = self.shared.kept();
        let running = kept
            .executions
            .iter()
            .filter(|it| it.start.state_machine.arn == *arn && it.ended.is_none());
        known(Ok(running.count() as u64))
    }

    fn history(&self, arn: Arc<str>, query: HistoryQuery) -> Reply<'_, Option<HistoryPage>> {
        let mut kept = self.shared.kept();
        let page = kept.execution(&arn).map(|execution| {
            let count = execution.events.len() as u64;
            let ids: Vec<u64> = match query.is_reversed {
                true => (1..=query.from.unwrap_or(count)).rev().collect(),
                false => (query.from.unwrap_or(1)..=count).collect(),
            };
            let events = ids
                .iter()
                .take(query.limit)
                .filter_map(|id| execution.events.get(*id as usize - 1).cloned());
            HistoryPage {
                events: events.collect(),
                next: ids.get(query.limit).copied(),
            }
        });
        known(Ok(page))
    }

    fn follow(
        &self,
        arn: Arc<str>,
        after: u64,
        timeout: Duration,
    ) -> Reply<'_, Option<FollowedEvents>> {
        Box::pin(async move { Ok(self.shared.follow(arn, after, timeout).await) })
    }

    fn follow_statuses(
        &self,
        after: Option<FeedCursor>,
        limit: usize,
        timeout: Duration,
    ) -> Reply<'_, StatusChanges, FollowError> {
        Box::pin(self.shared.follow_statuses(after, limit, timeout))
    }

    fn map_runs(&self, arn: Arc<str>) -> Reply<'_, Option<Vec<MapRunDescription>>> {
        known(Ok(self.shared.kept().execution(&arn).map(|_| Vec::new())))
    }

    fn map_run(&self, _arn: Arc<str>) -> Reply<'_, Option<MapRunDescription>> {
        known(Ok(None))
    }

    fn update_map_run(&self, _update: MapRunUpdate) -> Reply<'_, bool> {
        known(Ok(false))
    }

    fn reply_to_task(&self, token: Arc<str>, reply: TaskReply) -> Reply<'_, (), TokenRefused> {
        Box::pin(async move {
            let error = |told: ErrorOutput| {
                TaskError::new(
                    told.error.unwrap_or_default(),
                    told.cause.unwrap_or_default(),
                )
            };
            let waiting = self.shared.kept().waiting.remove(&*token);
            if let Some(waiting) = waiting {
                let _ = match reply {
                    TaskReply::Success(output) => {
                        waiting.send(Ok(TaskAnswer::Completed(output.value().as_ref().clone())))
                    }
                    TaskReply::Failure(told) => waiting.send(Err(error(told))),
                    TaskReply::Heartbeat => {
                        self.shared
                            .kept()
                            .waiting
                            .insert(token.to_string(), waiting);
                        return Ok(());
                    }
                };
                return Ok(());
            }
            let told = match reply {
                TaskReply::Success(output) => {
                    let output = output.value().as_ref().clone();
                    self.runtime.send_task_success(&token, output).await
                }
                TaskReply::Failure(told) => {
                    self.runtime.send_task_failure(&token, error(told)).await
                }
                TaskReply::Heartbeat => self.runtime.send_task_heartbeat(&token).await,
            };
            told.map_err(|_| TokenRefused::Invalid)
        })
    }

    fn take_activity_task(
        &self,
        arn: Arc<str>,
        _worker: Option<Arc<str>>,
    ) -> Reply<'_, ActivityTask> {
        Box::pin(async move {
            loop {
                let changed = self.shared.changed.notified();
                let task = self
                    .shared
                    .kept()
                    .queues
                    .get_mut(&*arn)
                    .and_then(VecDeque::pop_front);
                if let Some(task) = task {
                    return Ok(task);
                }
                changed.await;
            }
        })
    }
}
