//! Children of a Map Run: their inputs, their start within the limit, and their end.
use super::distributed_map::finish;
use super::iteration_input::iteration_input;
use super::map_run::{
    batch, child_again, ended, is_finished, is_to_read, new_child, next_to_start,
};
use super::map_run_reading::request_items;
use super::map_run_start::running;
use crate::Outcome;
use crate::data::{Data, weigh};
use crate::execution::error::StateError;
use crate::execution::input::MapRunUpdate;
use crate::execution::machine::{
    Broken, DistributedMap, FLOW, Next, Phase, Stage, StepResult, Turn,
};
use crate::execution::output::{EffectId, Output};
use crate::program::MapState;

/// Starts the next child if the limit allows it; ends the Map Run when all children have ended.
pub(super) fn start_next_child(
    turn: &mut Turn<'_>,
    map: &MapState,
    mut distributed: Box<DistributedMap>,
) -> StepResult {
    let Stage::Running(run) = &mut distributed.stage else {
        return Ok(Next::Wait(Phase::DistributedMap(distributed)));
    };
    let limit = turn.machine.start.limits.max_child_executions;
    let Some(index) = next_to_start(run, &distributed.request, limit) else {
        if is_to_read(run, &distributed.request, limit) {
            request_items(turn, run);
        } else if is_finished(run) {
            return finish_run(turn, map, *distributed, None);
        }
        return Ok(Next::Wait(Phase::DistributedMap(distributed)));
    };
    if run.again.front() == Some(&index) {
        run.again.pop_front();
        turn.machine.turn.count_transition();
        let effect = turn.machine.effects.add(turn.id);
        let request = &distributed.request;
        if let Some(child) = child_again(turn.machine, effect, map, request, run, index) {
            turn.machine
                .emit(Output::StartChildExecution(Box::new(child)));
        }
        return Ok(Next::Again(Phase::DistributedMap(distributed)));
    }
    let input = match batch(run, index) {
        Some(batch) => turn
            .charge(weigh(&batch))
            .map(|()| Data::measured(batch, &turn.machine.start.limits)),
        None => {
            let kept = run.source.as_ref().map(|_| distributed.request.item_weight);
            let charged = turn.charge(kept.unwrap_or_default());
            charged.and_then(|()| iteration_input(turn, map, &distributed.request, index))
        }
    };
    let input = input.and_then(|input| turn.charge(FLOW).map(|()| input));
    match input {
        Ok(input) => {
            turn.machine.turn.count_transition();
            let effect = turn.machine.effects.add(turn.id);
            let named = (&*distributed.map_run_arn, &distributed.request);
            let input = (index, input.into_shared());
            let child = new_child(turn.machine, effect, map, named, run, input);
            turn.machine
                .emit(Output::StartChildExecution(Box::new(child)));
            Ok(Next::Again(Phase::DistributedMap(distributed)))
        }
        Err(error) if turn.is_abandoned() => {
            turn.undone_phase = Some(Phase::DistributedMap(distributed));
            Err(error)
        }
        Err(error) => {
            turn.machine.cancel_map_run(&distributed.stage);
            let children = Phase::DistributedMap(distributed);
            let broken = Broken { error, children };
            Ok(Next::Again(Phase::Broken(Box::new(broken))))
        }
    }
}

/// Handles the end of a child execution.
pub(crate) fn child_ended(
    turn: &mut Turn<'_>,
    map: &MapState,
    effect: EffectId,
    mut distributed: Box<DistributedMap>,
    outcome: Outcome,
) -> StepResult {
    turn.machine.effects.remove(effect);
    if let Some(output) = outcome.output() {
        turn.machine.memory.add(weigh(output));
    }
    let now = turn.machine.now;
    if let Stage::Running(run) = &mut distributed.stage {
        ended(run, effect, outcome, now, map.result_writer.is_some());
    }
    after_change(turn, map, distributed)
}

/// Other limits for a Map Run that runs (UpdateMapRun of the service's API).
pub(crate) fn map_run_updated(
    turn: &mut Turn<'_>,
    map: &MapState,
    mut distributed: Box<DistributedMap>,
    update: &MapRunUpdate,
) -> StepResult {
    let request = &mut distributed.request;
    if let Some(max_concurrency) = update.max_concurrency {
        request.max_concurrency = max_concurrency;
    }
    let tolerated = request.tolerated_failure.unwrap_or_default();
    request.tolerated_failure = Some(tolerated.updated(
        update.tolerated_failure_count,
        update.tolerated_failure_percentage,
    ));
    match distributed.stage {
        Stage::Running(_) => after_change(turn, map, distributed),
        Stage::Reading { .. } | Stage::Writing(_) => {
            Ok(Next::Wait(Phase::DistributedMap(distributed)))
        }
    }
}

/// Continues with the next child, or ends the Map Run if too many have failed.
fn after_change(
    turn: &mut Turn<'_>,
    map: &MapState,
    distributed: Box<DistributedMap>,
) -> StepResult {
    let Stage::Running(run) = &distributed.stage else {
        return Ok(Next::Wait(Phase::DistributedMap(distributed)));
    };
    let total = u64::from(distributed.request.items.length);
    let tolerated = distributed.request.tolerated_failure.unwrap_or_default();
    if !tolerated.is_exceeded(run.failed_items, total) {
        return Ok(Next::Yield(Phase::DistributedMap(distributed)));
    }
    let error = StateError::too_many_failures();
    turn.machine.cancel_map_run(&distributed.stage);
    match finish_run(turn, map, *distributed, Some(Box::new(error))) {
        Ok(Next::Again(phase)) => Ok(Next::Yield(phase)),
        Ok(next) => Ok(next),
        Err(error) => Ok(Next::Yield(Phase::Failed(error))),
    }
}

fn finish_run(
    turn: &mut Turn<'_>,
    map: &MapState,
    distributed: DistributedMap,
    error: Option<Box<StateError>>,
) -> StepResult {
    let DistributedMap {
        map_run_arn,
        request,
        stage,
    } = distributed;
    match stage {
        Stage::Running(run) => finish(turn, map, (map_run_arn, request), run, error),
        stage => Ok(Next::Wait(running(map_run_arn, request, stage))),
    }
}
