//! The service that performs what executions request, by the performer of its node.
use super::link::{Link, effect_id};
use crate::messages::{AnswerMessage, JsonText, PerformRequest, Performable, PerformedRequest};
use crate::node::Node;
use asl_engine::TaskAnswer;
use asl_engine::runtime::{PerformResult, StorageTask, Task, follows};
use restate_sdk::prelude::*;
use std::convert::Infallible;
use std::sync::Arc;

pub(super) struct PerformerService(pub(super) Arc<Node>);

#[restate_sdk::service(name = "AslPerformer")]
impl PerformerService {
    /// Performs it. Where the node ends meanwhile, it is performed again, here or at another: at least once. A job that was
    /// submitted is only followed again.
    #[handler]
    async fn perform(
        &self,
        ctx: Context<'_>,
        request: Json<PerformRequest>,
    ) -> HandlerResult<Json<PerformedRequest>> {
        let request = Arc::new(request.into_inner());
        let (node, asked) = (Arc::clone(&self.0), Arc::clone(&request));
        // What it gives is an entry of the journal: where the node ends between writing the handler's output and ending the
        // invocation, the handler runs once more, and what it then gives must be the same.
        let performed =
            ctx.run(move || async move { Ok(Json(perform(&node, &asked, None).await)) });
        let Json(performed) = performed.name("perform").await?;
        let Some(submission) = self.followed(&request, &performed) else {
            return Ok(Json(performed));
        };
        let node = Arc::clone(&self.0);
        let followed = ctx
            .run(move || async move { Ok(Json(perform(&node, &request, Some(submission)).await)) });
        Ok(followed.name("follow").await?)
    }
}

impl PerformerService {
    /// Returns the first answer of a job that is to be followed.
    fn followed(&self, request: &PerformRequest, performed: &PerformedRequest) -> Option<JsonText> {
        match (&request.effect, &performed.answer) {
            (Performable::Task(task), AnswerMessage::Submitted(submission)) => {
                follows(&*self.0.performer, task).then(|| submission.clone())
            }
            _ => None,
        }
    }
}

async fn perform(
    node: &Arc<Node>,
    request: &PerformRequest,
    submission: Option<JsonText>,
) -> PerformedRequest {
    let link = Link::new(Arc::clone(node), node.tokens().await, request);
    let arn: Arc<str> = request.identity.execution_arn().into();
    let id = effect_id(&request.effect);
    let _registered = node.links.register(arn, id, &link);
    let watched = Arc::clone(&link);
    let answering = answer(node, request, submission, link);
    let watching = async {
        if let Some(workflow) = &request.workflow {
            watched.watch(workflow).await;
        }
        std::future::pending::<Infallible>().await
    };
    let answered = tokio::select! {
        answered = answering => answered,
        never = watching => match never {},
    };
    PerformedRequest::new(node.now(), answered)
}

async fn answer(
    node: &Node,
    request: &PerformRequest,
    submission: Option<JsonText>,
    link: Arc<Link>,
) -> PerformResult {
    let performer = &*node.performer;
    match (&request.effect, submission) {
        (Performable::Storage(storage), _) => {
            let task = StorageTask::new(storage.clone(), link);
            asl_backend::perform(performer, task.into()).await
        }
        (Performable::Task(task), None) => {
            let task = Task::new(Arc::clone(task), link);
            asl_backend::perform(performer, task.into()).await
        }
        (Performable::Task(task), Some(submission)) => {
            let task = Task::new(Arc::clone(task), link);
            let submitted = TaskAnswer::Submitted(submission.value());
            asl_backend::follow(performer, task, Ok(submitted.into())).await
        }
    }
}
