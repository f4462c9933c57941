//! Map States: items and their inline iterations (2022 specification, Map State).
use super::data::Data;
use super::error::{EvaluationFault, StateError, names};
use super::flow::{Flow, FlowId, Owner, Phase};
use super::input_output::{Evaluation, measured_array};
use super::items::Items;
use super::machine::{Machine, Step};
use super::tolerance::Tolerance;
use crate::Program;
use crate::history::EventDetails;
use crate::program::{MapState, StateAction, StateProgram};
use asl_model::ProcessorMode;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The iterations of an inline Map State that runs.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct MapIterations {
    items: Items,
    /// What ItemSelector applies to.
    effective_input: Arc<Value>,
    /// 0 for no limit.
    max_concurrency: u64,
    next: u32,
    /// Iterations under way, by index.
    running: BTreeMap<u32, FlowId>,
    /// By iteration; a tolerated failure leaves none.
    outputs: Vec<Option<Value>>,
    /// The event that made room for the next iteration.
    freed_by_event_id: u64,
    /// Whether the Map State's flow is in the ready queue already.
    queued: bool,
    failures: u64,
    /// None where any failure fails the state.
    tolerance: Option<Tolerance>,
}

impl MapIterations {
    /// The item of an iteration, for the Context Object.
    pub(super) fn item(&self, index: u32) -> &Value {
        self.items.get(index)
    }

    pub(super) fn flows(&self) -> impl Iterator<Item = FlowId> {
        self.running.values().copied()
    }

    fn has_room(&self) -> bool {
        self.next < self.items.length
            && (self.max_concurrency == 0 || (self.running.len() as u64) < self.max_concurrency)
    }
}

/// A Map State's evaluated fields.
pub(super) struct MapRequest {
    pub(super) items: Items,
    pub(super) effective_input: Arc<Value>,
    pub(super) max_concurrency: u64,
    pub(super) tolerance: Option<Tolerance>,
}

impl Machine {
    pub(super) fn start_map(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        map: &MapState,
    ) -> Step {
        if let Some(flow) = self.flows.get_mut(id) {
            flow.iterations_failed = false;
        }
        if map.mode == ProcessorMode::Distributed && map.item_reader.is_some() {
            return self.read_items(program, id, state, map);
        }
        let mut raw = self.take_input(id);
        let context = self.take_context(id, state);
        let mut evaluation = self.evaluation(program, &context);
        let items = evaluation
            .effective_input(state, None, &mut raw)
            .and_then(|effective| {
                let effective = effective.into_shared();
                Ok((Items::of_path(&evaluation, map, &effective)?, effective))
            });
        self.return_context(context);
        if let Some(flow) = self.flows.get_mut(id) {
            flow.input = raw;
        }
        match items {
            Ok((items, effective)) => {
                self.start_map_with(program, id, state, map, items, effective)
            }
            Err(fault) => self.fail_state_with(program, id, state, fault),
        }
    }

    /// The items are known: their number is told before the other fields are read.
    pub(super) fn start_map_with(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        map: &MapState,
        items: Items,
        effective_input: Arc<Value>,
    ) -> Step {
        let length = u64::from(items.length);
        let started = self.record_in(id, || EventDetails::MapStateStarted { length });
        let raw = self.share_input(id);
        let context = self.take_context(id, state);
        let request = map_request(
            &self.evaluation(program, &context),
            map,
            items,
            effective_input,
            &raw,
        );
        self.return_context(context);
        let request = match request {
            Ok(request) => request,
            Err(fault) => return self.fail_state_with(program, id, state, fault),
        };
        if map.mode == ProcessorMode::Distributed {
            return self.start_map_run(program, id, state, map, request);
        }
        let iterations = MapIterations {
            outputs: vec![None; request.items.length as usize],
            items: request.items,
            effective_input: request.effective_input,
            max_concurrency: request.max_concurrency,
            next: 0,
            running: BTreeMap::new(),
            freed_by_event_id: started,
            queued: false,
            failures: 0,
            tolerance: request.tolerance,
        };
        self.start_iteration(program, id, state, Box::new(iterations))
    }

    /// Starts the next iteration where there is room, and comes back for the one after it.
    pub(super) fn start_iteration(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        mut iterations: Box<MapIterations>,
    ) -> Step {
        iterations.queued = false;
        if !iterations.has_room() {
            let finished = iterations.running.is_empty();
            if let Some(flow) = self.flows.get_mut(id) {
                flow.phase = Phase::Map(iterations);
            }
            return if finished {
                self.finish_iterations(id)
            } else {
                Step::Stop
            };
        }
        let StateAction::Map(map) = &state.action else {
            return Step::Stop;
        };
        let index = iterations.next;
        iterations.next += 1;
        let effective_input = Arc::clone(&iterations.effective_input);
        let input = self.iteration_input(
            program,
            id,
            state,
            map,
            &iterations.items,
            index,
            &effective_input,
        );
        let input = match input {
            Ok(input) => input,
            Err(fault) => {
                if let Some(flow) = self.flows.get_mut(id) {
                    flow.phase = Phase::Map(iterations);
                }
                self.cancel_flows_of(id);
                return self.fail_state_with(program, id, state, fault);
            }
        };
        let name = Arc::clone(&state.name);
        let started = self.record(iterations.freed_by_event_id, || {
            EventDetails::MapIterationStarted {
                name,
                index: u64::from(index),
            }
        });
        let owner = Owner { flow: id, index };
        let child = self.flows.insert(Flow::new(
            Some(owner),
            program.start_of(map.scope),
            input,
            started,
        ));
        iterations.running.insert(index, child);
        iterations.queued = iterations.has_room();
        if iterations.queued {
            self.ready.push_back(id);
        }
        self.ready.push_front(child);
        if let Some(flow) = self.flows.get_mut(id) {
            flow.phase = Phase::Map(iterations);
        }
        Step::Stop
    }

