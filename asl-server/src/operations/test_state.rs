//! TestState.
use super::computed;
use crate::api::{Api, Call};
use crate::definition::check_json;
use crate::protocol::ApiError;
use crate::scope::Scope;
use asl_engine::{
    ErrorOutput, Identity, IntegrationPattern, Resource, ResourceKind, StateMachineIdentity,
    TaskError, TaskInvocation,
};
use asl_host::engine::Engine;
use asl_test_state::{TestStateRequest, Tester};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// The state machine that a tested state is of, as `asl_test_state` shows it in the Context Object.
const NAME: &str = "TestState";
/// Step Functions Developer Guide, TestState API: a state may take five minutes.
const LONGEST_SECONDS: u64 = 300;

pub(super) async fn test(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let services = Arc::clone(&api.services);
    let now = api.engine.now();
    // The semaphore is never closed.
    let _permit = api.tests.acquire().await;
    // It is dropped with this future, where the client has gone.
    let (_here, gone) = oneshot::channel::<()>();
    let mut tasks = Tasks {
        engine: Arc::clone(&api.engine),
        scope: call.scope.clone(),
        tokio: Handle::current(),
        gone,
    };
    let tested = computed(move || {
        let request = TestStateRequest::from_value(&call.request)?;
        check_json(&request.definition)?;
        let scope = &call.scope;
        let tester = Tester::new(now).with_caller(&scope.partition, &scope.region, &scope.account);
        let tester = tester.with_services(&services);
        let tested = tester.with_tasks(|task| tasks.perform(task)).test(&request);
        tested.map_err(ApiError::from)
    });
    Ok(tested.await??.to_value())
}

/// What performs the tasks that have no mock.
struct Tasks {
    engine: Arc<dyn Engine>,
    scope: Scope,
    tokio: Handle,
    gone: oneshot::Receiver<()>,
}

impl Tasks {
    fn perform(&mut self, task: &TaskInvocation) -> Result<Value, ErrorOutput> {
        if !answers_at_once(&task.resource) {
            let cause = format!(
                "TestState waits for no job, callback or worker: give the state of {} a mock",
                task.resource.uri
            );
            return Err(TaskError::failed(cause).error_output);
        }
        let mut task = task.clone();
        task.identity = Arc::new(self.identity());
        let seconds = task
            .timeout_seconds
            .map_or(LONGEST_SECONDS, |seconds| seconds.min(LONGEST_SECONDS));
        let performing = self.engine.perform_task(task);
        self.tokio.block_on(async {
            tokio::select! {
                answer = performing => answer,
                _ = &mut self.gone => Err(ErrorOutput::default()),
                () = tokio::time::sleep(Duration::from_secs(seconds)) => {
                    Err(ErrorOutput::without_cause("States.Timeout"))
                }
            }
        })
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
