//! One state, run on the core.
use crate::checks::parsed_result;
use crate::definition::{STATE_NAME, TestedState};
use crate::error::TestStateError;
use crate::request::TestStateRequest;
use crate::state_record::StateRecord;
use asl_engine::{
    Effect, ErrorOutput, Execution, Input, InspectedPlace, InspectionEvent, MockedChildren,
    MockedOutcome, Outcome, Start, StartAt, StorageOperation, StorageRequest, StorageResult,
    StoredObject, TaskInvocation, TurnLimits,
};
use asl_model::Timestamp;
use serde_json::{Map, Value};
use std::sync::{Arc, Mutex, PoisonError};

/// Step Functions Developer Guide, TestState API: a state may take five minutes.
const LONGEST_SECONDS: u64 = 300;

/// Runs a task without a mock.
pub(crate) type Perform<'p> = dyn FnMut(&TaskInvocation) -> Result<Value, ErrorOutput> + 'p;

/// Everything that a run begins with.
pub(crate) struct Begin<'r> {
    pub(crate) request: &'r TestStateRequest,
    pub(crate) state: &'r TestedState,
    pub(crate) input: Arc<Value>,
    pub(crate) variables: Map<String, Value>,
    pub(crate) context: Value,
    pub(crate) now: Timestamp,
    /// Steps that evaluations may take before the run is given up.
    pub(crate) evaluation_steps: Option<u64>,
}

/// Maximum cost of one call of the core.
const TURN_COST: u64 = 10_000;

/// Outcome of the state.
pub(crate) enum StateOutcome {
    Left(Arc<Value>),
    Failed(ErrorOutput),
    /// Its error is retried.
    Retried,
}

