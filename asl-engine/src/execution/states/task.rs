//! Task States: invoked, awaited, timed out (2024 specification, Task State).
use super::task_events::{failed, started, succeeded, task_scheduled};
use crate::data::{Data, Excess};
use crate::error_names;
use crate::error_output::ErrorOutput;
use crate::execution::departure::Departure;
use crate::execution::error::{StateError, too_large_text};
use crate::execution::evaluate::{EvaluationFault, RequestFields, task_request};
use crate::execution::machine::{
    Heartbeat, Next, PendingTask, Phase, Resumption, StepResult, TaskProgress, TaskTimers, Timer,
    TimerOwner, Turn, check_data,
};
use crate::execution::output::{EffectId, Output, TaskInvocation};
use crate::history::EventDetails;
use crate::program::TaskState;
use crate::{IntegrationPattern, ResourceKind};
use asl_model::Profile;
use serde_json::Value;
use std::hint::cold_path;
use std::sync::Arc;

/// Requests the task.
pub(super) fn invoke(turn: &mut Turn<'_>, task: &TaskState) -> StepResult {
    check_activity(turn, task)?;
    let state = turn.state;
    let effect = turn.machine.effects.next_id();
    let is_shown = state.uses_context && task.resource.has_task_token();
    if task.resource.waits_for_task_token() || is_shown {
        turn.flow.task_token = Some(turn.machine.task_token(effect).into());
    }
    if turn.is_plain() && !task.has_fields() && !state.processing.has_arguments() {
        check_data(
            &mut turn.flow.input,
            &turn.machine.start.limits,
            &state.name,
        )?;
        let payload = turn.flow.input.share();
        return Ok(send(turn, task, effect, payload, RequestFields::default()));
    }
    let (mut payload, fields) =
        turn.evaluate(|evaluation, raw| task_request(evaluation, state, task, raw))?;
    check_data(&mut payload, &turn.machine.start.limits, &state.name)?;
    Ok(send(turn, task, effect, payload.into_shared(), fields))
}

/// Fails the execution if the activity of a task does not exist (recorded).
fn check_activity(turn: &mut Turn<'_>, task: &TaskState) -> Result<(), Box<StateError>> {
    let uri = &*task.resource.uri;
    let is_absent = (turn.machine.start.absent_activities.iter()).any(|absent| **absent == *uri);
    match is_absent {
        false => Ok(()),
        true => Err(turn.fault(EvaluationFault::runtime(format!(
            "The activity {uri} does not exist."
        )))),
    }
}

fn send(
    turn: &mut Turn<'_>,
    task: &TaskState,
    effect: EffectId,
    payload: Arc<Value>,
    fields: RequestFields,
) -> Next {
    let identity = Arc::clone(&turn.machine.start.identity);
    turn.record(|| task_scheduled(task, &payload, identity.region(), &fields));
    if !matches!(task.resource.kind, ResourceKind::Activity) {
        turn.record(|| started(task));
    }
    // The events may have been the last that the limit allows.
    if turn.machine.has_ended() {
        cold_path();
        return Next::Wait(Phase::Interrupted(Resumption::Attempt));
    }
    let timers = set_timers(turn, fields.timeout_seconds, fields.heartbeat_seconds);
    let deadline = timers.as_ref().and_then(|timers| timers.deadline);
    let invocation = Arc::new(TaskInvocation {
        id: effect,
        state_name: Arc::clone(&turn.state.name),
        resource: Arc::clone(&task.resource),
        payload,
        credentials: fields.credentials,
        task_token: turn.flow.task_token.clone(),
        timeout_seconds: fields.timeout_seconds,
        heartbeat_seconds: fields.heartbeat_seconds,
        deadline: deadline.map(|timer| timer.at),
        retry_count: turn.flow.retry_count,
        started: turn.machine.start.now,
        identity,
    });
    turn.machine.effects.wait(effect, turn.id);
    turn.machine
        .outputs
        .push_back(Output::InvokeTask(Arc::clone(&invocation)));
    Next::Wait(Phase::Task(PendingTask {
        invocation,
        timers,
        progress: TaskProgress::Asked,
    }))
}

