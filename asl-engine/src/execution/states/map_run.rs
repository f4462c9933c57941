//! A Map Run's bookkeeping: which children are to start, run, and ended how.
use crate::Outcome;
use crate::data::{MapItem, weigh};
use crate::distributed::ChildResult;
use crate::execution::evaluate::MapRequest;
use crate::execution::machine::{
    ChildInputs, DistributedMap, ItemSource, Machine, MapRun, MapRunCounts, RunningChild, Stage,
};
use crate::execution::output::{ChildExecution, ChildItem, EffectId};
use crate::execution::start::Start;
use crate::identity::Identity;
use crate::program::MapState;
use asl_intrinsics::random::RandomSource as _;
use asl_model::{ExecutionType, StateMachineType, Timestamp};
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

pub(super) fn new_map_run(
    inputs: ChildInputs,
    source: Option<Box<ItemSource>>,
    request: &MapRequest,
    limit: Option<u64>,
) -> MapRun {
    let (length, total) = match &inputs {
        ChildInputs::Items => (request.items.window_end(), request.items.length),
        ChildInputs::Batches { batches, .. } => {
            let length = u32::try_from(batches.len()).unwrap_or(u32::MAX);
            (length, length)
        }
    };
    // Of a dataset that is still read, the number of batches is not known.
    let most = if source.is_some() {
        request.items.length
    } else {
        total
    };
    MapRun {
        inputs,
        length,
        next: 0,
        again: VecDeque::new(),
        running: BTreeMap::new(),
        results: Vec::new(),
        failed_items: 0,
        counts: MapRunCounts {
            total: u64::from(total),
            pending: u64::from(total),
            ..MapRunCounts::default()
        },
        grandchildren: limit.map(|limit| {
            let at_a_time = at_a_time(request, Some(limit)).min(u64::from(most));
            (limit / at_a_time.max(1)).max(1)
        }),
        source,
        kept: BTreeMap::new(),
        running_weight: 0,
    }
}

/// Returns the maximum number of concurrent children.
fn at_a_time(request: &MapRequest, limit: Option<u64>) -> u64 {
    let wanted = match request.max_concurrency {
        0 => u64::MAX,
        wanted => wanted,
    };
    limit.map_or(wanted, |limit| wanted.min(limit.max(1)))
}

/// Returns the next child, if there is one and room for it.
pub(super) fn next_to_start(run: &MapRun, request: &MapRequest, limit: Option<u64>) -> Option<u32> {
    if run.running.len() as u64 >= at_a_time(request, limit) {
        return None;
    }
    let next = (run.next < run.length).then_some(run.next);
    run.again.front().copied().or(next)
}

/// Returns true if the next part of a dataset is to be read: its items would start.
pub(super) fn is_to_read(run: &MapRun, request: &MapRequest, limit: Option<u64>) -> bool {
    let Some(source) = &run.source else {
        return false;
    };
    let can_start = (run.running.len() as u64) < at_a_time(request, limit);
    let has_room = run.running.is_empty() || run.running_weight < source.max_running_weight;
    let has_started = run.next >= run.length && run.again.is_empty();
    source.effect.is_none() && can_start && has_room && has_started
}

pub(super) fn is_finished(run: &MapRun) -> bool {
    run.source.is_none() && run.next >= run.length && run.again.is_empty() && run.running.is_empty()
}

/// Returns true if it continues without the end of a child or an answer of an object store.
pub(crate) fn can_go_on(map: &DistributedMap, limit: Option<u64>) -> bool {
    match &map.stage {
        Stage::Running(run) => {
            let starts = next_to_start(run, &map.request, limit).is_some();
            starts || is_to_read(run, &map.request, limit) || is_finished(run)
        }
        Stage::Reading { .. } | Stage::Writing(_) => false,
    }
}

/// Takes the input of a child that gets a batch.
pub(super) fn batch(run: &mut MapRun, index: u32) -> Option<Value> {
    match &mut run.inputs {
        ChildInputs::Items => None,
        ChildInputs::Batches {
            batch_input,
            batches,
        } => batches
            .get_mut(index as usize)
            .map(|batch| batch.take_input(batch_input.as_ref())),
    }
}

/// The item that a child is about.
fn item_of_child(run: &MapRun, request: &MapRequest, index: u32) -> MapItem {
    match &run.inputs {
        ChildInputs::Items => match run.kept.get(&index) {
            Some(item) => MapItem::new(u64::from(index), None, item.clone()),
            None => request.items.item(index),
        },
        ChildInputs::Batches { .. } => MapItem::from_batch(u64::from(index)),
    }
}

/// A child that was not started before: an execution of its own, named after the Map Run.
pub(super) fn new_child(
    machine: &mut Machine,
    effect: EffectId,
    map: &MapState,
    (map_run_arn, request): (&str, &MapRequest),
    run: &mut MapRun,
    (index, input): (u32, Arc<Value>),
) -> ChildExecution {
    let name = machine.random.uuid();
    let identity = Arc::new(machine.start.identity.child(map_run_arn, &name));
    let seed = machine.random.next_u64();
    run.next = index.saturating_add(1);
    if run.source.is_some() && matches!(run.inputs, ChildInputs::Items) {
        run.kept.insert(index, request.items.get(index).clone());
    }
    run.results.push(ChildResult {
        identity: Arc::clone(&identity),
        input: Arc::clone(&input),
        outcome: None,
        started: Some(machine.now),
        stopped: None,
    });
    begin(run, effect, (index, seed));
    let item = item_of_child(run, request, index);
    let start = child_start(machine, map, run, (identity, input), seed, machine.now);
    child(effect, map, item, run.item_count(index), start)
}

