//! Waiting for executions, and following them.
use super::executions::redriven;
use super::histories::ids;
use super::{
    Context, Outcome, PATIENCE, activity, ensure, equal, pass, same_time, text, wait, work,
};
use crate::{Backend, ExecutionStatus, FeedCursor, FollowError, Payload, StatusChange, TaskReply};
use asl_engine::ErrorOutput;
use std::sync::Arc;
use std::time::Duration;

pub(super) async fn an_end_is_waited_for(context: &Context<'_>) -> Outcome {
    let started = context.start("waited", wait(600), "{}").await?;
    let backend = &context.backend;
    let arn = || Arc::clone(&started.arn);
    let short = backend.wait_for_end(arn(), Duration::from_millis(20)).await;
    let status = short.map_err(text)?.map(|it| it.summary.status);
    equal(
        "the status in time",
        &status,
        &Some(ExecutionStatus::Running),
    )?;
    let stopping = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        backend.stop(arn(), ErrorOutput::default()).await
    };
    let (ended, stopped) = tokio::join!(backend.wait_for_end(arn(), PATIENCE), stopping);
    stopped.map_err(text)?;
    let status = ended.map_err(text)?.map(|it| it.summary.status);
    equal(
        "the status at the end",
        &status,
        &Some(ExecutionStatus::Aborted),
    )
}

pub(super) async fn events_are_followed_in_order(context: &Context<'_>) -> Outcome {
    let activity = activity(context.case);
    let started = context.start("followed", work(&activity), "{}").await?;
    let working = async {
        let token = context.take_task(&activity).await?;
        tokio::time::sleep(Duration::from_millis(50)).await;
        let output = TaskReply::Success(Payload::parse("1").map_err(text)?);
        let replied = context.backend.reply_to_task(token, output).await;
        replied.map_err(text)
    };
    let following = async {
        let (mut seen, mut calls) = (Vec::new(), 0);
        loop {
            let after = seen.len() as u64;
            let followed = context
                .backend
                .follow(Arc::clone(&started.arn), after, PATIENCE);
            let followed = followed.await.map_err(text)?;
            let followed = followed.ok_or("there is nothing to follow")?;
            ensure(
                followed.has_ended || !followed.events.is_empty(),
                "nothing came in time",
            )?;
            seen.extend(followed.events);
            calls += 1;
            if followed.has_ended {
                return Ok::<_, String>((seen, calls));
            }
        }
    };
    let (worked, followed) = tokio::join!(working, following);
    worked?;
    let (seen, calls) = followed?;
    equal("the ids", &ids(&seen)?, &(1..=seen.len() as u64).collect())?;
    ensure(
        calls > 1,
        "all events came at once, though a worker did part of the work later",
    )?;
    let last = seen.last().ok_or("no event came")?;
    ensure(
        last.contains("ExecutionSucceeded"),
        format!("the last event is {last}"),
    )
}

/// Returns the current cursor.
async fn current(backend: &dyn Backend) -> Result<FeedCursor, String> {
    let current = backend.follow_statuses(None, 1, Duration::ZERO).await;
    Ok(current.map_err(text)?.cursor)
}

/// Reads changes of one execution after a cursor, until so many have come.
async fn changes(
    backend: &dyn Backend,
    mut cursor: FeedCursor,
    arn: &str,
    count: usize,
) -> Result<Vec<StatusChange>, String> {
    let mut seen = Vec::new();
    while seen.len() < count {
        let read = backend.follow_statuses(Some(cursor), 2, PATIENCE).await;
        let read = read.map_err(text)?;
        ensure(
            !read.changes.is_empty(),
            format!("after {seen:?} nothing comes"),
        )?;
        seen.extend(read.changes.into_iter().filter(|it| *it.arn == *arn));
        cursor = read.cursor;
    }
    Ok(seen)
}

fn statuses(changes: &[StatusChange]) -> Vec<ExecutionStatus> {
    changes.iter().map(|change| change.status).collect()
}

pub(super) async fn status_changes_are_followed_in_order(context: &Context<'_>) -> Outcome {
    let backend = &*context.backend;
    let cursor = current(backend).await?;
    let started = context.start("fast", pass(), r#"{"n":1}"#).await?;
    let ended = context
        .wait(&started.arn, ExecutionStatus::Succeeded)
        .await?;
    let seen = changes(backend, cursor, &started.arn, 2).await?;
    let expected = vec![ExecutionStatus::Running, ExecutionStatus::Succeeded];
    equal("the statuses", &statuses(&seen), &expected)?;
    let [start, end] = &*seen else {
        return Err("there are more than two".to_owned());
    };
    same_time("the time of the start", start.at, started.start_date)?;
    same_time(
        "the time of the end",
        end.at,
        ended.summary.stop_date.unwrap_or_default(),
    )?;
    equal(
        "the machine",
        &end.state_machine_arn,
        &ended.summary.state_machine_arn,
    )
}

pub(super) async fn a_repeat_has_the_same_id(context: &Context<'_>) -> Outcome {
    let backend = &*context.backend;
    let cursor = current(backend).await?;
    let started = context.start("repeated", pass(), "{}").await?;
    context
        .wait(&started.arn, ExecutionStatus::Succeeded)
        .await?;
    let first = changes(backend, cursor.clone(), &started.arn, 2).await?;
    let again = changes(backend, cursor, &started.arn, 2).await?;
    let ids = |changes: &[StatusChange]| changes.iter().map(StatusChange::id).collect::<Vec<_>>();
    equal("the ids", &ids(&again), &ids(&first))?;
    let [start, _] = &*first else {
        return Err("there are more than two".to_owned());
    };
    let rest = changes(backend, start.cursor.clone(), &started.arn, 1).await?;
    equal(
        "the statuses after the start",
        &statuses(&rest),
        &vec![ExecutionStatus::Succeeded],
    )
}

pub(super) async fn an_unknown_cursor_is_refused(context: &Context<'_>) -> Outcome {
    current(&*context.backend).await?;
    let cursor = FeedCursor::new("no cursor");
    let refused = context
        .backend
        .follow_statuses(Some(cursor.clone()), 1, Duration::ZERO);
    equal(
        "the answer",
        &refused.await,
        &Err(FollowError::Unknown(cursor)),
    )
}

pub(super) async fn a_redrive_is_followed(context: &Context<'_>) -> Outcome {
    let backend = &*context.backend;
    let cursor = current(backend).await?;
    let arn = redriven(context, "redriven").await?;
    let seen = changes(backend, cursor, &arn, 4).await?;
    let expected = vec![
        ExecutionStatus::Running,
        ExecutionStatus::Failed,
        ExecutionStatus::Running,
        ExecutionStatus::Succeeded,
    ];
    equal("the statuses", &statuses(&seen), &expected)?;
    let failed = seen.get(1).map(|change| change.error_output.clone());
    equal(
        "the error",
        &failed,
        &Some(ErrorOutput::new("Broken", "it broke")),
    )
}

pub(super) async fn a_cursor_survives_a_restart(context: &Context<'_>) -> Outcome {
    let cursor = current(&*context.backend).await?;
    let started = context.start("before", pass(), "{}").await?;
    context
        .wait(&started.arn, ExecutionStatus::Succeeded)
        .await?;
    let backend = context.subject.restart().await;
    let seen = changes(&*backend, cursor, &started.arn, 2).await?;
    let expected = vec![ExecutionStatus::Running, ExecutionStatus::Succeeded];
    equal("the statuses", &statuses(&seen), &expected)
}
