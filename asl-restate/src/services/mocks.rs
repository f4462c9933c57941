//! Tasks that a test case answers: an object for each root execution counts the attempts of each state.
//!
//! A workflow's messages to one object arrive in their order, so attempts are counted in the order in which the core asked.
use super::names::MOCKS;
use crate::messages::{
    MockedRequest, MockedTestCase, PerformRequest, Performable, PerformedRequest,
};
use crate::node::{Node, now};
use asl_engine::runtime::{BoxFuture, PerformResult, Performer, Request, Task};
use asl_engine::{Answer, TaskError, TaskInvocation};
use asl_performers::MockHandler;
use restate_sdk::prelude::*;
use std::sync::Arc;

pub(super) struct MocksObject(pub(super) Arc<Node>);

#[restate_sdk::object(name = "AslMocks", lazy_state)]
impl MocksObject {
    /// Answers the next attempt of a state.
    #[handler]
    async fn perform(
        &self,
        ctx: ObjectContext<'_>,
        request: Json<MockedRequest>,
    ) -> HandlerResult<Json<PerformedRequest>> {
        let MockedRequest {
            state_machine,
            test_case,
            request,
        } = request.into_inner();
        // Kept, since what the handler gives must be the same when it runs again.
        let at = ctx.run(|| async { Ok(Json(now())) }).name("now");
        let Json(at) = at.await?;
        let Performable::Task(invocation) = request.effect else {
            let cause = "expected a task of a test case, found a request to an object store";
            return Ok(Json(PerformedRequest::new(
                at,
                Err(TaskError::failed(cause)),
            )));
        };
        let handler = handler(&self.0, &state_machine, &test_case)?;
        let attempt: Option<u64> = ctx.get(&invocation.state_name).await?;
        let attempt = attempt.unwrap_or_default();
        ctx.set(&invocation.state_name, attempt + 1);
        let task = Task::detached((*invocation).clone());
        let answer = handler.answer_attempt(&task, attempt);
        let answer = answer.unwrap_or_else(|| Err(no_longer_listed(&task, &test_case)));
        Ok(Json(PerformedRequest::new(at, answer.map(Answer::Task))))
    }

    /// Forgets the attempts of an execution that is not kept any more.
    #[handler]
    async fn forget(&self, ctx: ObjectContext<'_>) -> HandlerResult<()> {
        ctx.clear_all();
        Ok(())
    }
}

/// Returns the mocks of a test case.
pub(super) fn handler(
    node: &Node,
    state_machine: &str,
    test_case: &str,
) -> Result<MockHandler, HandlerError> {
    // Another node may have the file, or this one when it is started again.
    let missing = || {
        HandlerError::from(format!(
            "this node has no test case '{test_case}' of state machine '{state_machine}': start every node with the mock file \
             that the execution was started with"
        ))
    };
    node.test_case(state_machine, test_case).ok_or_else(missing)
}

/// Has the tasks of a test case answered where attempts are counted, and all others by the performer of the node: for executions
/// that run within an invocation.
pub(super) struct ByTestCase {
    pub(super) node: Arc<Node>,
    pub(super) mocked: Arc<MockedTestCase>,
}

impl Performer for ByTestCase {
    fn perform(&self, request: Request) -> BoxFuture<'static, PerformResult> {
        match request {
            Request::Task(task) if self.mocked.answers(task.state_name()) => {
                let (node, mocked) = (Arc::clone(&self.node), Arc::clone(&self.mocked));
                Box::pin(async move { request_result(&node, &mocked, &task).await })
            }
            other => self.node.performer.perform(other),
        }
    }

    fn follows(&self, task: &TaskInvocation) -> bool {
        !self.mocked.answers(&task.state_name) && self.node.performer.follows(task)
    }
}

async fn request_result(node: &Node, mocked: &MockedTestCase, task: &Task) -> PerformResult {
    let invocation = task.invocation();
    let request = PerformRequest {
        identity: Arc::clone(&invocation.identity),
        effect: Performable::Task(Arc::new(invocation.clone())),
        is_open: false,
        fingerprint: String::new(),
        workflow: None,
    };
    let place = (MOCKS, &*mocked.root, "perform");
    let performed: Result<PerformedRequest, _> =
        node.client.call(place, &mocked.request(request)).await;
    match performed {
        Ok(performed) => performed.answered(),
        Err(error) => Err(TaskError::failed(error.to_string())),
    }
}

fn no_longer_listed(task: &Task, test_case: &str) -> TaskError {
    let state = task.state_name();
    let cause = format!(
        "the test case '{test_case}' listed the state '{state}' when the execution started, but no longer does"
    );
    TaskError::new("States.Runtime", cause).failing_the_execution()
}