/// Returns a child that a redrive starts again.
pub(crate) fn child_again(
    machine: &mut Machine,
    effect: EffectId,
    map: &MapState,
    request: &MapRequest,
    run: &mut MapRun,
    index: u32,
) -> Option<ChildExecution> {
    let now = machine.now;
    let result = run.results.get_mut(index as usize)?;
    (result.outcome, result.stopped, result.started) = (None, None, Some(now));
    let seed = machine.random.next_u64();
    begin(run, effect, (index, seed));
    rebuilt(machine, effect, map, request, run)
}

/// Returns a child that runs, as it was requested.
pub(crate) fn pending_child(
    machine: &Machine,
    map: &MapState,
    distributed: &DistributedMap,
    effect: EffectId,
) -> Option<ChildExecution> {
    match &distributed.stage {
        Stage::Running(run) => rebuilt(machine, effect, map, &distributed.request, run),
        Stage::Reading { .. } | Stage::Writing(_) => None,
    }
}

fn rebuilt(
    machine: &Machine,
    effect: EffectId,
    map: &MapState,
    request: &MapRequest,
    run: &MapRun,
) -> Option<ChildExecution> {
    let running = run.running.get(&effect)?;
    let result = run.results.get(running.index as usize)?;
    let named = (Arc::clone(&result.identity), Arc::clone(&result.input));
    let now = result.started.unwrap_or(machine.now);
    let start = child_start(machine, map, run, named, running.seed, now);
    let item = item_of_child(run, request, running.index);
    let item_count = run.item_count(running.index);
    Some(child(effect, map, item, item_count, start))
}

fn child(
    effect: EffectId,
    map: &MapState,
    item: MapItem,
    item_count: u64,
    start: Start,
) -> ChildExecution {
    ChildExecution {
        id: effect,
        item_count,
        item: ChildItem {
            scope: map.scope,
            item,
        },
        start,
    }
}

fn child_start(
    machine: &Machine,
    map: &MapState,
    run: &MapRun,
    (identity, input): (Arc<Identity>, Arc<Value>),
    seed: u64,
    now: Timestamp,
) -> Start {
    let limits = machine.start.limits.clone();
    let max_child_executions = run.grandchildren.or(limits.max_child_executions);
    let state_machine_type = match map.execution_type {
        Some(ExecutionType::Express) => StateMachineType::Express,
        Some(ExecutionType::Standard) | None => StateMachineType::Standard,
    };
    Start {
        input,
        input_text: None,
        now,
        identity,
        seed: Some(seed),
        state_machine_type,
        record_history: machine.records_history,
        limits: limits.with_max_child_executions(max_child_executions),
        context: machine.start.context.clone(),
        at: None,
        absent_activities: machine.start.absent_activities.clone(),
    }
}

fn begin(run: &mut MapRun, effect: EffectId, (index, seed): (u32, u64)) {
    let input = run.results.get(index as usize).map(|result| &result.input);
    let weight = match (&run.source, input) {
        (Some(_), Some(input)) => weigh(input),
        _ => 0,
    };
    run.running_weight += weight;
    let child = RunningChild {
        index,
        seed,
        weight,
    };
    run.running.insert(effect, child);
    run.counts.pending = run.counts.pending.saturating_sub(1);
    run.counts.running += 1;
}

/// Records the end of a running child. The input of a successful child is kept only for a ResultWriter.
pub(super) fn ended(
    run: &mut MapRun,
    effect: EffectId,
    outcome: Outcome,
    now: Timestamp,
    writes_results: bool,
) {
    let Some(RunningChild { index, weight, .. }) = run.running.remove(&effect) else {
        return;
    };
    run.running_weight = run.running_weight.saturating_sub(weight);
    if matches!(outcome, Outcome::Succeeded(_)) {
        run.kept.remove(&index);
    } else {
        run.failed_items += run.item_count(index);
    }
    let counts = &mut run.counts;
    counts.running = counts.running.saturating_sub(1);
    *match &outcome {
        Outcome::Succeeded(_) => &mut counts.succeeded,
        Outcome::Failed(_) => &mut counts.failed,
        Outcome::TimedOut => &mut counts.timed_out,
        Outcome::Aborted(_) => &mut counts.aborted,
    } += 1;
    if let Some(result) = run.results.get_mut(index as usize) {
        if matches!(outcome, Outcome::Succeeded(_)) && !writes_results {
            result.input = Arc::default();
        }
        result.outcome = Some(outcome);
        result.stopped = Some(now);
    }
}

/// Returns the outputs of the children that succeeded, in the order of their items.
pub(super) fn outputs(run: MapRun) -> Value {
    let outputs = run
        .results
        .into_iter()
        .filter_map(|result| match result.outcome {
            Some(Outcome::Succeeded(output)) => Some(Arc::unwrap_or_clone(output)),
            _ => None,
        });
    Value::Array(outputs.collect())
}
