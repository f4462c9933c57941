//! The children of a Map Run: given their inputs, started where there is room, counted when they end.
use super::data::Data;
use super::distributed_map::{DistributedMap, Stage};
use super::error::{StateError, names};
use super::flow::FlowId;
use super::machine::{Machine, Step};
use super::map::MapRequest;
use super::map_run::{ChildInputs, MapRun};
use super::map_run_fields::batcher;
use super::{EffectId, Output};
use crate::distributed::batch;
use crate::program::{MapState, StateAction, StateProgram};
use crate::{Outcome, Program};

impl Machine {
    /// The items are there: their inputs are made, and children started.
    pub(super) fn run_children(
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
            match self.iteration_input(program, id, state, map, request, index) {
                Ok(item) => items.push(item.into_value()),
                Err(fault) => return Err(self.fault(id, &state.name, fault)),
            }
        }
        let batcher = self.evaluate(program, id, state, |evaluation| {
            batcher(evaluation, map, &request.effective_input)
        });
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

    pub(super) fn stop_children(&mut self, map: &DistributedMap) {
        if let Stage::Running(run) = &map.stage {
            for effect in run.running() {
                self.effects.remove(&effect);
                self.outputs
                    .push_back(Output::StopChildExecution { id: effect });
            }
        }
    }
}
