//! Messages of workers about tasks, and the tasks that they receive.
use crate::messages::{ActivityOffer, ExternalEvent, ExternalMessage, JsonText};
use crate::node::Node;
use crate::services::names::ACTIVITY;
use asl_backend::{ActivityTask, BackendError, TaskReply, TokenRefused};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

/// Interval at which a waiting worker checks for a task.
const LOOKS: Duration = Duration::from_millis(200);

pub(super) async fn reply(
    node: &Node,
    token: Arc<str>,
    reply: TaskReply,
) -> Result<(), TokenRefused> {
    let tokens = node.tokens().await;
    let task = tokens.verify(&token).ok_or(TokenRefused::Invalid)?;
    let what = match reply {
        TaskReply::Success(output) => ExternalEvent::Success(JsonText(Arc::clone(output.text()))),
        TaskReply::Failure(error_output) => ExternalEvent::Failure(error_output),
        TaskReply::Heartbeat => ExternalEvent::Heartbeat,
    };
    let at = node.now();
    let outside = ExternalMessage { at, what };
    node.send_message(&task.execution_arn, task.effect, outside)
        .await
}

/// Waits for a task of an activity. If the worker is gone when a task is taken, the task is offered again.
pub(super) async fn take(
    node: Arc<Node>,
    activity_arn: Arc<str>,
    worker_name: Option<Arc<str>>,
) -> Result<ActivityTask, BackendError> {
    loop {
        let (told, taken) = oneshot::channel();
        let (node, arn) = (Arc::clone(&node), Arc::clone(&activity_arn));
        let worker_name = worker_name.clone();
        tokio::spawn(async move {
            let task = take_one(&node, &arn, worker_name).await;
            if let Err(Ok(Some(offer))) = told.send(task) {
                // Nothing is to be done where it cannot: the task times out as one that its worker lost.
                let _ = node.client.order((ACTIVITY, &arn, "offer"), &offer).await;
            }
        });
        let gone = |_| BackendError::Unavailable("the backend is being closed".to_owned());
        match taken.await.map_err(gone)?? {
            Some(offer) => {
                return Ok(ActivityTask {
                    token: offer.token,
                    input: offer.input.0,
                });
            }
            None => tokio::time::sleep(LOOKS).await,
        }
    }
}

/// A task that is still waited for, and whose execution knows now that it is begun.
async fn take_one(
    node: &Node,
    activity_arn: &str,
    worker_name: Option<Arc<str>>,
) -> Result<Option<ActivityOffer>, BackendError> {
    loop {
        let place = (ACTIVITY, activity_arn, "take");
        let taken: Option<ActivityOffer> = node.client.query(place).await?;
        let Some(offer) = taken else {
            return Ok(None);
        };
        let outside = ExternalMessage {
            at: node.now(),
            what: ExternalEvent::Started(worker_name.clone()),
        };
        match node
            .send_message(&offer.execution_arn, offer.effect, outside)
            .await
        {
            Ok(()) => return Ok(Some(offer)),
            // It timed out, or its execution ended: the next one.
            Err(TokenRefused::Backend(error)) => return Err(error),
            Err(_) => {}
        }
    }
}
