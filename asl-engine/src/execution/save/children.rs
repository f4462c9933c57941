//! States with flows or executions below them: Parallel States and both kinds of Map States.
use super::damage::{Damage, DamageContext as _, Read, ensure};
use super::flow_parts::FlowParts;
use super::map_run::SavedMapRun;
use super::request::SavedRequest;
use super::restoring::RestoreContext;
use super::values::{JsonText, ValueTable};
use crate::data::{Measure, measure};
use crate::execution::machine::{DistributedMap, MapIterations, ParallelBranches, Phase};
use crate::program::StateAction;
use asl_model::ProcessorMode;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The children of a state. Flows say themselves which branch or iteration they are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SavedChildren {
    Parallel(SavedParallel),
    Map(Box<SavedMap>),
    MapRun(Box<SavedMapRun>),
}

/// A Parallel State: by branch, the output of each that is done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedParallel {
    outputs: Vec<Option<JsonText>>,
}

/// An inline Map State: by iteration, of those that began, the output of each that succeeded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedMap {
    request: SavedRequest,
    outputs: Vec<Option<JsonText>>,
    freed_by_event: u64,
    queued: bool,
}

impl SavedChildren {
    pub(super) fn from_phase(phase: &Phase, table: &mut ValueTable) -> Option<Self> {
        match phase {
            Phase::Parallel(branches) => Some(Self::from_branches(branches)),
            Phase::Map(iterations) => Some(Self::from_iterations(iterations, table)),
            Phase::DistributedMap(map) => Some(Self::from_map_run(map, table)),
            _ => None,
        }
    }

    pub(super) fn from_branches(branches: &ParallelBranches) -> Self {
        let ParallelBranches {
            flows,
            outputs,
            running: _,
            outputs_measure: _,
        } = branches;
        let outputs = flows.iter().zip(outputs);
        let done = outputs.map(|(flow, output)| match flow {
            Some(_) => None,
            None => Some(JsonText::new(output)),
        });
        Self::Parallel(SavedParallel {
            outputs: done.collect(),
        })
    }

    pub(super) fn from_iterations(iterations: &MapIterations, table: &mut ValueTable) -> Self {
        let MapIterations {
            request,
            next: _,
            running: _,
            outputs,
            freed_by_event_id,
            queued,
            failures: _,
            outputs_measure: _,
        } = iterations;
        let outputs = outputs.iter();
        Self::Map(Box::new(SavedMap {
            request: SavedRequest::new(request, table),
            outputs: outputs
                .map(|output| output.as_ref().map(JsonText::new))
                .collect(),
            freed_by_event: *freed_by_event_id,
            queued: *queued,
        }))
    }

    pub(super) fn from_map_run(map: &DistributedMap, table: &mut ValueTable) -> Self {
        Self::MapRun(Box::new(SavedMapRun::new(map, table)))
    }

    /// `live`: whether the state runs, so that answers are waited for.
    pub(super) fn phase(
        self,
        parts: &FlowParts<'_>,
        save: &mut RestoreContext<'_>,
        live: bool,
    ) -> Read<Phase> {
        match self {
            Self::Parallel(parallel) => {
                let branches = parallel.branches(parts, save).within("parallel")?;
                Ok(Phase::Parallel(Box::new(branches)))
            }
            Self::Map(map) => {
                let iterations = map.iterations(parts, save).within("map")?;
                Ok(Phase::Map(Box::new(iterations)))
            }
            Self::MapRun(run) => {
                let map = run.distributed_map(parts, save, live).within("map_run")?;
                Ok(Phase::DistributedMap(Box::new(map)))
            }
        }
    }
}

impl SavedParallel {
    fn branches(
        self,
        parts: &FlowParts<'_>,
        save: &mut RestoreContext<'_>,
    ) -> Read<ParallelBranches> {
        let StateAction::Parallel { branches, .. } = &parts.state.action else {
            return Err(parts.not_of("a Parallel State"));
        };
        let (expected, found) = (branches.len(), self.outputs.len());
        ensure(found == expected, expected, found).within("outputs")?;
        let mut children = save.claim_children(parts.id);
        let mut read = ParallelBranches {
            flows: Vec::with_capacity(found),
            outputs: Vec::with_capacity(found),
            running: 0,
            outputs_measure: Measure::EMPTY_ARRAY,
        };
        for (index, output) in self.outputs.into_iter().enumerate() {
            let place = format!("outputs[{index}]");
            let flow = children.remove(&(index as u32));
            let output = read_output(flow.is_some(), output).within(&place)?;
            match &output {
                Some(output) => read.outputs_measure = with(read.outputs_measure, output),
                None if flow.is_some() => read.running += 1,
                None => {
                    let damage = Damage::unexpected("a flow or an output", "neither");
                    return Err(damage.within(place));
                }
            }
            read.flows.push(flow);
            read.outputs.push(output.unwrap_or_default());
        }
        ensure(read.running > 0, "a branch that runs", "none")?;
        Ok(read)
    }
}

impl SavedMap {
    fn iterations(
        self,
        parts: &FlowParts<'_>,
        save: &mut RestoreContext<'_>,
    ) -> Read<MapIterations> {
        let StateAction::Map(map) = &parts.state.action else {
            return Err(parts.not_of("a Map State"));
        };
        let inline = map.mode == ProcessorMode::Inline;
        ensure(inline, "an inline Map State", &parts.state.name)?;
        let request = self.request.request(save).within("request")?;
        let (items, begun) = (request.items.length as usize, self.outputs.len());
        ensure(begun <= items, format_args!("at most {items}"), begun).within("outputs")?;
        let running = save.claim_children(parts.id);
        if let Some(index) = running.range(begun as u32..).map(|(index, _)| index).next() {
            let expected = format_args!("flows of the {begun} iterations that began");
            let found = format_args!("one of iteration {index}");
            return Err(Damage::unexpected(expected, found));
        }
        let mut outputs = Vec::with_capacity(begun);
        let mut outputs_measure = Measure::EMPTY_ARRAY;
        for (index, output) in self.outputs.into_iter().enumerate() {
            let runs = running.contains_key(&(index as u32));
            let output = read_output(runs, output).within(format_args!("outputs[{index}]"))?;
            if let Some(output) = &output {
                outputs_measure = with(outputs_measure, output);
            }
            outputs.push(output);
        }
        let failures = begun - running.len() - outputs.iter().flatten().count();
        let tolerates = request.tolerated_failure.is_some();
        ensure(failures == 0 || tolerates, "no failure", failures)?;
        Ok(MapIterations {
            request,
            next: begun as u32,
            running: running.into_iter().collect(),
            outputs,
            freed_by_event_id: save.event("freed_by_event", self.freed_by_event)?,
            queued: self.queued,
            failures: failures as u64,
            outputs_measure,
        })
    }
}

/// Returns the output of a branch or an iteration; none while it runs.
fn read_output(runs: bool, output: Option<JsonText>) -> Read<Option<Value>> {
    let holds = !runs || output.is_none();
    ensure(holds, "none, since its flow is under way", "an output")?;
    output.map(|output| output.value()).transpose()
}

fn with(outputs: Measure, output: &Value) -> Measure {
    outputs.with_element(measure(output, true))
}
