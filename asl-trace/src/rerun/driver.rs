//! Drives the execution by what the history says happened.
use super::Rerun;
use super::recorded::RecordedEvents;
use asl_engine::history::{EventDetails, HistoryEvent};
use asl_engine::{
    AwaitedAnswer, ChildExecution, Effect, EffectId, Execution, Input, Program, Start, Step,
    StorageOperation, StorageRequest,
};
use asl_model::{StateType, Timestamp};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Steps of the core for each recorded event: more would mean that the rerun goes in circles.
const STEPS_OF_AN_EVENT: usize = 100;
/// Steps of a child execution.
const STEPS_OF_A_CHILD: usize = 10_000;

/// Runs an execution by its recorded events.
pub(super) struct Driver {
    execution: Execution,
    recorded: RecordedEvents,
    /// The last task of each recorded visit.
    tasks: BTreeMap<u64, EffectId>,
    /// Children of distributed Maps that have run.
    ended_children: VecDeque<Input>,
    unknown: Option<String>,
}

impl Driver {
    pub(super) fn new(program: &Program, start: Start, recorded: RecordedEvents) -> Self {
        Self {
            execution: Execution::start(program, start),
            recorded,
            tasks: BTreeMap::new(),
            ended_children: VecDeque::new(),
            unknown: None,
        }
    }

    /// Runs as far as the history goes.
    pub(super) fn run(mut self) -> Rerun {
        let mut next = Some((self.execution.now(), None));
        let mut steps = STEPS_OF_AN_EVENT.saturating_mul(self.recorded.len());
        while let Some((now, input)) = next.take() {
            // Children are not among the events.
            steps -= usize::from(!matches!(input, Some(Input::ChildExecutionEnded { .. })));
            if steps == 0 {
                break;
            }
            let step = self.execution.step(now, input);
            let has_yielded = step.yielded;
            self.take(step);
            if self.unknown.is_some() {
                break;
            }
            next = match has_yielded {
                true => Some((self.execution.now(), None)),
                false => self.next_input().map(|(now, input)| (now, Some(input))),
            };
        }
        let events = self.recorded.len();
        let compared = self.recorded.finish(self.unknown.is_none());
        Rerun {
            events,
            equal: compared.equal,
            varying: compared.varying,
            differences: compared.differences,
            unknown: self.unknown,
        }
    }

    /// Compares the events of a step, and notes its tasks.
    fn take(&mut self, step: Step) {
        let mut scheduled = Vec::new();
        for event in &step.events {
            self.recorded.take(event);
            if event.details.schedules_task() {
                let recorded = self.recorded.of_rerun(event.id);
                scheduled.push(recorded.and_then(|id| self.recorded.visit(id)));
            }
        }
        // Each task has its event, in the same order.
        let mut scheduled = scheduled.into_iter();
        for effect in step.effects {
            match effect {
                Effect::Task(task) => {
                    if let Some(Some(visit)) = scheduled.next() {
                        self.tasks.insert(visit, task.id);
                    }
                }
                Effect::Storage(request) => self.unknown = Some(described(&request)),
                Effect::Child(child) => match self.child_outcome(*child) {
                    Ok(ended) => self.ended_children.push_back(ended),
                    Err(unknown) => self.unknown = Some(unknown),
                },
            }
        }
    }

    /// Runs a child execution, whose events are not in the history. None of its results are, either.
    fn child_outcome(&self, child: ChildExecution) -> Result<Input, String> {
        let id = child.id;
        let program = self.execution.program().clone();
        let mut execution = Execution::start_child(program, child, None);
        execution.record_history(false);
        let mut next = (execution.now(), None);
        for _ in 0..STEPS_OF_A_CHILD {
            let step = execution.step(next.0, next.1);
            if let Some(outcome) = step.outcome {
                return Ok(Input::ChildExecutionEnded { id, outcome });
            }
            next = match (step.effects.is_empty(), step.yielded, step.wake) {
                (true, true, _) => (execution.now(), None),
                (true, false, Some(wake)) => (wake, Some(Input::TimePassed)),
                _ => break,
            };
        }
        let unknown = "the history does not contain the child executions of a distributed Map, which have tasks of their own";
        Err(unknown.to_owned())
    }

    /// Returns what happens next by the history, and when.
    fn next_input(&mut self) -> Option<(Timestamp, Input)> {
        if let Some(ended) = self.ended_children.pop_front() {
            return Some((self.execution.now(), ended));
        }
        let wake = self.execution.wake();
        let passing = wake.map(|wake| (wake, Input::TimePassed));
        let mut is_over = true;
        for event in self.recorded.next() {
            is_over = false;
            let input = match &event.details {
                EventDetails::ExecutionAborted(error_output) => {
                    Some(Input::Stop(error_output.clone()))
                }
                EventDetails::ExecutionRedriven { .. } => Some(Input::Redrive),
                _ => self.answer(event),
            };
            // What times out does so together with all that is due then.
            let times_out = event.details.is_task_timeout() && passing.is_some();
            if let Some(input) = input.filter(|_| !times_out) {
                return Some((self.moment(event), input));
            }
            if comes_with_time(&event.details) && passing.is_some() {
                return passing;
            }
        }
        passing.filter(|_| !is_over)
    }

    /// Returns the time of a recorded event, but none at which something else is due.
    fn moment(&self, event: &HistoryEvent) -> Timestamp {
        let now = event.timestamp.max(self.execution.now());
        match self.execution.wake() {
            Some(wake) if wake <= now => self.execution.now(),
            _ => now,
        }
    }

    /// Returns the input for a recorded answer, if its task waits for it.
    fn answer(&self, event: &HistoryEvent) -> Option<Input> {
        let id = *self.tasks.get(&self.recorded.visit(event.id)?)?;
        let AwaitedAnswer::Task { submission } = self.execution.awaits(id)? else {
            return None;
        };
        match &event.details {
            EventDetails::ActivityStarted { worker_name } => Some(Input::TaskStarted {
                id,
                worker_name: worker_name.clone(),
            }),
            EventDetails::TaskSubmitted { output, .. } => submission.then(|| {
                let output = output.as_ref().map(Arc::clone);
                let output = output.unwrap_or_else(|| Arc::new(Value::Object(Map::new())));
                Input::TaskSubmitted { id, output }
            }),
            details => Some(match details.task_answer()? {
                Ok(output) => Input::TaskSucceeded {
                    id,
                    output: Arc::clone(output),
                },
                Err(error_output) => Input::TaskFailed { id, error_output },
            }),
        }
    }
}

/// Returns true if time brings an event: the end of a wait, a retry, a timeout.
fn comes_with_time(details: &EventDetails) -> bool {
    details.schedules_task()
        || details.is_task_timeout()
        || matches!(
            details,
            EventDetails::StateExited {
                state_type: StateType::Wait,
                ..
            } | EventDetails::ExecutionTimedOut(_)
        )
}

fn described(request: &StorageRequest) -> String {
    let bucket = &request.bucket;
    match &request.operation {
        StorageOperation::GetObject { key, .. } => {
            format!("the history does not contain the object '{key}' of bucket '{bucket}'")
        }
        StorageOperation::ListObjects { .. } => {
            format!("the history does not contain the objects of bucket '{bucket}'")
        }
        StorageOperation::PutObject { key, .. } => {
            format!("the history does not contain that '{key}' was written to bucket '{bucket}'")
        }
    }
}
