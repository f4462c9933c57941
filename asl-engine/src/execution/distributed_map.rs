//! Distributed Map States: child executions, their items and their results (2022 specification, Map State).
//!
//! A Map Run reads its items, runs a child execution for each item or batch, and writes their results. The rules
//! of each step are in [`crate::distributed`]; here is what happens when.
use super::data::Data;
use super::error::{EvaluationFault, StateError, names};
use super::flow::{FlowId, Phase};
use super::input_output::{Evaluation, measured_array};
use super::items::Items;
use super::machine::{Machine, Step};
use super::map::MapRequest;
use super::map_run::{ChildInputs, MapRun};
use super::{EffectId, Output, StorageOperation, StorageRequest, StorageResult};
use crate::distributed::{
    BatchLimits, ChildResult, Destination, ItemReaderLimits, ItemReaderRequest, ItemReading,
    ResultFormat, batch, exported_result, result_files, transformed_result,
};
use crate::history::EventDetails;
use crate::program::{MapState, StateAction, StateProgram};
use crate::{Outcome, Program};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::Arc;

/// A distributed Map State that runs.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct DistributedMap {
    map_run_arn: String,
    request: MapRequest,
    stage: Stage,
}

#[derive(Debug, serde::Serialize, serde::Deserialize)]
enum Stage {
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
    fn awaits_storage(&self) -> bool {
        matches!(self, Self::Reading { .. } | Self::Writing { .. })
    }

