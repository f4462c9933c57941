//! A state machine that runs in the place of a task.
use super::choice::CountedMock;
use super::plan::{Plan, PlanError};
use crate::Definition;
use crate::case::{MAX_TRANSITIONS, limits};
use crate::record::Recorder;
use asl_engine::runtime::{
    BoxFuture, Clock, EndedExecution, MemoryStorage, PerformResult, Performer, Request, Runtime,
    Task, TaskHandlers,
};
use asl_engine::{Identity, IntegrationPattern, Start, TaskAnswer, TaskError};
use asl_performers::ExternalHandlers;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Runs a state machine for each task, by a clock that begins where the case's is; the answer comes when it has ended.
#[derive(Clone)]
pub(super) struct NestedMachine {
    /// Of the mock.
    pub(super) target: String,
    pub(super) definition: Definition,
    /// Of its own tasks.
    pub(super) mocks: Vec<Arc<CountedMock>>,
    pub(super) external: ExternalHandlers,
    /// Of the case.
    pub(super) recorder: Arc<Recorder>,
    pub(super) storage: Arc<MemoryStorage>,
}

/// Names the machine among the handlers of a case.
pub(super) fn key(target: &str, definition: &Definition) -> String {
    format!("machine:{target}/{}", definition.name())
}

impl NestedMachine {
    pub(super) fn key(&self) -> String {
        key(&self.target, &self.definition)
    }

    /// Returns the errors in the mocks of its tasks.
    pub(super) fn errors(&self) -> Vec<PlanError> {
        let recorder = Arc::new(Recorder::new(&self.definition, false));
        self.plan(&recorder).into_mocks().err().unwrap_or_default()
    }

    fn plan<'p>(&'p self, recorder: &'p Arc<Recorder>) -> Plan<'p> {
        Plan {
            definition: &self.definition,
            mocks: &self.mocks,
            external: &self.external,
            otherwise: None,
            handlers: None,
            recorder,
            storage: &self.storage,
        }
    }

    async fn run(self, task: Task) -> PerformResult {
        let input = input(&task);
        let name = name(&task);
        let identity = Arc::new(Identity::new(self.definition.name(), &name));
        let ended = self.drive(&task, &input, &identity).await?;
        let integration = task.resource().integration();
        let starts_execution = task.resource().uri.contains(":states:startExecution");
        let waits = integration.is_none_or(|it| it.pattern != IntegrationPattern::RequestResponse);
        if waits || !starts_execution {
            let took = ended.stop_date.duration_since(ended.start_date);
            task.sleep(took).await;
        }
        let as_json = task.resource().uri.ends_with(":2");
        let described = NestedDescription {
            ended: &ended,
            identity: &identity,
            input,
        };
        match (starts_execution, waits, ended.outcome.output()) {
            (false, _, Some(output)) => Ok(completed(Value::clone(output))),
            (true, false, _) => Ok(completed(described.start())),
            (true, true, Some(_)) => Ok(completed(described.whole(as_json))),
            _ => Err(TaskError::failed(described.whole(false).to_string())),
        }
    }

    async fn drive(
        &self,
        task: &Task,
        input: &Value,
        identity: &Arc<Identity>,
    ) -> Result<EndedExecution, TaskError> {
        let place = self.recorder.place_of(task);
        let recorder = Arc::new(self.recorder.nested(&self.definition, &place));
        let mocks = self.plan(&recorder).into_mocks();
        // They were found to be right before the case began.
        let mocks = mocks.map_err(|_| TaskError::failed("the mocks are invalid"))?;
        let runtime = Runtime::builder()
            .clock(Clock::virtual_from(task.now()))
            .seed(0)
            .handlers(mocks)
            .storage(Arc::clone(&self.storage))
            .observer(Arc::clone(&recorder))
            .build();
        let name = identity.execution_name();
        let start = Start::new(name, input.clone(), task.now())
            .with_identity(Arc::clone(identity))
            .with_seed(0)
            .with_limits(limits(&self.definition, MAX_TRANSITIONS))
            .with_state_machine_type(self.definition.state_machine_type());
        let mut execution = runtime
            .start_execution(self.definition.program(), start)
            .await;
        let ended = execution.ended().await;
        self.recorder.absorb(&self.target, recorder.take());
        Ok(ended)
    }
}

impl Performer for NestedMachine {
    fn perform(&self, request: Request) -> BoxFuture<'static, PerformResult> {
        match request {
            Request::Task(task) => Box::pin(self.clone().run(task)),
            request @ Request::Storage(_) => TaskHandlers::new().perform(request),
        }
    }
}

fn completed(output: Value) -> asl_engine::Answer {
    TaskAnswer::Completed(output).into()
}

/// "Input" of `startExecution`, which may be JSON in a string; of other tasks all of the payload.
fn input(task: &Task) -> Value {
    if !task.resource().uri.contains(":states:startExecution") {
        return task.payload().clone();
    }
    match task.payload().get("Input") {
        None => Value::Object(Map::new()),
        Some(Value::String(text)) => {
            let parsed = asl_path::json::parse(text, asl_path::json::DEFAULT_MAX_DEPTH);
            parsed.unwrap_or_else(|_| text.clone().into())
        }
        Some(input) => input.clone(),
    }
}

fn name(task: &Task) -> String {
    let given = task.payload().get("Name").and_then(Value::as_str);
    given.map_or_else(|| task.idempotency_key(), str::to_owned)
}

/// An execution as the service reports it.
struct NestedDescription<'d> {
    ended: &'d EndedExecution,
    identity: &'d Identity,
    input: Value,
}

impl NestedDescription<'_> {
    fn start(&self) -> Value {
        json!({
            "ExecutionArn": self.identity.execution_arn(),
            "StartDate": self.ended.start_date.milliseconds(),
        })
    }

    /// Recorded from the service: in alphabetical order, with texts for input and output but where `.sync:2` asks.
    fn whole(&self, as_json: bool) -> Value {
        let written = |value: &Value| match as_json {
            true => value.clone(),
            false => value.to_string().into(),
        };
        let mut whole = Map::new();
        if let Some(failure) = self.ended.outcome.failure() {
            whole.extend(
                failure
                    .cause
                    .map(|cause| ("Cause".to_owned(), cause.into())),
            );
            whole.extend(
                failure
                    .error
                    .map(|error| ("Error".to_owned(), error.into())),
            );
        }
        let mut put = |name: &str, value: Value| whole.insert(name.to_owned(), value);
        put("ExecutionArn", self.identity.execution_arn().into());
        put("Input", written(&self.input));
        put("InputDetails", json!({"Included": true}));
        put("Name", self.identity.execution_name().into());
        if let Some(output) = self.ended.outcome.output() {
            put("Output", written(output));
            put("OutputDetails", json!({"Included": true}));
        }
        put("StartDate", self.ended.start_date.milliseconds().into());
        put("StateMachineArn", self.identity.state_machine_arn().into());
        put("Status", self.ended.outcome.status().into());
        put("StopDate", self.ended.stop_date.milliseconds().into());
        Value::Object(whole)
    }
}
