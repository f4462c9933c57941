//! Children of Map Runs that a redrive of their parent starts again: each has a workflow of its own, under the same ARN. Who
//! requests the ARN asks the first, which passes it on.
use super::names::EXECUTION;
use restate_sdk::context::RequestTarget;
use restate_sdk::prelude::*;

/// The promise of the key of the workflow that continues.
const NEXT: &str = "next";

/// Notes which workflow continues as the same child.
pub(super) fn note(ctx: &SharedWorkflowContext<'_>, key: Json<String>) {
    ctx.resolve_promise(NEXT, key);
}

/// The workflow that continues as the same child of a Map Run, where its parent was redriven. Only ARNs of children have a
/// label.
pub(super) async fn next_of(
    ctx: &SharedWorkflowContext<'_>,
) -> Result<Option<String>, TerminalError> {
    if !ctx.key().contains('/') {
        return Ok(None);
    }
    let next: Option<Json<String>> = ctx.peek_promise(NEXT).await?;
    Ok(next.map(Json::into_inner))
}

/// Asks another workflow the same.
pub(super) async fn forward<M, T>(
    ctx: &SharedWorkflowContext<'_>,
    key: String,
    handler: &str,
    message: M,
) -> HandlerResult<T>
where
    M: restate_sdk::serde::Serialize + Send + 'static,
    T: restate_sdk::serde::Deserialize + Send + 'static,
{
    let target = RequestTarget::workflow(EXECUTION, key, handler);
    let asked = ctx.request::<_, T>(target, message).call();
    Ok(asked.await?)
}
