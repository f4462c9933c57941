//! Tasks that wait for their tokens.
use asl_engine::runtime::{BoxFuture, ExecutionId, PerformResult, Performer, Request};
use asl_engine::{
    Answer, IntegrationPattern, ProgramTask, StorageRequest, TaskAnswer, TaskInvocation,
};
use std::sync::Arc;

/// Has what answers a task of `.waitForTaskToken` only hand it on, as the service does: its result comes with the token, over
/// the API.
pub(super) struct UntilTheToken(pub(super) Arc<dyn Performer>);

impl Performer for UntilTheToken {
    fn perform(&self, request: Request) -> BoxFuture<'static, PerformResult> {
        let waits = waits_for_token(&request);
        let answered = self.0.perform(request);
        if !waits {
            return answered;
        }
        Box::pin(async {
            answered.await.map(|answer| match answer {
                Answer::Task(TaskAnswer::Completed(first)) => {
                    Answer::Task(TaskAnswer::Submitted(first))
                }
                other => other,
            })
        })
    }

    fn can_perform(&self, task: &ProgramTask<'_>) -> bool {
        self.0.can_perform(task)
    }

    fn can_perform_storage(&self, request: &StorageRequest) -> bool {
        self.0.can_perform_storage(request)
    }

    fn follows(&self, task: &TaskInvocation) -> bool {
        self.0.follows(task)
    }

    fn execution_ended(&self, root: ExecutionId) {
        self.0.execution_ended(root);
    }
}

fn waits_for_token(request: &Request) -> bool {
    let Request::Task(task) = request else {
        return false;
    };
    let integration = task.resource().integration();
    integration.is_some_and(|it| it.pattern == IntegrationPattern::WaitForTaskToken)
}
