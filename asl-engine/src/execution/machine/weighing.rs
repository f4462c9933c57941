//! Weight of all data of an execution, counted after enough data was created.
use super::flow::Flow;
use super::kernel::Machine;
use super::phase::{
    ChildInputs, DistributedMap, MapIterations, MapRun, ParallelBranches, PendingTask, Phase,
    Resumption, Stage, TaskProgress,
};
use crate::Outcome;
use crate::data::weigh;
use crate::distributed::{Batcher, ChildResult};
use crate::execution::error::StateError;
use crate::execution::evaluate::MapRequest;
use crate::execution::output::StorageOperation;
use serde_json::Value;
use std::sync::Arc;

/// Of a flow, or of a child of a Map Run, besides its data: its fields, its place, its names, what waits for it.
pub(crate) const FLOW: u64 = 1_024;

impl Machine {
    /// Counts the data if a count is due; an execution above its limit fails.
    #[inline]
    pub(crate) fn check_memory(&mut self) {
        if self.memory.is_to_be_counted() {
            self.count_memory();
        }
    }

    #[cold]
    fn count_memory(&mut self) {
        let held = self.count_weight();
        if let Err(error) = self.memory.count(held)
            && !self.has_ended()
        {
            let error = StateError::runtime(error.to_string());
            self.fail_execution(self.event_count, error);
        }
    }

    /// Returns the weight of all data.
    pub(crate) fn count_weight(&self) -> u64 {
        let flows = self.flows.iter();
        let flows = flows.map(|(_, flow, phase)| {
            let input = &self.start.input;
            let request = request(phase);
            let of_request = request.map_or(0, |request| of_request(request, input));
            let counted = [Some(input), request.map(|request| &request.effective_input)];
            of_flow(flow, counted) + of_phase(phase) + of_request
        });
        flows.fold(weigh(&self.start.input), u64::saturating_add)
    }
}

/// Returns the weight of a flow, without an input that is one of `counted`, which nothing changes.
fn of_flow(flow: &Flow, counted: [Option<&Arc<Value>>; 2]) -> u64 {
    let is_counted = flow.input.as_shared().is_some_and(|input| {
        let mut counted = counted.into_iter().flatten();
        counted.any(|other| Arc::ptr_eq(input, other))
    });
    let input = if is_counted { 0 } else { weigh(&flow.input) };
    let variables = flow.variables.iter();
    variables.fold(FLOW + input, |whole, (name, variable)| {
        whole + name.len() as u64 + weigh(&variable.value)
    })
}

/// Returns the items of a running Map State.
fn request(phase: &Phase) -> Option<&MapRequest> {
    match phase {
        Phase::Map(iterations) => Some(&iterations.request),
        Phase::DistributedMap(distributed) => Some(&distributed.request),
        Phase::Broken(broken) => request(&broken.children),
        Phase::Interrupted(Resumption::Children(children)) => request(children),
        _ => None,
    }
}

/// Items and effective input, each counted once.
fn of_request(request: &MapRequest, counted: &Arc<Value>) -> u64 {
    let (items, input) = (&request.items.document, &request.effective_input);
    let is_counted = |value, other| Arc::ptr_eq(value, other);
    let of_input = if is_counted(input, counted) {
        0
    } else {
        weigh(input)
    };
    let of_items = if is_counted(items, counted) || is_counted(items, input) {
        0
    } else {
        weigh(items)
    };
    of_input + of_items
}

/// Recursion ends: children that are kept have no such phase in turn.
fn of_phase(phase: &Phase) -> u64 {
    match phase {
        Phase::Task(pending) => of_task(pending),
        Phase::Parallel(branches) => of_branches(branches),
        Phase::Map(iterations) => of_iterations(iterations),
        Phase::DistributedMap(distributed) => of_distributed_map(distributed),
        Phase::Succeeded(result) => weigh(&result.value),
        Phase::Broken(broken) => of_phase(&broken.children),
        Phase::Interrupted(Resumption::Children(children)) => of_phase(children),
        Phase::Interrupted(_)
        | Phase::Entering
        | Phase::Attempting
        | Phase::Waiting(_)
        | Phase::Retrying(_)
        | Phase::Failed(_)
        | Phase::Waited => 0,
    }
}

fn of_task(pending: &PendingTask) -> u64 {
    let submitted = match &pending.progress {
        TaskProgress::Submitted(answer) => weigh(answer),
        TaskProgress::Asked | TaskProgress::Started => 0,
    };
    weigh(&pending.invocation.payload) + submitted
}

fn of_branches(branches: &ParallelBranches) -> u64 {
    branches.outputs.iter().map(weigh).sum()
}

fn of_iterations(iterations: &MapIterations) -> u64 {
    let outputs = iterations.outputs.iter().flatten().map(weigh);
    outputs.sum()
}

fn of_distributed_map(distributed: &DistributedMap) -> u64 {
    match &distributed.stage {
        Stage::Reading { reading, .. } => reading.held_weight(),
        Stage::Running(run) => of_run(run),
        Stage::Writing(writing) => {
            let files = writing
                .later
                .iter()
                .chain([&writing.operation])
                .map(|file| {
                    let StorageOperation::PutObject { body, .. } = file else {
                        return 0;
                    };
                    body.len() as u64
                });
            let result = writing.result.as_ref().map_or(0, weigh);
            of_run(&writing.run) + files.sum::<u64>() + result
        }
    }
}

fn of_run(run: &MapRun) -> u64 {
    let batches = match &run.inputs {
        ChildInputs::Items => 0,
        ChildInputs::Batches {
            batch_input,
            batches,
        } => {
            let items = batches.iter().map(|batch| weigh(&batch.items));
            batch_input.as_ref().map_or(0, weigh) + items.sum::<u64>()
        }
    };
    let source = run.source.as_ref().map_or(0, |source| {
        let batch = source.batcher.as_ref().map(Batcher::current);
        let batch = batch.unwrap_or_default().iter().map(weigh);
        source.reading.held_weight() + batch.sum::<u64>()
    });
    let kept = run.kept.values().map(weigh).sum::<u64>();
    run.results
        .iter()
        .fold(batches + source + kept, |whole, result| {
            whole + of_child(result)
        })
}

fn of_child(result: &ChildResult) -> u64 {
    let output = match &result.outcome {
        Some(Outcome::Succeeded(output)) => weigh(output),
        Some(outcome) => outcome.failure().map_or(0, |failure| {
            let texts = [failure.error, failure.cause];
            texts.iter().flatten().map(|text| text.len() as u64).sum()
        }),
        None => 0,
    };
    FLOW + weigh(&result.input) + output
}
