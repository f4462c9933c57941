//! Data of the tests' backend.
use asl_backend::*;
use asl_engine::runtime::{Clock, ExecutionHandle, Observer, RunningExecution, Task};
use asl_engine::{
    ErrorOutput, HistoryEvent, Outcome, Program, ResourceKind, TaskAnswer, TaskError, Timestamp,
};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, oneshot};

pub(super) type Answer = Result<TaskAnswer, TaskError>;

#[derive(Default)]
pub(super) struct Kept {
    pub(super) entries: BTreeMap<EntryKey, (u64, Arc<str>)>,
    pub(super) writes: u64,
    pub(super) definitions: HashMap<DefinitionId, (Arc<Definition>, Program)>,
    /// In the order of their starts.
    pub(super) executions: Vec<KeptExecution>,
    pub(super) changes: Vec<StatusChange>,
    /// Tasks of activities that nobody has taken.
    pub(super) queues: HashMap<String, VecDeque<ActivityTask>>,
    /// Tasks of activities without an answer.
    pub(super) waiting: HashMap<String, oneshot::Sender<Answer>>,
}

/// An execution.
pub(super) struct KeptExecution {
    pub(super) start: StartExecution,
    pub(super) arn: Arc<str>,
    pub(super) start_date: Timestamp,
    pub(super) events: Vec<Arc<str>>,
    pub(super) ended: Option<(Outcome, Timestamp)>,
    pub(super) handle: Option<Arc<ExecutionHandle>>,
}

#[derive(Default)]
pub(super) struct Shared {
    pub(super) kept: Mutex<Kept>,
    pub(super) changed: Notify,
    pub(super) clock: Clock,
}

impl Shared {
    /// Waits for the end of an execution, and returns its outcome.
    pub(super) async fn ended(&self, arn: &str) -> Outcome {
        loop {
            let changed = self.changed.notified();
            let ended = self.kept().execution(arn).and_then(|it| it.ended.clone());
            if let Some((outcome, _)) = ended {
                return outcome;
            }
            changed.await;
        }
    }

    pub(super) fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    pub(super) fn execution(&mut self, arn: &str) -> Option<&mut KeptExecution> {
        self.executions.iter_mut().find(|it| *it.arn == *arn)
    }
}

impl Observer for Shared {
    fn records_history(&self) -> bool {
        true
    }

    fn event(&self, execution: &RunningExecution, event: HistoryEvent) {
        let arn = execution.identity.execution_arn();
        if let Some(kept) = self.kept().execution(&arn) {
            kept.events.push(event.to_json().to_string().into());
        }
        self.changed.notify_waiters();
    }

    fn ended(&self, execution: &RunningExecution, outcome: &Outcome) {
        let arn = execution.identity.execution_arn();
        let now = self.clock.now();
        if let Some(kept) = self.kept().execution(&arn) {
            kept.ended = Some((outcome.clone(), now));
        }
        self.record_change(&arn, error_output(outcome));
        self.changed.notify_waiters();
    }
}

pub(super) async fn perform(shared: Arc<Shared>, task: Task) -> Answer {
    let resource = task.resource();
    if resource.waits_for_task_token() {
        return Ok(TaskAnswer::Submitted(serde_json::json!({})));
    }
    if resource.kind != ResourceKind::Activity {
        return Err(TaskError::new(
            "States.TaskFailed",
            format!("nothing performs {}", resource.uri),
        ));
    }
    let (sender, answer) = oneshot::channel();
    let waiting = ActivityTask {
        token: task.token().into(),
        input: task.payload().to_string().into(),
    };
    shared
        .kept()
        .waiting
        .insert(task.token().to_owned(), sender);
    shared
        .kept()
        .queues
        .entry(resource.uri.clone())
        .or_default()
        .push_back(waiting);
    shared.changed.notify_waiters();
    answer
        .await
        .unwrap_or_else(|_| Err(TaskError::new("States.TaskFailed", "the worker is gone")))
}

impl KeptExecution {
    pub(super) fn status(&self) -> ExecutionStatus {
        let word = self
            .ended
            .as_ref()
            .map_or("RUNNING", |(outcome, _)| outcome.status());
        ExecutionStatus::from_word(word).unwrap_or(ExecutionStatus::Running)
    }

    pub(super) fn summary(&self) -> ExecutionSummary {
        ExecutionSummary {
            arn: Arc::clone(&self.arn),
            name: Arc::clone(&self.start.name),
            state_machine_arn: self.start.state_machine.arn.as_str().into(),
            version_arn: self.start.version_arn.clone(),
            alias_arn: self.start.alias_arn.clone(),
            status: self.status(),
            start_date: self.start_date,
            stop_date: self.ended.as_ref().map(|(_, date)| *date),
            redrive_count: 0,
            redrive_date: None,
            map_run_arn: None,
            item_count: None,
        }
    }

    pub(super) fn description(&self) -> ExecutionDescription {
        let outcome = self.ended.as_ref().map(|(outcome, _)| outcome);
        ExecutionDescription {
            summary: self.summary(),
            input: Arc::clone(self.start.input.text()),
            output: outcome
                .and_then(Outcome::output)
                .map(|output| output.to_string().into()),
            error_output: outcome.map(error_output).unwrap_or_default(),
            trace_header: match &self.start.mock_test_case {
                Some(case) => Some(format!("case {case}").into()),
                None => self.start.trace_header.clone(),
            },
            definition: self.start.definition,
            revision: Arc::clone(&self.start.revision),
            event_count: self.events.len() as u64,
            held: None,
        }
    }

    pub(super) fn is_of(&self, parent: &ExecutionParent) -> bool {
        match parent {
            ExecutionParent::StateMachine(arn) => self.start.state_machine.arn == **arn,
            ExecutionParent::Version(arn) => self.start.version_arn.as_ref() == Some(arn),
            ExecutionParent::Alias(arn) => self.start.alias_arn.as_ref() == Some(arn),
            ExecutionParent::MapRun(_) => false,
        }
    }
}

pub(super) fn error_output(outcome: &Outcome) -> ErrorOutput {
    match outcome {
        Outcome::Failed(error_output) | Outcome::Aborted(error_output) => error_output.clone(),
        Outcome::Succeeded(_) | Outcome::TimedOut => ErrorOutput::default(),
    }
}
