//! The service that performs what executions request, by the performer of its node.
use super::link::{Link, effect_id};
use crate::messages::{PerformRequest, Performable, PerformedRequest};
use crate::node::Node;
use asl_engine::runtime::{Request, StorageTask, Task};
use restate_sdk::prelude::*;
use std::convert::Infallible;
use std::sync::Arc;

pub(super) struct PerformerService(pub(super) Arc<Node>);

#[restate_sdk::service(name = "AslPerformer")]
impl PerformerService {
    /// Performs it. Where the node ends meanwhile, it is performed again, here or at another: at least once.
    #[handler]
    async fn perform(
        &self,
        ctx: Context<'_>,
        request: Json<PerformRequest>,
    ) -> HandlerResult<Json<PerformedRequest>> {
        let node = Arc::clone(&self.0);
        // What it gives is an entry of the journal: where the node ends between writing the handler's output and ending the
        // invocation, the handler runs once more, and what it then gives must be the same.
        let performed = ctx.run(move || async move {
            let performed = perform(&node, request.into_inner()).await;
            Ok(Json(performed))
        });
        Ok(performed.name("perform").await?)
    }
}

async fn perform(node: &Arc<Node>, request: PerformRequest) -> PerformedRequest {
    let link = Link::new(Arc::clone(node), node.tokens().await, &request);
    let arn: Arc<str> = request.identity.execution_arn().into();
    let id = effect_id(&request.effect);
    let _registered = node.links.register(arn, id, &link);
    let watched = Arc::clone(&link);
    let asked: Request = match request.effect {
        Performable::Task(task) => Task::new(task, link).into(),
        Performable::Storage(storage) => StorageTask::new(storage, link).into(),
    };
    let answering = asl_backend::perform(&*node.performer, asked);
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
