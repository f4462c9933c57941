//! Starts, descriptions, lists, stops and redrives.
use super::{Context, Outcome, activity, ensure, equal, pass, same_time, text, wait, work};
use crate::{
    ExecutionFilter, ExecutionParent, ExecutionStatus, Payload, RedriveError, StartError,
    StopError, TaskReply, milliseconds,
};
use asl_engine::ErrorOutput;
use std::sync::Arc;

pub(super) async fn a_start_is_idempotent(context: &Context<'_>) -> Outcome {
    let first = context.start("same", wait(600), r#"{"n": 1}"#).await?;
    let again = context.start("same", wait(600), r#"{"n": 1}"#).await?;
    ensure(first.is_new && !again.is_new, "the second start is new")?;
    same_time("the start date", again.start_date, first.start_date)?;
    equal("the ARN", &again.arn, &first.arn)?;
    let other = context.try_start("same", wait(600), r#"{"n": 2}"#).await?;
    equal("another input", &other, &Err(StartError::AlreadyExists))?;
    let stopped = context
        .backend
        .stop(Arc::clone(&first.arn), ErrorOutput::default());
    stopped.await.map_err(text)?;
    let ended = context.try_start("same", wait(600), r#"{"n": 1}"#).await?;
    equal(
        "a start after the end",
        &ended,
        &Err(StartError::AlreadyExists),
    )
}

pub(super) async fn an_execution_is_described(context: &Context<'_>) -> Outcome {
    let started = context.start("one", pass(), r#"{"n":1.0}"#).await?;
    let ended = context
        .wait(&started.arn, ExecutionStatus::Succeeded)
        .await?;
    equal("the input", &&*ended.input, &r#"{"n":1.0}"#)?;
    equal(
        "the output",
        &ended.output.as_deref(),
        &Some(r#"{"n":1.0}"#),
    )?;
    equal("the name", &&*ended.summary.name, &"one")?;
    same_time(
        "the start date",
        ended.summary.start_date,
        started.start_date,
    )?;
    ensure(
        ended
            .summary
            .stop_date
            .is_some_and(|stop| milliseconds(stop) >= milliseconds(started.start_date)),
        "the end has no date, or one before the start",
    )?;
    equal("the number of events", &ended.event_count, &4)
}

pub(super) async fn executions_are_listed_in_pages(context: &Context<'_>) -> Outcome {
    let mut names = Vec::new();
    let mut machine: Arc<str> = "".into();
    for number in 0..5 {
        let name = format!("e{number}");
        let started = context.start(&name, pass(), "{}").await?;
        let ended = context
            .wait(&started.arn, ExecutionStatus::Succeeded)
            .await?;
        machine = ended.summary.state_machine_arn;
        names.insert(0, name);
        // Lists are in the order of the starts, to the millisecond.
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
    let filter = ExecutionFilter {
        parent: ExecutionParent::StateMachine(machine),
        status: Some(ExecutionStatus::Succeeded),
        is_redriven: None,
    };
    let pages = context.list(&filter, 2, names.len()).await?;
    let sizes: Vec<usize> = pages.iter().map(Vec::len).collect();
    equal("the pages", &sizes, &vec![2, 2, 1])?;
    let found = pages.iter().flatten().map(|it| it.name.to_string());
    equal("the list", &found.collect::<Vec<_>>(), &names)
}

pub(super) async fn a_stopped_execution_keeps_its_end(context: &Context<'_>) -> Outcome {
    let started = context.start("long", wait(600), "{}").await?;
    let error = ErrorOutput::new("Why", "because");
    let stop = |error| context.backend.stop(Arc::clone(&started.arn), error);
    let date = stop(error.clone()).await.map_err(text)?;
    let again = stop(ErrorOutput::default()).await.map_err(text)?;
    same_time("the date of the second stop", again, date)?;
    let ended = context.wait(&started.arn, ExecutionStatus::Aborted).await?;
    same_time(
        "the stop date",
        ended.summary.stop_date.unwrap_or_default(),
        date,
    )?;
    equal("the error", &ended.error_output, &error)
}

pub(super) async fn unknown_executions_are_refused(context: &Context<'_>) -> Outcome {
    let started = context.start("known", pass(), "{}").await?;
    let arn: Arc<str> = format!("{}-not", started.arn).into();
    let backend = &context.backend;
    equal(
        "a description",
        &backend.describe(Arc::clone(&arn)).await,
        &Ok(None),
    )?;
    let stopped = backend.stop(Arc::clone(&arn), ErrorOutput::default()).await;
    equal("a stop", &stopped, &Err(StopError::NoExecution))?;
    let followed = backend.follow(Arc::clone(&arn), 0, super::PATIENCE).await;
    equal("a follower", &followed, &Ok(None))?;
    let ended = backend.wait_for_end(arn, super::PATIENCE).await;
    equal("an end", &ended, &Ok(None))
}

/// Starts an execution whose worker fails, and redrives it.
pub(super) async fn redriven(context: &Context<'_>, name: &str) -> Result<Arc<str>, String> {
    let activity = activity(&format!("{}-{name}", context.case));
    let started = context.start(name, work(&activity), "{}").await?;
    let token = context.take_task(&activity).await?;
    let failure = TaskReply::Failure(ErrorOutput::new("Broken", "it broke"));
    let replied = context.backend.reply_to_task(token, failure).await;
    replied.map_err(text)?;
    let failed = context.wait(&started.arn, ExecutionStatus::Failed).await?;
    equal(
        "the error",
        &failed.error_output,
        &ErrorOutput::new("Broken", "it broke"),
    )?;
    let redrive = |token: &str| {
        context
            .backend
            .redrive(Arc::clone(&started.arn), Some(token.into()))
    };
    let date = redrive("t").await.map_err(text)?;
    same_time(
        "the redrive with the same token",
        redrive("t").await.map_err(text)?,
        date,
    )?;
    let token = context.take_task(&activity).await?;
    let output = TaskReply::Success(Payload::parse("1").map_err(text)?);
    context
        .backend
        .reply_to_task(token, output)
        .await
        .map_err(text)?;
    let ended = context
        .wait(&started.arn, ExecutionStatus::Succeeded)
        .await?;
    equal("the redrive count", &ended.summary.redrive_count, &1)?;
    Ok(started.arn)
}

pub(super) async fn a_failed_execution_is_redriven(context: &Context<'_>) -> Outcome {
    let arn = redriven(context, "redriven").await?;
    let refused = context.backend.redrive(arn, None).await;
    ensure(
        matches!(refused, Err(RedriveError::NotRedrivable(_))),
        format!("the redrive of an execution that succeeded is {refused:?}"),
    )
}

pub(super) async fn executions_continue_after_a_restart(context: &Context<'_>) -> Outcome {
    let activity = activity("restarted");
    let started = context.start("restarted", work(&activity), "{}").await?;
    let token = context.take_task(&activity).await?;
    let backend = context.subject.restart().await;
    let output = TaskReply::Success(Payload::parse("2").map_err(text)?);
    backend.reply_to_task(token, output).await.map_err(text)?;
    let ended = backend.wait_for_end(started.arn, super::PATIENCE).await;
    let ended = ended.map_err(text)?.map(|it| it.output);
    equal("the output", &ended, &Some(Some("2".into())))
}