impl Begin<'_> {
    /// Runs the state until it is left, failed for good or would be retried; waits end at once. None if the run is given up.
    pub(crate) fn run(
        self,
        perform: &mut Perform<'_>,
    ) -> Result<Option<(StateOutcome, StateRecord)>, TestStateError> {
        let told = Arc::new(Mutex::new(StateRecord::default()));
        let teller = Arc::clone(&told);
        let mut execution = Execution::start(&self.state.program, self.start()?);
        execution.limit_turns(TurnLimits {
            cost: TURN_COST,
            evaluation_steps: self.evaluation_steps,
        });
        execution.inspect(Some(Box::new(
            move |_: InspectedPlace<'_>, inspected: InspectionEvent<'_>| {
                lock(&teller).record(inspected);
            },
        )));
        let ended = self.steps(&mut execution, &told, perform);
        let told = std::mem::take(&mut *lock(&told));
        Ok(ended?.map(|ended| (ended, told)))
    }

    fn steps(
        &self,
        execution: &mut Execution,
        told: &Mutex<StateRecord>,
        perform: &mut Perform<'_>,
    ) -> Result<Option<StateOutcome>, TestStateError> {
        let last = self.now.plus_seconds(LONGEST_SECONDS);
        let (mut now, mut input) = (self.now, None);
        loop {
            let step = execution.step(now, input.take());
            if step.yielded && self.evaluation_steps.is_some() {
                return Ok(None);
            }
            if lock(told).retry_delay.is_some() {
                return Ok(Some(StateOutcome::Retried));
            }
            if let Some(outcome) = step.outcome {
                return Ok(Some(ended(outcome)));
            }
            match (step.effects.first(), step.wake) {
                (Some(effect), _) => input = Some(self.answer(effect, perform)?),
                (None, Some(wake)) if wake <= last && !step.yielded => {
                    now = now.max(wake);
                    input = Some(Input::TimePassed);
                }
                (None, _) if step.yielded => {}
                (None, _) => {
                    let timeout = ErrorOutput::without_cause("States.Timeout");
                    return Ok(Some(StateOutcome::Failed(timeout)));
                }
            }
        }
    }

    fn start(&self) -> Result<Start, TestStateError> {
        let retry_count = self.request.configuration.retrier_retry_count.unwrap_or(0);
        let mut start = Start::new(STATE_NAME, Value::Null, self.now);
        start.input = Arc::clone(&self.input);
        start.input_text = self.request.input.as_deref().map(Arc::from);
        start.at = Some(Box::new(
            StartAt::new(self.state.reference)
                .with_variables(self.variables.clone())
                .with_retry_count(retry_count)
                .with_only(true)
                .with_context(self.context.clone())
                .with_children(self.children()?),
        ));
        Ok(start)
    }

    /// Returns the mocks of branches and iterations.
    fn children(&self) -> Result<Option<MockedChildren>, TestStateError> {
        let configuration = &self.request.configuration;
        let Some(mocked) = self.mocked()? else {
            return Ok(None);
        };
        let outcome = match mocked {
            Ok(result) => MockedOutcome::Succeeded(Arc::new(result)),
            Err(error_output) => MockedOutcome::Failed(error_output),
        };
        let children = MockedChildren::new(outcome)
            .with_failed_iterations(configuration.map_iteration_failure_count.unwrap_or(0))
            .with_reads_items(configuration.map_item_reader_data.is_some());
        Ok(Some(children))
    }

    fn mocked(&self) -> Result<Option<Result<Value, ErrorOutput>>, TestStateError> {
        let Some(mock) = &self.request.mock else {
            return Ok(None);
        };
        Ok(match (&mock.error_output, &mock.result) {
            (Some(error_output), _) => Some(Err(error_output.clone())),
            (None, Some(result)) => Some(Ok(parsed_result(result)?)),
            (None, None) => None,
        })
    }

    fn answer(&self, effect: &Effect, perform: &mut Perform<'_>) -> Result<Input, TestStateError> {
        let id = effect.id();
        Ok(match effect {
            Effect::Task(invocation) => {
                let answer = match self.mocked()? {
                    Some(mocked) => mocked,
                    None => perform(invocation),
                };
                match answer {
                    Ok(output) => Input::TaskSucceeded {
                        id,
                        output: Arc::new(output),
                    },
                    Err(error_output) => Input::TaskFailed { id, error_output },
                }
            }
            Effect::Storage(request) => Input::StorageSucceeded {
                id,
                result: self.stored(request),
            },
            // Children are mocked: none is requested.
            Effect::Child(_) => Input::ChildExecutionEnded {
                id,
                outcome: Outcome::Aborted(ErrorOutput::default()),
            },
        })
    }

    /// Returns the data of an ItemReader, "as found in its original source".
    fn stored(&self, request: &StorageRequest) -> StorageResult {
        let data = self.request.configuration.map_item_reader_data.as_deref();
        let data = data.unwrap_or_default();
        match &request.operation {
            StorageOperation::GetObject { .. } => StorageResult::Object(data.as_bytes().to_vec()),
            StorageOperation::ListObjects { .. } => StorageResult::Listing(listing(data)),
            StorageOperation::PutObject { .. } => StorageResult::Written,
        }
    }
}

/// Objects as ListObjectsV2 shows them: an array, or the "Contents" of an answer.
fn listing(data: &str) -> Vec<StoredObject> {
    let parsed = asl_path::json::parse(data, asl_path::json::DEFAULT_MAX_DEPTH);
    let parsed = parsed.unwrap_or_default();
    let objects = parsed.get("Contents").unwrap_or(&parsed).as_array();
    let text = |object: &Value, field: &str| {
        let text = object.get(field).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    objects
        .into_iter()
        .flatten()
        .map(|object| StoredObject {
            key: text(object, "Key"),
            size: object.get("Size").and_then(Value::as_u64).unwrap_or(0),
            etag: text(object, "Etag"),
            last_modified: object
                .get("LastModified")
                .and_then(Value::as_i64)
                .unwrap_or(0),
            storage_class: text(object, "StorageClass"),
        })
        .collect()
}

fn ended(outcome: Outcome) -> StateOutcome {
    match outcome {
        Outcome::Succeeded(output) => StateOutcome::Left(output),
        Outcome::Failed(error_output) | Outcome::Aborted(error_output) => {
            StateOutcome::Failed(error_output)
        }
        Outcome::TimedOut => StateOutcome::Failed(ErrorOutput::without_cause("States.Timeout")),
    }
}

fn lock(told: &Mutex<StateRecord>) -> std::sync::MutexGuard<'_, StateRecord> {
    told.lock().unwrap_or_else(PoisonError::into_inner)
}
