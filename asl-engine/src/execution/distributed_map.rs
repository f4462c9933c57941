//! Distributed Map States: child executions, their items and their results (2022 specification, Map State).
//!
//! A Map Run reads its items, runs a child execution for each item or batch, and writes their results. The rules
//! of each step are in [`crate::distributed`]; here is what happens when.
use super::data::Data;
use super::error::{StateError, names};
use super::flow::{FlowId, Phase};
use super::items::Items;
use super::machine::{Machine, Step};
use super::map::MapRequest;
use super::map_run::MapRun;
use super::map_run_fields::{item_reader_request, written_results};
use super::{EffectId, Output, StorageOperation, StorageRequest, StorageResult};
use crate::Program;
use crate::distributed::{ItemReaderLimits, ItemReading};
use crate::history::EventDetails;
use crate::program::{MapState, StateAction, StateProgram};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::Arc;

/// A distributed Map State that runs.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct DistributedMap {
    pub(super) map_run_arn: String,
    pub(super) request: MapRequest,
    pub(super) stage: Stage,
}

#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(super) enum Stage {
    Reading {
        effect: EffectId,
        reading: ItemReading,
    },
    Running(MapRun),
    Writing {
        effect: EffectId,
        bucket: String,
        later: VecDeque<StorageOperation>,
        result: Result<Value, StateError>,
    },
}

impl Stage {
    pub(super) fn awaits_storage(&self) -> bool {
        matches!(self, Self::Reading { .. } | Self::Writing { .. })
    }

    pub(super) fn awaits_children(&self) -> bool {
        matches!(self, Self::Running(_))
    }
}

impl Machine {
    /// Starts the Map Run of a state whose fields are evaluated.
    pub(super) fn start_map_run(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        map: &MapState,
        request: MapRequest,
    ) -> Step {
        let map_run_arn = self.map_run_arn(map);
        let arn = map_run_arn.clone();
        self.record_in(id, || EventDetails::MapRunStarted { map_run_arn: arn });
        // The event may have been the last that the limit allows.
        if self.has_ended() {
            return Step::Stop;
        }
        if map.item_reader.is_some() {
            return self.read_items(program, id, state, map, map_run_arn, request);
        }
        self.run_children(program, id, state, map, map_run_arn, request)
    }

    /// `…:mapRun:STATE_MACHINE/LABEL:ID`, with an id for a label where there is none.
    fn map_run_arn(&mut self, map: &MapState) -> String {
        let identity = Arc::clone(&self.start.identity);
        let label = map.label.clone().unwrap_or_else(|| self.random.uuid());
        let prefix = identity
            .state_machine_arn
            .replacen(":stateMachine:", ":mapRun:", 1);
        format!("{prefix}/{label}:{}", self.random.uuid())
    }

    fn read_items(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        map: &MapState,
        map_run_arn: String,
        request: MapRequest,
    ) -> Step {
        let reader = self.evaluate(program, id, state, |evaluation| {
            item_reader_request(evaluation, map, &request.effective_input)
        });
        let reading = match reader {
            Ok(reader) => ItemReading::begin(&reader),
            Err(fault) => return self.fail_state_with(program, id, state, fault),
        };
        match reading {
            Ok(reading) => {
                let call = reading.call();
                let effect = self.call_storage(id, call.bucket, call.operation);
                self.put_distributed_map(
                    id,
                    DistributedMap {
                        map_run_arn,
                        request,
                        stage: Stage::Reading { effect, reading },
                    },
                );
                Step::Stop
            }
            Err(error) => {
                let error = StateError::new(names::ITEM_READER_FAILED, error.to_string());
                self.fail_map_run(id, error)
            }
        }
    }

    fn call_storage(
        &mut self,
        id: FlowId,
        bucket: String,
        operation: StorageOperation,
    ) -> EffectId {
        let effect = self.new_effect_id();
        self.effects.insert(effect, id);
        self.outputs
            .push_back(Output::Storage(Box::new(StorageRequest {
                id: effect,
                bucket,
                operation,
            })));
        effect
    }

    pub(super) fn put_distributed_map(&mut self, id: FlowId, map: DistributedMap) {
        if let Some(flow) = self.flows.get_mut(id) {
            flow.phase = Phase::DistributedMap(Box::new(map));
        }
    }

    /// Takes the Map Run that waits for such an answer to `effect`; an answer of another kind takes nothing.
    pub(super) fn take_distributed_map(
        &mut self,
        effect: EffectId,
        awaits: impl FnOnce(&Stage) -> bool,
    ) -> Option<(FlowId, Box<DistributedMap>)> {
        let id = *self.effects.get(&effect)?;
        let flow = self.flows.get_mut(id)?;
        match std::mem::replace(&mut flow.phase, Phase::Entering) {
            Phase::DistributedMap(map) if awaits(&map.stage) => {
                self.effects.remove(&effect);
                Some((id, map))
            }
            other => {
                flow.phase = other;
                None
            }
        }
    }

    pub(super) fn storage_succeeded(
        &mut self,
        program: &Program,
        effect: EffectId,
        result: StorageResult,
    ) {
        let Some((id, mut map)) = self.take_distributed_map(effect, Stage::awaits_storage) else {
            return;
        };
        match map.stage {
            Stage::Reading {
                effect: awaited,
                mut reading,
            } if awaited == effect => {
                let limits = ItemReaderLimits {
                    max_data_depth: self.start.limits.max_data_depth,
                    ..ItemReaderLimits::default()
                };
                match reading.handle_result(result, &limits) {
                    Ok(Some(items)) => {
                        self.items_read(program, id, map.map_run_arn, map.request, items)
                    }
                    Ok(None) => {
                        let call = reading.call();
                        let effect = self.call_storage(id, call.bucket, call.operation);
                        map.stage = Stage::Reading { effect, reading };
                        self.put_distributed_map(id, *map);
                    }
                    Err(error) => self.settle_map_run(
                        id,
                        StateError::new(names::ITEM_READER_FAILED, error.to_string()),
                    ),
                }
            }
            Stage::Writing {
                effect: awaited,
                bucket,
                later,
                result,
            } if awaited == effect => {
                self.write_next(id, map.map_run_arn, map.request, bucket, later, result);
            }
            _ => self.put_distributed_map(id, *map),
        }
    }

