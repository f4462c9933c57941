//! Inputs of an execution.
use super::error::StateError;
use super::input::{Input, MapRunUpdate};
use super::machine::{
    DistributedMap, FlowId, Machine, Next, PendingTask, Phase, Stage, StepResult, Timer,
    TimerOwner, Turn,
};
use super::output::EffectId;
use super::redrive::redrive;
use super::run::resume;
use super::states::{self, task};
use crate::Program;
use crate::program::{MapState, StateAction, TaskState};
use asl_model::Timestamp;
use std::hint::cold_path;

/// Applies an input at `now`. Of a result that nests too deep, it keeps only enough to reject it.
pub(super) fn handle_input(machine: &mut Machine, program: &Program, now: Timestamp, input: Input) {
    let input = input.cut(machine.start.limits.max_data_depth);
    take_in(machine, program, now, input);
}

fn take_in(machine: &mut Machine, program: &Program, now: Timestamp, input: Input) {
    // Time never runs backwards, whatever clock the host has.
    machine.now = machine.now.max(now);
    machine.turn.start();
    if machine.has_ended() {
        cold_path();
        if matches!(input, Input::Redrive) {
            redrive(machine, program);
        }
        return;
    }
    if let Input::TasksPostponed { ids } = &input {
        cold_path();
        // Before their timers fire.
        for id in ids {
            answer_task(machine, program, *id, |turn, _, pending| {
                task::postpone(turn, pending)
            });
        }
    }
    fire_timers(machine, program);
    let profile = program.profile();
    match input {
        Input::TimePassed | Input::Redrive | Input::TasksPostponed { .. } => {}
        Input::Fail(error_output) => {
            let error = StateError::reported(error_output, profile);
            machine.fail_execution(machine.event_count, error);
        }
        Input::Stop(error_output) => machine.stop(error_output),
        Input::TaskStarted { id, worker_name } => {
            answer_task(machine, program, id, |turn, task, pending| {
                task::start_work(turn, task, pending, worker_name)
            })
        }
        Input::TaskSubmitted { id, output } => {
            answer_task(machine, program, id, |turn, task, pending| {
                task::submit(turn, task, pending, output)
            })
        }
        Input::TaskSucceeded { id, output } => {
            answer_task(machine, program, id, |turn, task, pending| {
                task::succeed(turn, task, pending, output)
            })
        }
        Input::TaskFailed { id, error_output } => {
            answer_task(machine, program, id, |turn, task, pending| {
                let error = StateError::reported(error_output, profile);
                task::fail(turn, task, pending, Box::new(error))
            })
        }
        Input::TaskHeartbeat { id } => answer_task(machine, program, id, |turn, _, pending| {
            task::beat(turn, pending)
        }),
        Input::StorageSucceeded { id, result } => {
            answer_storage(machine, program, id, |turn, map, distributed| {
                states::storage_succeeded(turn, map, id, distributed, result)
            })
        }
        Input::StorageFailed { id, cause } => {
            answer_storage(machine, program, id, |turn, _, distributed| {
                states::storage_failed(turn, id, distributed, cause)
            })
        }
        Input::ChildExecutionEnded { id, outcome } => {
            if let Some(flow) = machine.effects.get(id) {
                answer_map_run(
                    machine,
                    program,
                    flow,
                    |turn, map, distributed| match &distributed.stage {
                        Stage::Running(run) if run.running.contains_key(&id) => {
                            states::child_ended(turn, map, id, distributed, outcome)
                        }
                        _ => Ok(Next::Wait(Phase::DistributedMap(distributed))),
                    },
                )
            }
        }
        Input::UpdateMapRun(update) => update_map_run(machine, program, &update),
    }
}

fn fire_timers(machine: &mut Machine, program: &Program) {
    let mut resumes_in_time = false;
    while !machine.has_ended()
        && let Some((timer, owner)) = machine.timers.take_due(machine.now)
    {
        cold_path();
        resumes_in_time |= machine.is_in_time(timer.at);
        match owner {
            TimerOwner::Machine => machine.time_out(),
            TimerOwner::Flow(id) => resume(machine, program, id, |turn, phase| {
                fire_timer(turn, phase, timer)
            }),
        }
    }
    // After a long sleep, or once the clock is set forward, a flow that was due before the deadline runs before it ends.
    if !machine.has_ended() && machine.is_overdue() && !resumes_in_time {
        cold_path();
        machine.time_out();
    }
}

/// A flow's timer is due.
fn fire_timer(turn: &mut Turn<'_>, phase: Phase, timer: Timer) -> StepResult {
    match phase {
        Phase::Waiting(waiting) if waiting == timer => Ok(Next::Yield(Phase::Waited)),
        Phase::Retrying(retrying) if retrying == timer => Ok(Next::Yield(Phase::Attempting)),
        Phase::Task(pending) => match task_state(turn) {
            Some(task) => task::timer_fired(turn, task, pending, timer),
            None => Ok(Next::Wait(Phase::Task(pending))),
        },
        other => Ok(Next::Wait(other)),
    }
}

fn task_state<'t>(turn: &Turn<'t>) -> Option<&'t TaskState> {
    match &turn.state.action {
        StateAction::Task(task) => Some(task),
        _ => None,
    }
}

fn map_state<'t>(turn: &Turn<'t>) -> Option<&'t MapState> {
    match &turn.state.action {
        StateAction::Map(map) => Some(map),
        _ => None,
    }
}

/// Something that concerns a task; ignored where nothing waits for it any more.
fn answer_task(
    machine: &mut Machine,
    program: &Program,
    id: EffectId,
    answer: impl FnOnce(&mut Turn<'_>, &TaskState, PendingTask) -> StepResult,
) {
    let Some(flow) = machine.effects.get(id) else {
        return;
    };
    resume(machine, program, flow, |turn, phase| {
        match (task_state(turn), phase) {
            (Some(task), Phase::Task(pending)) => answer(turn, task, pending),
            (_, other) => Ok(Next::Wait(other)),
        }
    });
}

fn answer_map_run(
    machine: &mut Machine,
    program: &Program,
    flow: FlowId,
    answer: impl FnOnce(&mut Turn<'_>, &MapState, Box<DistributedMap>) -> StepResult,
) {
    resume(machine, program, flow, |turn, phase| {
        match (map_state(turn), phase) {
            (Some(map), Phase::DistributedMap(distributed)) => answer(turn, map, distributed),
            (_, other) => Ok(Next::Wait(other)),
        }
    });
}

fn answer_storage(
    machine: &mut Machine,
    program: &Program,
    id: EffectId,
    answer: impl FnOnce(&mut Turn<'_>, &MapState, DistributedMap) -> StepResult,
) {
    let Some(flow) = machine.effects.get(id) else {
        return;
    };
    answer_map_run(
        machine,
        program,
        flow,
        |turn, map, distributed| match &distributed.stage {
            Stage::Reading { .. } | Stage::Writing(_) => answer(turn, map, *distributed),
            Stage::Running(run) if run.read_effect() == Some(id) => answer(turn, map, *distributed),
            Stage::Running(_) => Ok(Next::Wait(Phase::DistributedMap(distributed))),
        },
    );
}

fn update_map_run(machine: &mut Machine, program: &Program, update: &MapRunUpdate) {
    let run = machine.flows.iter().find_map(|(id, _, phase)| match phase {
        Phase::DistributedMap(map) if map.map_run_arn == update.map_run_arn => Some(id),
        _ => None,
    });
    if let Some(flow) = run {
        answer_map_run(machine, program, flow, |turn, map, distributed| {
            states::map_run_updated(turn, map, distributed, update)
        });
    }
}
