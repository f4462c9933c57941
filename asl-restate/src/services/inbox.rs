//! Inboxes: how an execution, and each of its tasks, receives messages from outside, one after another.
//!
//! The state of the workflow holds the awakeable for the next message, and the number of its turn. A sender first resolves
//! the promise of that turn: the sender whose name is stored may send, and the others repeat later. Restate itself would
//! silently accept a second or a late message.
use crate::messages::{CommandAnswer, OpenInbox};
use asl_engine::EffectId;
use restate_sdk::context::DurableFuture;
use restate_sdk::prelude::*;
use serde::{Deserialize, Serialize};

/// The inbox of the execution itself.
pub(super) const OWN: &str = "inbox";

/// Returns the inbox of a task.
pub(super) fn of_task(id: EffectId) -> String {
    format!("task-{}", id.0)
}

/// The result of sending a message.
pub(super) enum SendOutcome {
    /// The message arrives in this turn, unless the receiver has ended by then.
    Heard(u64),
    /// Another one is heard in this turn.
    Busy(u64),
    /// No receiver.
    Closed,
}

/// From now on an inbox waits for a message, after so many others.
pub(super) fn open<'ctx, M: for<'m> Deserialize<'m> + Send + 'static>(
    ctx: &WorkflowContext<'ctx>,
    inbox: &str,
    turn: u64,
) -> impl DurableFuture<Output = Result<Json<M>, TerminalError>> + Send + 'ctx {
    let (awakeable, heard) = ctx.awakeable::<Json<M>>();
    ctx.set(inbox, Json(OpenInbox { awakeable, turn }));
    heard
}

/// Sends a message to an inbox, if it is the first of its turn.
pub(super) async fn send<M: Serialize + Send + 'static>(
    ctx: &SharedWorkflowContext<'_>,
    inbox: &str,
    message: M,
) -> Result<SendOutcome, TerminalError> {
    let Some(Json(open)) = ctx.get::<Json<OpenInbox>>(inbox).await? else {
        return Ok(SendOutcome::Closed);
    };
    let turn = format!("told-{inbox}-{}", open.turn);
    let own = ctx.invocation_id().to_owned();
    // A promise is resolved once, by whoever comes first.
    ctx.resolve_promise(&turn, own.clone());
    let first: String = ctx.promise(&turn).await?;
    if first != own {
        return Ok(SendOutcome::Busy(open.turn));
    }
    ctx.resolve_awakeable(&open.awakeable, Json(message));
    Ok(SendOutcome::Heard(open.turn))
}

/// Returns the current turn of an inbox; None if there is no receiver.
pub(super) async fn turn(
    ctx: &SharedWorkflowContext<'_>,
    inbox: &str,
) -> Result<Option<u64>, TerminalError> {
    let open = ctx.get::<Json<OpenInbox>>(inbox).await?;
    Ok(open.map(|open| open.0.turn))
}

fn answer_of(turn: u64) -> String {
    format!("answer-{turn}")
}

/// Sends the result of the command of a turn.
pub(super) fn answer(ctx: &WorkflowContext<'_>, turn: u64, answer: CommandAnswer) {
    ctx.resolve_promise(&answer_of(turn), Json(answer));
}

/// Waits for what comes of the command of a turn.
pub(super) async fn answered(
    ctx: &SharedWorkflowContext<'_>,
    turn: u64,
) -> Result<CommandAnswer, TerminalError> {
    let name = answer_of(turn);
    let answer: Json<CommandAnswer> = ctx.promise(&name).await?;
    Ok(answer.into_inner())
}