    pub(super) fn storage_failed(&mut self, effect: EffectId, cause: String) {
        let Some((id, map)) = self.take_distributed_map(effect, Stage::awaits_storage) else {
            return;
        };
        let name = match map.stage {
            Stage::Reading { .. } => names::ITEM_READER_FAILED,
            Stage::Writing { .. } => names::RESULT_WRITER_FAILED,
            Stage::Running(_) => return self.put_distributed_map(id, *map),
        };
        self.settle_map_run(id, StateError::new(name, cause));
    }

    fn items_read(
        &mut self,
        program: &Program,
        id: FlowId,
        map_run_arn: String,
        mut request: MapRequest,
        items: Vec<Value>,
    ) {
        request.items = Items::of_array(items, self.start.limits.max_payload_bytes.is_some());
        let Some(flow) = self.flows.get(id) else {
            return;
        };
        let state = program.state(flow.state);
        let StateAction::Map(map) = &state.action else {
            return;
        };
        if matches!(
            self.run_children(program, id, state, map, map_run_arn, request),
            Step::Continue
        ) {
            self.ready.push_back(id);
        }
    }

    /// All children ended, or too many failed: the results are written, or are the state's result.
    pub(super) fn finish_map_run(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        map_state: &MapState,
        map: DistributedMap,
        error: Option<StateError>,
    ) -> Step {
        let DistributedMap {
            map_run_arn,
            request,
            stage,
        } = map;
        let Stage::Running(run) = stage else {
            return Step::Stop;
        };
        let Some(writer) = &map_state.result_writer else {
            return self.end_map_run(id, error.map_or_else(|| Ok(run.into_outputs()), Err));
        };
        let results = run.into_results();
        let parameters = self.evaluate(program, id, state, |evaluation| {
            let template = map_state.result_writer_parameters.as_ref();
            template
                .map(|template| {
                    let input = &request.effective_input;
                    evaluation.payload(template, "ResultWriter/Arguments", input)
                })
                .transpose()
        });
        let parameters = match parameters {
            Ok(parameters) => parameters,
            Err(fault) => return self.fail_state_with(program, id, state, fault),
        };
        let written = written_results(writer, parameters.as_deref(), &map_run_arn, &results);
        match (written, error) {
            (Err(cause), _) => {
                self.fail_map_run(id, StateError::new(names::RESULT_WRITER_FAILED, cause))
            }
            (Ok((bucket, later, result)), error) => {
                let result = error.map_or(Ok(result), Err);
                self.write_next(id, map_run_arn, request, bucket, later, result);
                Step::Stop
            }
        }
    }

    /// Writes the next file, or ends the Map Run after the last.
    fn write_next(
        &mut self,
        id: FlowId,
        map_run_arn: String,
        request: MapRequest,
        bucket: String,
        mut later: VecDeque<StorageOperation>,
        result: Result<Value, StateError>,
    ) {
        match later.pop_front() {
            Some(operation) => {
                let effect = self.call_storage(id, bucket.clone(), operation);
                let stage = Stage::Writing {
                    effect,
                    bucket,
                    later,
                    result,
                };
                self.put_distributed_map(
                    id,
                    DistributedMap {
                        map_run_arn,
                        request,
                        stage,
                    },
                );
            }
            None => {
                self.end_map_run(id, result);
                self.ready.push_back(id);
            }
        }
    }

    fn end_map_run(&mut self, id: FlowId, result: Result<Value, StateError>) -> Step {
        match result {
            Err(error) => self.fail_map_run(id, error),
            Ok(value) => self.succeed_map_run(id, |limits| Data::measured(value, limits)),
        }
    }

    fn succeed_map_run(&mut self, id: FlowId, result: impl FnOnce(&crate::Limits) -> Data) -> Step {
        let succeeded = self.record_in(id, || EventDetails::MapRunSucceeded);
        self.record(succeeded, || EventDetails::MapStateSucceeded);
        let result = result(&self.start.limits);
        if let Some(flow) = self.flows.get_mut(id) {
            flow.phase = Phase::Settled(Box::new(Ok(result)));
        }
        Step::Continue
    }

    pub(super) fn fail_map_run(&mut self, id: FlowId, error: StateError) -> Step {
        let (name, cause) = (error.error.clone(), error.cause.clone());
        self.record_in(id, || EventDetails::MapRunFailed { error: name, cause });
        if let Some(flow) = self.flows.get_mut(id) {
            flow.children_failed = true;
            flow.phase = Phase::Settled(Box::new(Err(error)));
        }
        Step::Continue
    }

    /// As [`fail_map_run`](Self::fail_map_run), where the flow is not being run.
    fn settle_map_run(&mut self, id: FlowId, error: StateError) {
        self.fail_map_run(id, error);
        self.ready.push_back(id);
    }

    pub(super) fn cancel_distributed_map(&mut self, map: &DistributedMap) {
        match &map.stage {
            Stage::Reading { effect, .. } | Stage::Writing { effect, .. } => {
                self.effects.remove(effect);
            }
            Stage::Running(_) => self.stop_children(map),
        }
    }
}
