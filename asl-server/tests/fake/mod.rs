//! A backend that keeps everything in memory: the core, driven at once by each input. Nothing survives it, and there is no limit.
mod driving;
mod following;
mod kept;
mod link;

use asl_backend::*;
use asl_engine::runtime::{Performer, Task, task_fn};
use asl_engine::{
    ErrorOutput, Input, MapRunUpdate, Program, ResourceKind, TaskAnswer, TaskError, TaskInvocation,
    TaskTokens as _, Timestamp,
};
use asl_server::SelfCalls;
use kept::{FakeState, StartData};
use std::sync::Arc;
use std::time::Duration;

/// The backend.
pub(crate) struct Fake {
    shared: Arc<FakeState>,
    express: Arc<ExpressHost>,
    performer: Arc<dyn Performer>,
}

impl Fake {
    /// On the tokio runtime that runs this; what executions ask of the API themselves, `calls` perform.
    pub(crate) fn new(calls: &SelfCalls) -> Self {
        let shared = Arc::new(FakeState::new());
        let performer: Arc<dyn Performer> =
            Arc::new(calls.performer(Arc::new(task_fn(perform_task))));
        // It is set once.
        let _ = shared.performer.set(Arc::clone(&performer));
        Self {
            shared,
            express: Arc::new(ExpressHost::new(Arc::clone(&performer))),
            performer,
        }
    }

    fn program(&self, id: DefinitionId) -> Result<Program, BackendError> {
        let found = self.shared.kept().definitions.get(&id).cloned();
        let found = found.map(|(_, program)| program);
        found.ok_or_else(|| BackendError::Broken("no definition".into()))
    }

    /// Answers a task when the execution that it waits for has ended: with the form, and what came of it.
    fn answer_nested(&self, nested: NestedTask, arn: Arc<str>) {
        let shared = Arc::clone(&self.shared);
        tokio::spawn(async move {
            let outcome = shared.ended(&arn).await;
            let form = format!("{:?}", nested.form);
            let output = serde_json::json!({"Form": form, "Output": outcome.output()});
            if let Some(task) = shared.tokens.verify(&nested.token) {
                let answer = Ok(TaskAnswer::Completed(output).into());
                let of = task.execution_arn.into();
                shared.apply_to_effect(&of, task.effect, |it| it.record_answer(answer).collect());
            }
        });
    }
}

