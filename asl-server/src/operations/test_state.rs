//! TestState.
use super::computed::{SMALL, apart, reserve};
use crate::api::{Api, Call};
use crate::definition::check_json;
use crate::protocol::ApiError;
use crate::scope::Scope;
use asl_backend::{Backend, MemoryUse};
use asl_engine::{
    ErrorOutput, Identity, IntegrationPattern, Resource, ResourceKind, StateMachineIdentity,
    TaskError, TaskInvocation, Timestamp,
};
use asl_test_state::{TestStateRequest, Tester};
use serde_json::Value;
use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// The state machine that a tested state is of, as `asl_test_state` shows it in the Context Object.
const NAME: &str = "TestState";
/// Step Functions Developer Guide, TestState API: a state may take five minutes.
const LONGEST_SECONDS: u64 = 300;

/// Maximum memory of a test (`Limits::max_execution_bytes`).
const MOST_BYTES: u64 = 256 << 20;
/// Number of evaluation steps that delay no other request: a fraction of a millisecond.
const FEW_STEPS: u64 = 20_000;

pub(super) async fn test(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    if let Some(tested) = test_here(api, &call)? {
        return Ok(tested);
    }
    let services = Arc::clone(&api.services);
    let now = api.backend.now();
    // The semaphore is never closed.
    let _permit = api.tests.acquire().await;
    let computing = Arc::clone(&api.computing);
    let permit = Arc::clone(&computing).acquire_owned().await.ok();
    let _reserved = reserve(api, MemoryUse::Tests, MOST_BYTES)?;
    // It is dropped with this future, where the client has gone.
    let (_here, gone) = oneshot::channel::<()>();
    let mut tasks = Tasks {
        backend: Arc::clone(&api.backend),
        scope: call.scope.clone(),
        tokio: Handle::current(),
        gone,
        computing,
        permit,
    };
    let tested = apart(move || {
        let request = TestStateRequest::from_value(&call.request)?;
        check_json(&request.definition)?;
        let tester = tester(&call, now).with_services(&services);
        let tested = tester.with_tasks(|task| tasks.perform(task)).test(&request);
        tested.map_err(ApiError::from)
    });
    Ok(tested.await??.to_value())
}

/// Tests a small state that has nothing performed where the request runs; None of any other.
fn test_here(api: &Api, call: &Call) -> Result<Option<Value>, ApiError> {
    let request = TestStateRequest::from_value(&call.request)?;
    let texts = [
        request.input.as_deref(),
        request.variables.as_deref(),
        request.context.as_deref(),
    ];
    let bytes: usize = texts.into_iter().flatten().map(str::len).sum();
    if request.definition.len() + bytes > SMALL {
        return Ok(None);
    }
    let state = api.tested_states.of(&request)?;
    let performs = Cell::new(false);
    let tester = tester(call, api.backend.now()).with_services(&api.services);
    let tester = tester.with_state(state);
    let mut tester = tester.with_tasks(|_| {
        performs.set(true);
        Err(ErrorOutput::default())
    });
    let tested = tester.test_within(&request, FEW_STEPS);
    drop(tester);
    match performs.get() {
        true => Ok(None),
        false => Ok(tested?.map(|response| response.to_value())),
    }
}

fn tester<'p>(call: &Call, now: Timestamp) -> Tester<'p> {
    let scope = &call.scope;
    Tester::new(now).with_caller(&scope.partition, &scope.region, &scope.account)
}

/// Performs tasks without a mock.
struct Tasks {
    backend: Arc<dyn Backend>,
    scope: Scope,
    tokio: Handle,
    gone: oneshot::Receiver<()>,
    /// The core that it computes on, which others have while it waits for a task.
    computing: Arc<Semaphore>,
    permit: Option<OwnedSemaphorePermit>,
}

impl Tasks {
    fn perform(&mut self, task: &TaskInvocation) -> Result<Value, ErrorOutput> {
        if !answers_at_once(&task.resource) {
            let cause = format!(
                "TestState does not wait for jobs, callbacks or workers: mock the state of {}",
                task.resource.uri
            );
            return Err(TaskError::failed(cause).error_output);
        }
        let mut task = task.clone();
        task.identity = Arc::new(self.identity());
        let seconds = task
            .timeout_seconds
            .map_or(LONGEST_SECONDS, |seconds| seconds.min(LONGEST_SECONDS));
        let performing = self.backend.perform_task(task);
        self.permit = None;
        let answer = self.tokio.block_on(async {
            tokio::select! {
                answer = performing => answer,
                _ = &mut self.gone => Err(ErrorOutput::default()),
                () = tokio::time::sleep(Duration::from_secs(seconds)) => {
                    Err(ErrorOutput::without_cause("States.Timeout"))
                }
            }
        });
        // The semaphore is never closed.
        let permit = Arc::clone(&self.computing).acquire_owned();
        self.permit = self.tokio.block_on(permit).ok();
        answer
    }

    /// Of the account and region that ask.
    fn identity(&self) -> Identity {
        let machine = StateMachineIdentity {
            arn: self.scope.arn(format_args!("stateMachine:{NAME}")),
            region: self.scope.region.to_string(),
            ..StateMachineIdentity::new(NAME)
        };
        Identity::from_state_machine(Arc::new(machine), NAME)
    }
}

/// Step Functions Developer Guide, TestState API: activities, `.sync` and `.waitForTaskToken` are not performed.
fn answers_at_once(resource: &Resource) -> bool {
    match &resource.kind {
        ResourceKind::Activity => false,
        ResourceKind::Integration(integration) => {
            integration.pattern == IntegrationPattern::RequestResponse
        }
        ResourceKind::LambdaFunction | ResourceKind::Other => true,
    }
}