fn set_timers(
    turn: &mut Turn<'_>,
    timeout_seconds: Option<u64>,
    heartbeat_seconds: Option<u64>,
) -> Option<Box<TaskTimers>> {
    if timeout_seconds.is_none() && heartbeat_seconds.is_none() {
        return None;
    }
    let now = turn.machine.now;
    let mut set = |seconds: u64| {
        let owner = TimerOwner::Flow(turn.id);
        turn.machine.timers.set(now.plus_seconds(seconds), owner)
    };
    Some(Box::new(TaskTimers {
        deadline: timeout_seconds.map(&mut set),
        heartbeat: heartbeat_seconds.map(|seconds| Heartbeat {
            timer: set(seconds),
            seconds,
            due: now.plus_seconds(seconds),
        }),
    }))
}

/// Records that a worker begins an activity's task.
pub(crate) fn start_work(
    turn: &mut Turn<'_>,
    task: &TaskState,
    mut pending: PendingTask,
    worker_name: Option<String>,
) -> StepResult {
    start(turn, task, &mut pending, worker_name);
    Ok(Next::Wait(Phase::Task(pending)))
}

fn start(
    turn: &mut Turn<'_>,
    task: &TaskState,
    pending: &mut PendingTask,
    worker_name: Option<String>,
) {
    if pending.progress == TaskProgress::Asked && task.resource.kind == ResourceKind::Activity {
        pending.progress = TaskProgress::Started;
        turn.record(|| EventDetails::ActivityStarted { worker_name });
    }
}

/// Handles the answer of a service that took the request.
pub(crate) fn submit(
    turn: &mut Turn<'_>,
    task: &TaskState,
    mut pending: PendingTask,
    output: Arc<Value>,
) -> StepResult {
    if awaits_submission(task, &pending) {
        record_submission(turn, task, Some(Arc::clone(&output)));
        pending.progress = TaskProgress::Submitted(output);
    }
    Ok(Next::Wait(Phase::Task(pending)))
}

/// Only `.sync` and `.waitForTaskToken` have an answer of their own to the request.
pub(crate) fn awaits_submission(task: &TaskState, pending: &PendingTask) -> bool {
    let ResourceKind::Integration(integration) = &task.resource.kind else {
        return false;
    };
    integration.pattern != IntegrationPattern::RequestResponse
        && pending.progress == TaskProgress::Asked
}

fn record_submission(turn: &mut Turn<'_>, task: &TaskState, output: Option<Arc<Value>>) {
    if let Some(resource) = &task.event_resource {
        turn.record(|| EventDetails::TaskSubmitted {
            task: Arc::clone(resource),
            output,
        });
    }
}

/// The task is alive.
pub(crate) fn beat(turn: &mut Turn<'_>, mut pending: PendingTask) -> StepResult {
    let now = turn.machine.now;
    if let Some(heartbeat) = pending
        .timers
        .as_mut()
        .and_then(|timers| timers.heartbeat.as_mut())
    {
        // Never before its timer, not even by the time of a save that was changed.
        heartbeat.due = heartbeat.due.max(now.plus_seconds(heartbeat.seconds));
    }
    Ok(Next::Wait(Phase::Task(pending)))
}

/// Counts the timeouts of a task from now, as its handler did not have it before.
pub(crate) fn postpone(turn: &mut Turn<'_>, mut pending: PendingTask) -> StepResult {
    let is_passed_on = matches!(pending.progress, TaskProgress::Submitted(_));
    if !is_passed_on && pending.timers.is_some() {
        cancel_timers(turn, &pending);
        let TaskInvocation {
            timeout_seconds,
            heartbeat_seconds,
            ..
        } = *pending.invocation;
        pending.timers = set_timers(turn, timeout_seconds, heartbeat_seconds);
        let deadline = pending.timers.as_ref().and_then(|timers| timers.deadline);
        Arc::make_mut(&mut pending.invocation).deadline = deadline.map(|timer| timer.at);
    }
    Ok(Next::Wait(Phase::Task(pending)))
}