/// Performs tasks that no test needs more of: those that wait for a token are only submitted.
async fn perform_task(task: Task) -> Result<TaskAnswer, TaskError> {
    let resource = task.resource();
    if resource.waits_for_task_token() && resource.kind != ResourceKind::Activity {
        return Ok(TaskAnswer::Submitted(serde_json::json!({})));
    }
    let cause = format!("nothing performs {}", resource.uri);
    Err(TaskError::new("States.TaskFailed", cause))
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
            let program = self.program(start.definition)?;
            let core = start.begin(self.now(), &program, None);
            let start_date = core.now;
            let arn: Arc<str> = core.identity.execution_arn().into();
            if let Some(known) = self.shared.kept().execution(&arn) {
                let is_same = known
                    .about
                    .request
                    .as_ref()
                    .is_some_and(|it| it.input == start.input);
                return (is_same && known.ended.is_none())
                    .then(|| StartedExecution {
                        arn: Arc::clone(&known.arn),
                        start_date: known.about.start_date,
                        is_new: false,
                    })
                    .ok_or(StartError::AlreadyExists);
            }
            if start.express_arn.is_some() {
                let express = Arc::clone(&self.express);
                tokio::spawn(async move { express.run(program, core, None).await });
            } else {
                let about = StartData {
                    start_date,
                    definition: start.definition,
                    request: Some(start.clone()),
                    parent: None,
                };
                self.shared.start(CoreStart::Root(Box::new(core)), about);
            }
            if let Some(nested) = start.nested {
                self.answer_nested(nested, Arc::clone(&arn));
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
            let program = self.program(start.definition)?;
            let core = start.begin(self.now(), &program, None);
            Ok(self.express.run(program, core, None).await?)
        })
    }

    fn perform_task(&self, task: TaskInvocation) -> Reply<'_, serde_json::Value, ErrorOutput> {
        Box::pin(perform_alone(&*self.performer, task))
    }

    fn stop(&self, arn: Arc<str>, error_output: ErrorOutput) -> Reply<'_, Timestamp, StopError> {
        self.shared.apply(&arn, Input::Stop(error_output));
        let mut kept = self.shared.kept();
        let ended = kept.execution(&arn).and_then(|it| it.ended.as_ref());
        known(ended.map(|(_, date)| *date).ok_or(StopError::NoExecution))
    }

    fn redrive(
        &self,
        arn: Arc<str>,
        token: Option<Arc<str>>,
    ) -> Reply<'_, Timestamp, RedriveError> {
        let now = self.now();
        let key = token.map(|token| (Arc::clone(&arn), token));
        {
            let mut kept = self.shared.kept();
            let before = key.as_ref().and_then(|key| kept.redrives.get(key)).copied();
            if let Some(date) = before {
                return known(Ok(date));
            }
            let Some(execution) = kept.execution(&arn) else {
                return known(Err(RedriveError::NoExecution));
            };
            let (summary, events) = (execution.summary(), execution.events.len() as u64);
            let why = why_not_redrivable(summary.status, summary.stop_date, events, now);
            if let Some(why) = why {
                return known(Err(RedriveError::NotRedrivable(why)));
            }
            (execution.ended, execution.redriven) = (None, Some(now));
            kept.redrives.extend(key.map(|key| (key, now)));
        }
        self.shared.apply(&arn, Input::Redrive);
        known(Ok(now))
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
        let parent = ExecutionParent::StateMachine(arn);
        let running = kept.executions.iter();
        let running = running.filter(|it| it.is_of(&parent) && it.ended.is_none());
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
        let mut kept = self.shared.kept();
        if kept.execution(&arn).is_none() {
            return known(Ok(None));
        }
        let of_execution = kept.map_runs.iter().filter(|run| run.execution_arn == arn);
        let runs = of_execution.rev().map(|run| kept.describe_map_run(run));
        known(Ok(Some(runs.collect())))
    }

    fn map_run(&self, arn: Arc<str>) -> Reply<'_, Option<MapRunDescription>> {
        let kept = self.shared.kept();
        let run = kept.map_runs.iter().find(|run| run.arn == arn);
        known(Ok(run.map(|run| kept.describe_map_run(run))))
    }

    fn update_map_run(&self, update: MapRunUpdate) -> Reply<'_, bool> {
        let of = {
            let kept = self.shared.kept();
            let runs = |run: &&kept::KeptMapRun| {
                *run.arn == *update.map_run_arn && run.status == ExecutionStatus::Running
            };
            let run = kept.map_runs.iter().find(runs);
            run.map(|run| Arc::clone(&run.execution_arn))
        };
        if let Some(execution) = &of {
            self.shared.apply(execution, Input::UpdateMapRun(update));
        }
        known(Ok(of.is_some()))
    }

    fn reply_to_task(&self, token: Arc<str>, reply: TaskReply) -> Reply<'_, (), TokenRefused> {
        let Some(task) = self.shared.tokens.verify(&token) else {
            return known(Err(TokenRefused::Invalid));
        };
        let (arn, id) = (Arc::<str>::from(task.execution_arn), task.effect);
        if self.shared.kept().execution(&arn).is_none() {
            return known(Err(TokenRefused::NoTask));
        }
        let is_awaited = self
            .shared
            .apply_to_effect(&arn, id, |pending| match reply {
                TaskReply::Heartbeat => vec![Input::TaskHeartbeat { id }],
                TaskReply::Success(output) => {
                    let output = output.value().as_ref().clone();
                    let answer = Ok(TaskAnswer::Completed(output).into());
                    pending.record_answer(answer).collect()
                }
                TaskReply::Failure(error_output) => {
                    let mut error = TaskError::failed("");
                    error.error_output = error_output;
                    pending.record_answer(Err(error)).collect()
                }
            });
        known(is_awaited.then_some(()).ok_or(TokenRefused::TimedOut))
    }

    fn take_activity_task(
        &self,
        arn: Arc<str>,
        worker_name: Option<Arc<str>>,
    ) -> Reply<'_, ActivityTask> {
        Box::pin(async move {
            let offered = || self.shared.kept().offers.get_mut(&*arn)?.pop_front();
            loop {
                let (execution, id) = self.shared.wait_for(offered).await;
                let worker_name = worker_name.as_deref().map(str::to_owned);
                if let Some(task) = self.shared.start_task(&execution, id, worker_name) {
                    return Ok(task);
                }
            }
        })
    }
}