    /// The item, or ItemSelector's payload for it.
    #[expect(
        clippy::too_many_arguments,
        reason = "an iteration's input depends on all of them"
    )]
    pub(super) fn iteration_input(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        map: &MapState,
        items: &Items,
        index: u32,
        effective_input: &Value,
    ) -> Result<Data, EvaluationFault> {
        let item = items.get(index);
        let Some(selector) = &map.item_selector else {
            return Ok(Data::new(item.clone(), items.measure));
        };
        if state.uses_context
            && let Some(flow) = self.flows.get_mut(id)
        {
            flow.selecting = Some((index, item.clone()));
        }
        let context = self.take_context(id, state);
        let input = self
            .evaluation(program, &context)
            .payload(selector, effective_input);
        self.return_context(context);
        if let Some(flow) = self.flows.get_mut(id) {
            flow.selecting = None;
        }
        input
    }

    pub(super) fn iteration_succeeded(
        &mut self,
        program: &Program,
        owner: Owner,
        last_event_id: u64,
        output: Data,
    ) {
        let Some((name, iterations)) = self.iterations(program, owner.flow) else {
            return;
        };
        iterations.running.remove(&owner.index);
        iterations.freed_by_event_id = last_event_id;
        if let Some(place) = iterations.outputs.get_mut(owner.index as usize) {
            *place = Some(output.into_value());
        }
        let index = u64::from(owner.index);
        let succeeded = self.record(last_event_id, || EventDetails::MapIterationSucceeded {
            name,
            index,
        });
        self.iteration_ended(owner.flow, succeeded);
    }

    pub(super) fn iteration_failed(
        &mut self,
        program: &Program,
        owner: Owner,
        last_event_id: u64,
        error: StateError,
    ) {
        let Some((name, iterations)) = self.iterations(program, owner.flow) else {
            return;
        };
        iterations.running.remove(&owner.index);
        iterations.freed_by_event_id = last_event_id;
        iterations.failures += 1;
        let failures = iterations.failures;
        let total = u64::from(iterations.items.length);
        let tolerance = iterations.tolerance;
        let index = u64::from(owner.index);
        self.record(last_event_id, || EventDetails::MapIterationFailed {
            name,
            index,
        });
        let error = match tolerance {
            // Specification, Map State: above the threshold the state fails with an error of its own.
            Some(tolerance) if error.is_catchable() => match tolerance.is_exceeded(failures, total)
            {
                false => return self.iteration_ended(owner.flow, last_event_id),
                true => {
                    StateError::new(names::EXCEED_TOLERATED_FAILURE_THRESHOLD, Tolerance::CAUSE)
                }
            },
            _ => error,
        };
        if let Some(flow) = self.flows.get_mut(owner.flow) {
            flow.last_event_id = last_event_id;
            flow.iterations_failed = true;
        }
        self.settle_container(owner.flow, error);
    }

    fn iterations<'s>(
        &'s mut self,
        program: &Program,
        id: FlowId,
    ) -> Option<(Arc<str>, &'s mut MapIterations)> {
        let flow = self.flows.get_mut(id)?;
        let name = Arc::clone(&program.state(flow.state).name);
        match &mut flow.phase {
            Phase::Map(iterations) => Some((name, iterations)),
            _ => None,
        }
    }

    /// The Map State goes on with its next iteration, or to its end.
    fn iteration_ended(&mut self, id: FlowId, event_id: u64) {
        let Some(flow) = self.flows.get_mut(id) else {
            return;
        };
        flow.last_event_id = event_id;
        let Phase::Map(iterations) = &mut flow.phase else {
            return;
        };
        let goes_on = iterations.has_room() || iterations.running.is_empty();
        if goes_on && !iterations.queued {
            iterations.queued = true;
            self.ready.push_back(id);
        }
    }

    fn finish_iterations(&mut self, id: FlowId) -> Step {
        let Some(flow) = self.flows.get_mut(id) else {
            return Step::Stop;
        };
        let Phase::Map(iterations) = &mut flow.phase else {
            return Step::Stop;
        };
        let outputs = std::mem::take(&mut iterations.outputs)
            .into_iter()
            .flatten()
            .collect();
        let last = flow.last_event_id;
        // Recorded: what follows links to the last iteration's event, not to this one.
        self.record(last, || EventDetails::MapStateSucceeded);
        let result = measured_array(outputs, &self.start.limits);
        if let Some(flow) = self.flows.get_mut(id) {
            flow.phase = Phase::Settled(Box::new(Ok(result)));
        }
        Step::Continue
    }
}

fn map_request(
    evaluation: &Evaluation<'_>,
    map: &MapState,
    items: Items,
    effective_input: Arc<Value>,
    raw: &Value,
) -> Result<MapRequest, EvaluationFault> {
    let max_concurrency = evaluation
        .whole("MaxConcurrency", map.max_concurrency.as_ref(), raw)?
        .unwrap_or(0);
    let count = evaluation.whole(
        "ToleratedFailureCount",
        map.tolerated_failure_count.as_ref(),
        raw,
    )?;
    let percentage = evaluation.percentage(
        "ToleratedFailurePercentage",
        map.tolerated_failure_percentage.as_ref(),
        raw,
    )?;
    let tolerance =
        (count.is_some() || percentage.is_some()).then_some(Tolerance { count, percentage });
    Ok(MapRequest {
        items,
        effective_input,
        max_concurrency,
        tolerance,
    })
}
