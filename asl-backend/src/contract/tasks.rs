//! Tasks of workers.
use super::{Context, Outcome, activity, equal, text, work};
use crate::{ExecutionStatus, Payload, TaskReply, TokenRefused};
use std::sync::Arc;

pub(super) async fn a_task_is_answered_by_its_token(context: &Context<'_>) -> Outcome {
    let activity = activity(context.case);
    let started = context.start("worked", work(&activity), "{}").await?;
    let token = context.take_task(&activity).await?;
    let reply = |reply| context.backend.reply_to_task(Arc::clone(&token), reply);
    equal("the heartbeat", &reply(TaskReply::Heartbeat).await, &Ok(()))?;
    let output = Payload::parse(r#"{"done": true}"#).map_err(text)?;
    equal(
        "the success",
        &reply(TaskReply::Success(output)).await,
        &Ok(()),
    )?;
    let ended = context
        .wait(&started.arn, ExecutionStatus::Succeeded)
        .await?;
    equal(
        "the output",
        &ended.output.as_deref(),
        &Some(r#"{"done":true}"#),
    )
}

pub(super) async fn an_answered_token_is_refused(context: &Context<'_>) -> Outcome {
    let activity = activity(context.case);
    let started = context.start("answered", work(&activity), "{}").await?;
    let token = context.take_task(&activity).await?;
    let success = || Ok::<_, String>(TaskReply::Success(Payload::parse("1").map_err(text)?));
    let reply = |token: &str, reply| context.backend.reply_to_task(token.into(), reply);
    equal("the success", &reply(&token, success()?).await, &Ok(()))?;
    context
        .wait(&started.arn, ExecutionStatus::Succeeded)
        .await?;
    let again = reply(&token, success()?).await;
    let is_refused = matches!(again, Err(TokenRefused::TimedOut | TokenRefused::Invalid));
    super::ensure(is_refused, format!("the second answer is {again:?}"))?;
    let invalid = reply("no token", success()?).await;
    equal(
        "an answer without a token",
        &invalid,
        &Err(TokenRefused::Invalid),
    )
}
