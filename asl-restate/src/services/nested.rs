//! Executions that a task of another execution waits for: their messages to the task, until it receives them or no longer
//! waits.
//!
//! A nested execution reports its start, so that the other execution stops it when the task is cancelled, and its end. Both
//! messages are separate invocations, because the other execution may run elsewhere, and be unreachable for long.
use super::execution::{LinkMessage, TellMessage};
use super::names::{EXECUTION, TELLER};
use crate::messages::{
    Command, CommandReply, ExecutionOutcome, ExecutionStart, ExternalMessage, JsonText,
    NestedMessage, Redrives,
};
use crate::messages::{Delivery, ExternalEvent, Waiter};
use crate::pauses::Pauses;
use asl_backend::{NestedEnd, abort_of_nested, nested_submission};
use asl_engine::{TaskTokens, Timestamp};
use restate_sdk::context::RequestTarget;
use restate_sdk::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// First pause before a message is repeated to a task that has not received the previous one; the pauses grow to the second
/// value.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// Returns the pauses between repetitions of a message.
pub(super) fn pauses() -> impl Iterator<Item = Duration> {
    Pauses::new(FIRST_PAUSE, LONGEST_PAUSE)
}

pub(super) struct TellerService;

#[restate_sdk::service(name = "AslTeller")]
impl TellerService {
    /// Reports to a task that its nested execution has started; if the task no longer waits, the nested execution is
    /// stopped.
    #[handler]
    async fn begun(&self, ctx: Context<'_>, message: Json<NestedMessage>) -> HandlerResult<()> {
        let NestedMessage {
            waiter, nested, at, ..
        } = message.into_inner();
        let link = LinkMessage {
            effect: waiter.effect,
            nested: Arc::clone(&nested),
            at,
        };
        let target = RequestTarget::workflow(EXECUTION, &*waiter.execution_arn, "link");
        let link = ctx.request::<_, Json<bool>>(target, Json(link));
        let Json(is_awaited) = link.call().await?;
        if !is_awaited {
            let target = RequestTarget::workflow(EXECUTION, &*nested, "command");
            let stop = stop(&waiter.execution_arn, at);
            ctx.request::<_, ()>(target, Json(stop)).send();
        }
        Ok(())
    }

    /// Reports a task how the execution ended that it waits for.
    #[handler]
    async fn ended(&self, ctx: Context<'_>, message: Json<NestedMessage>) -> HandlerResult<()> {
        let NestedMessage {
            waiter, at, what, ..
        } = message.into_inner();
        for what in what {
            if !send(&ctx, &waiter, ExternalMessage { at, what }).await? {
                break;
            }
        }
        Ok(())
    }
}

/// Says something to a task, until it is heard; whether it is.
async fn send(
    ctx: &Context<'_>,
    waiter: &Waiter,
    outside: ExternalMessage,
) -> Result<bool, TerminalError> {
    let message = TellMessage {
        effect: waiter.effect,
        outside,
    };
    for pause in pauses() {
        let target = RequestTarget::workflow(EXECUTION, &*waiter.execution_arn, "tell");
        let tell = ctx.request::<_, Json<Delivery>>(target, Json(message.clone()));
        match tell.call().await?.into_inner() {
            Delivery::Heard => return Ok(true),
            Delivery::TooLate | Delivery::NoExecution => return Ok(false),
            Delivery::Busy => ctx.sleep(pause).await?,
        }
    }
    Ok(false)
}

/// Returns the command that stops an execution which is no longer needed.
pub(super) fn stop(parent_arn: &str, at: Timestamp) -> Command {
    let what = CommandReply::Stop(abort_of_nested(parent_arn));
    Command { at, what }
}

/// Reports the start of an execution to the waiting task, if there is one.
pub(super) fn report_start(
    ctx: &WorkflowContext<'_>,
    beginning: &ExecutionStart,
    tokens: &dyn TaskTokens,
) {
    let at = beginning.start.start().now;
    if let Some(message) = message(beginning, tokens, at, Vec::new()) {
        let target = RequestTarget::service(TELLER, "begun");
        ctx.request::<_, ()>(target, Json(message)).send();
    }
}

/// Reports the end of an execution to the waiting task, if there is one.
pub(super) fn report_end(
    ctx: &WorkflowContext<'_>,
    beginning: &ExecutionStart,
    tokens: &dyn TaskTokens,
    redrives: &Redrives,
    ending: &ExecutionOutcome,
) {
    let Some(nested) = &beginning.about.nested else {
        return;
    };
    let start = beginning.start.start();
    let end = NestedEnd {
        start,
        outcome: &ending.clone().outcome(),
        stop_date: ending.stop_date,
        redrive_count: redrives.count,
        version_arn: beginning.about.version_arn.as_deref(),
        alias_arn: beginning.about.alias_arn.as_deref(),
    };
    let answer = match end.answer(nested.form) {
        Ok(output) => ExternalEvent::Success(JsonText::new(&output)),
        Err(error_output) => ExternalEvent::Failure(error_output),
    };
    // It ends perhaps before whoever started it says so; only the first submission counts.
    let submitted = ExternalEvent::Submitted(JsonText::new(&nested_submission(start)));
    let what = vec![submitted, answer];
    if let Some(message) = message(beginning, tokens, ending.stop_date, what) {
        let target = RequestTarget::service(TELLER, "ended");
        ctx.request::<_, ()>(target, Json(message)).send();
    }
}

fn message(
    beginning: &ExecutionStart,
    tokens: &dyn TaskTokens,
    at: Timestamp,
    what: Vec<ExternalEvent>,
) -> Option<NestedMessage> {
    let nested = beginning.about.nested.as_ref()?;
    Some(NestedMessage {
        waiter: Waiter::new(nested, tokens)?,
        nested: beginning.start.start().identity.execution_arn().into(),
        at,
        what,
    })
}