    fn awaits_children(&self) -> bool {
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
        let context = self.take_context(id, state);
        let reader = item_reader_request(
            &mut self.evaluation(program, &context),
            map,
            &request.effective_input,
        );
        self.return_context(context);
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

    fn put_distributed_map(&mut self, id: FlowId, map: DistributedMap) {
        if let Some(flow) = self.flows.get_mut(id) {
            flow.phase = Phase::DistributedMap(Box::new(map));
        }
    }

    /// Takes the Map Run that waits for such an answer to `effect`; an answer of another kind takes nothing.
    fn take_distributed_map(
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

    pub(super) fn storage_failed(&mut self, program: &Program, effect: EffectId, cause: String) {
        let _ = program;
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

    /// The items are there: their inputs are made, and children started.
    fn run_children(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        map: &MapState,
        map_run_arn: String,
        request: MapRequest,
    ) -> Step {
        match self.child_inputs(program, id, state, map, &request) {
            Ok(inputs) => {
                let run = MapRun::new(inputs, &request);
                self.put_distributed_map(
                    id,
                    DistributedMap {
                        map_run_arn,
                        request,
                        stage: Stage::Running(run),
                    },
                );
                Step::Continue
            }
            Err(error) => self.fail_map_run(id, error),
        }
    }

    /// Without batches, inputs are made when their children start.
    fn child_inputs(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        map: &MapState,
        request: &MapRequest,
    ) -> Result<ChildInputs, StateError> {
        if map.item_batcher.is_none() {
            return Ok(ChildInputs::Items);
        }
        let mut items = Vec::with_capacity(request.items.length as usize);
        for index in 0..request.items.length {
            let item = self.iteration_input(program, id, state, map, request, index);
            items.push(
                item.map_err(|fault| self.fault(id, &state.name, fault))?
                    .into_value(),
            );
        }
        let context = self.take_context(id, state);
        let batcher = batcher(
            &mut self.evaluation(program, &context),
            map,
            &request.effective_input,
        );
        self.return_context(context);
        let (batch_input, limits) = batcher.map_err(|fault| self.fault(id, &state.name, fault))?;
        let batches = batch(items, batch_input.as_ref(), limits)
            .map_err(|error| StateError::data_limit(error.to_string()))?;
        Ok(ChildInputs::Batches(batches))
    }

    /// Starts the next child where there is room; ends the Map Run when all have ended.
    pub(super) fn continue_distributed_map(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        mut map: Box<DistributedMap>,
    ) -> Step {
        let StateAction::Map(map_state) = &state.action else {
            return Step::Stop;
        };
        let Stage::Running(run) = &mut map.stage else {
            self.put_distributed_map(id, *map);
            return Step::Stop;
        };
        let Some(index) = run.next_to_start() else {
            let finished = run.is_finished();
            if finished {
                return self.finish_map_run(program, id, state, map_state, *map, None);
            }
            self.put_distributed_map(id, *map);
            return Step::Stop;
        };
        let input = match run.batch(index) {
            Some(batch) => Ok(Data::measured(batch, &self.start.limits)),
            None => self.iteration_input(program, id, state, map_state, &map.request, index),
        };
        match input {
            Ok(input) => {
                self.count_down_budget();
                self.start_child(id, map_state, &mut map, index, input);
                self.put_distributed_map(id, *map);
                Step::Continue
            }
            Err(fault) => {
                self.stop_children(&map);
                self.fail_state_with(program, id, state, fault)
            }
        }
    }

    fn start_child(
        &mut self,
        id: FlowId,
        map_state: &MapState,
        map: &mut DistributedMap,
        index: u32,
        input: Data,
    ) {
        let effect = self.new_effect_id();
        let Stage::Running(run) = &mut map.stage else {
            return;
        };
        let item = run.item_of_child(&map.request, index);
        let child = self.child_execution(
            effect,
            map_state,
            &map.map_run_arn,
            u64::from(index),
            item,
            input.into_shared(),
        );
        run.started(effect, index, &child.start);
        self.effects.insert(effect, id);
        self.outputs
            .push_back(Output::StartChildExecution(Box::new(child)));
    }

    pub(super) fn child_execution_ended(
        &mut self,
        program: &Program,
        effect: EffectId,
        outcome: Outcome,
    ) {
        let Some((id, mut map)) = self.take_distributed_map(effect, Stage::awaits_children) else {
            return;
        };
        let total = u64::from(map.request.items.length);
        let tolerated = map.request.tolerated_failure.unwrap_or_default();
        let Stage::Running(run) = &mut map.stage else {
            return self.put_distributed_map(id, *map);
        };
        run.ended(effect, outcome, self.now);
        if tolerated.is_exceeded(run.failed_items(), total) {
            let error = StateError::new(
                names::EXCEED_TOLERATED_FAILURE_THRESHOLD,
                crate::distributed::ToleratedFailure::CAUSE,
            );
            self.stop_children(&map);
            let Some(flow) = self.flows.get(id) else {
                return;
            };
            let state = program.state(flow.state);
            let StateAction::Map(map_state) = &state.action else {
                return;
            };
            if matches!(
                self.finish_map_run(program, id, state, map_state, *map, Some(error)),
                Step::Continue
            ) {
                self.ready.push_back(id);
            }
            return;
        }
        self.put_distributed_map(id, *map);
        self.ready.push_back(id);
    }

    /// All children ended, or too many failed: the results are written, or are the state's result.
    fn finish_map_run(
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
        let context = self.take_context(id, state);
        let parameters = map_state
            .result_writer_parameters
            .as_ref()
            .map(|template| {
                self.evaluation(program, &context)
                    .payload(template, &request.effective_input)
            })
            .transpose();
        self.return_context(context);
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
            Ok(Value::Array(outputs)) => {
                self.succeed_map_run(id, |limits| measured_array(outputs, limits))
            }
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

    fn fail_map_run(&mut self, id: FlowId, error: StateError) -> Step {
        let (name, cause) = (error.error.clone(), error.cause.clone());
        self.record_in(id, || EventDetails::MapRunFailed { error: name, cause });
        if let Some(flow) = self.flows.get_mut(id) {
            flow.iterations_failed = true;
            flow.phase = Phase::Settled(Box::new(Err(error)));
        }
        Step::Continue
    }

    /// As [`fail_map_run`](Self::fail_map_run), where the flow is not being run.
    fn settle_map_run(&mut self, id: FlowId, error: StateError) {
        self.fail_map_run(id, error);
        self.ready.push_back(id);
    }

    fn stop_children(&mut self, map: &DistributedMap) {
        if let Stage::Running(run) = &map.stage {
            for effect in run.running() {
                self.effects.remove(&effect);
                self.outputs
                    .push_back(Output::StopChildExecution { id: effect });
            }
        }
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

fn item_reader_request(
    evaluation: &mut Evaluation<'_>,
    map: &MapState,
    input: &Value,
) -> Result<ItemReaderRequest, EvaluationFault> {
    let reader = map.item_reader.as_ref();
    let config = reader
        .and_then(|reader| reader.reader_config.clone())
        .unwrap_or_default();
    let parameters = map
        .item_reader_parameters
        .as_ref()
        .map(|template| evaluation.payload(template, input))
        .transpose()?;
    Ok(ItemReaderRequest {
        resource: reader
            .map(|reader| reader.resource.clone())
            .unwrap_or_default(),
        parameters: parameters.map_or(Value::Null, Data::into_value),
        max_items: evaluation.positive("MaxItems", config.max_items.as_ref(), input)?,
        config,
    })
}

/// "ItemBatcher" with its numbers read and its BatchInput evaluated.
fn batcher(
    evaluation: &mut Evaluation<'_>,
    map: &MapState,
    input: &Value,
) -> Result<(Option<Value>, BatchLimits), EvaluationFault> {
    let batcher = map.item_batcher.as_ref();
    let batch_input = map
        .batch_input
        .as_ref()
        .map(|template| evaluation.payload(template, input))
        .transpose()?;
    let max_items = evaluation.positive(
        "MaxItemsPerBatch",
        batcher.and_then(|b| b.max_items_per_batch.as_ref()),
        input,
    )?;
    let max_bytes = evaluation.positive(
        "MaxInputBytesPerBatch",
        batcher.and_then(|b| b.max_input_bytes_per_batch.as_ref()),
        input,
    )?;
    // The service never makes an input larger than its limit on payloads.
    let max_input_bytes = match (max_bytes, evaluation.limits.max_payload_bytes) {
        (Some(batch), Some(payload)) => Some(batch.min(payload)),
        (batch, payload) => batch.or(payload),
    };
    Ok((
        batch_input.map(Data::into_value),
        BatchLimits {
            max_items,
            max_input_bytes,
        },
    ))
}

/// The bucket, the files to write there and the state's result.
fn written_results(
    writer: &asl_model::ResultWriter,
    parameters: Option<&Value>,
    map_run_arn: &str,
    results: &[ChildResult],
) -> Result<(String, VecDeque<StorageOperation>, Value), String> {
    let exported = writer.resource.is_some();
    let format = ResultFormat::new(writer.writer_config.as_ref(), exported)
        .map_err(|error| error.to_string())?;
    if !exported {
        return Ok((
            String::new(),
            VecDeque::new(),
            transformed_result(format, results),
        ));
    }
    let destination =
        Destination::new(parameters.unwrap_or(&Value::Null)).map_err(|error| error.to_string())?;
    let files = result_files(map_run_arn, &destination, format, results);
    let result = exported_result(map_run_arn, &destination);
    Ok((destination.bucket, files.into(), result))
}