/// Notes a task that took longer than the specification allows, as far as the time of the entry of its state is known.
fn note_departure(turn: &mut Turn<'_>, pending: &PendingTask) {
    let (Some(seconds), None) = (
        Profile::Spec.default_task_timeout_seconds(),
        turn.program.profile().default_task_timeout_seconds(),
    ) else {
        return;
    };
    let is_limited = pending
        .timers
        .as_ref()
        .is_some_and(|it| it.deadline.is_some());
    if !is_limited
        && turn.flow.retry_count == 0
        && turn.flow.entered_at != turn.machine.now
        && turn.flow.entered_at.plus_seconds(seconds) <= turn.machine.now
    {
        turn.machine
            .departures
            .note(Departure::TaskBeyondDefaultTimeout);
    }
}

/// The task succeeded.
pub(crate) fn succeed(
    turn: &mut Turn<'_>,
    task: &TaskState,
    mut pending: PendingTask,
    output: Arc<Value>,
) -> StepResult {
    let limits = &turn.machine.start.limits;
    let (mut result, weight) = Data::received(output, limits);
    turn.machine.memory.add(weight);
    match result.excess(limits) {
        Some(Excess::Bytes) => {
            cold_path();
            return fail(turn, task, pending, too_large(turn, task));
        }
        Some(Excess::Depth) => {
            cold_path();
            let checked = check_data(&mut result, limits, &turn.state.name);
            let error = checked
                .err()
                .unwrap_or_else(|| Box::new(StateError::runtime("the result is nested too deep")));
            return fail(turn, task, pending, error);
        }
        None => {}
    }
    note_departure(turn, &pending);
    start(turn, task, &mut pending, None);
    if awaits_submission(task, &pending) {
        record_submission(turn, task, None);
    }
    forget(turn, &pending);
    let history = turn.machine.records_history;
    let output = history.then(|| result.share());
    turn.record(|| succeeded(task, output.unwrap_or_default()));
    Ok(Next::Yield(Phase::Succeeded(result.into())))
}

fn too_large(turn: &Turn<'_>, task: &TaskState) -> Box<StateError> {
    let name = task
        .event_resource
        .as_ref()
        .map_or(task.resource.uri.as_str(), |resource| {
            resource.resource_type.as_str()
        });
    Box::new(StateError::reported(
        ErrorOutput::new(error_names::DATA_LIMIT_EXCEEDED, too_large_text(name)),
        turn.program.profile(),
    ))
}

/// The task ended with an error.
pub(crate) fn fail(
    turn: &mut Turn<'_>,
    task: &TaskState,
    mut pending: PendingTask,
    error: Box<StateError>,
) -> StepResult {
    start(turn, task, &mut pending, None);
    forget(turn, &pending);
    turn.record(|| failed(task, &error));
    Ok(Next::Yield(Phase::Failed(error)))
}

/// The answer is there: nothing waits for it any more.
fn forget(turn: &mut Turn<'_>, pending: &PendingTask) {
    turn.machine.effects.remove(pending.invocation.id);
    cancel_timers(turn, pending);
}

fn cancel_timers(turn: &mut Turn<'_>, pending: &PendingTask) {
    if let Some(timers) = &pending.timers {
        let heartbeat = timers.heartbeat.map(|heartbeat| heartbeat.timer);
        for timer in timers.deadline.into_iter().chain(heartbeat) {
            turn.machine.timers.cancel(timer);
        }
    }
}

/// Handles a deadline or heartbeat of a task that is due.
pub(crate) fn timer_fired(
    turn: &mut Turn<'_>,
    task: &TaskState,
    mut pending: PendingTask,
    timer: Timer,
) -> StepResult {
    let Some(timers) = &mut pending.timers else {
        return Ok(Next::Wait(Phase::Task(pending)));
    };
    let error = if timers.deadline == Some(timer) {
        timers.deadline = None;
        StateError::without_cause(error_names::TIMEOUT)
    } else {
        match &mut timers.heartbeat {
            // Also if it is due by now: another timer may have been due before.
            Some(heartbeat) if heartbeat.due > timer.at => {
                let owner = TimerOwner::Flow(turn.id);
                heartbeat.timer = turn.machine.timers.set(heartbeat.due, owner);
                return Ok(Next::Wait(Phase::Task(pending)));
            }
            _ => StateError::heartbeat_timeout(),
        }
    };
    let id = pending.invocation.id;
    turn.machine.emit(Output::CancelTask { id });
    fail(turn, task, pending, Box::new(error))
}
