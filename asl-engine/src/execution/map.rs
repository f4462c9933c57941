//! Map States: items and their inline iterations (2024 specification, Map State).
use super::data::Data;
use super::error::{StateError, names};
use super::evaluation::Evaluation;
use super::fault::EvaluationFault;
use super::flow::{Flow, FlowId, Owner, Phase};
use super::items::{Items, MapItem};
use super::machine::{Machine, Step};
use super::measure::Measure;
use crate::Program;
use crate::distributed::ToleratedFailure;
use crate::history::EventDetails;
use crate::program::{MapState, StateAction, StateProgram};
use asl_model::ProcessorMode;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The iterations of an inline Map State that runs.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct MapIterations {
    request: MapRequest,
    next: u32,
    /// Iterations under way, by index.
    running: BTreeMap<u32, FlowId>,
    /// By iteration; a tolerated failure leaves none.
    #[serde(with = "crate::saved::optionals")]
    outputs: Vec<Option<Value>>,
    /// The event that made room for the next iteration.
    freed_by_event_id: u64,
    /// Whether the Map State's flow is in the ready queue already.
    queued: bool,
    failures: u64,
    /// What the outputs so far add up to.
    outputs_measure: Measure,
}

/// A Map State's evaluated fields.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct MapRequest {
    pub(super) items: Items,
    /// What ItemSelector applies to.
    pub(super) effective_input: Arc<Value>,
    /// 0 for no limit.
    pub(super) max_concurrency: u64,
    /// None where any failure of an inline iteration fails the state.
    pub(super) tolerated_failure: Option<ToleratedFailure>,
}

impl MapIterations {
    /// The item of an iteration, for the Context Object.
    pub(super) fn item(&self, index: u32) -> MapItem {
        self.request.items.item(index)
    }

    pub(super) fn flows(&self) -> impl Iterator<Item = FlowId> {
        self.running.values().copied()
    }

    fn has_room(&self) -> bool {
        let max = self.request.max_concurrency;
        self.next < self.request.items.length && (max == 0 || (self.running.len() as u64) < max)
    }
}

impl Machine {
    pub(super) fn start_map(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        map: &MapState,
    ) -> Step {
        let mut raw = self.take_input(id);
        let request = self.evaluate(program, id, state, |evaluation| {
            map_request(evaluation, state, map, &mut raw)
        });
        if let Some(flow) = self.flows.get_mut(id) {
            flow.children_failed = false;
            flow.input = raw;
        }
        let mut request = match request {
            Ok(request) => request,
            Err(fault) => return self.fail_state_with(program, id, state, fault),
        };
        let length = u64::from(request.items.length);
        let started = self.record_in(id, || EventDetails::MapStateStarted { length });
        // Recorded: a wrong threshold shows after the state has started, a wrong concurrency before.
        let tolerated = self.evaluate(program, id, state, |evaluation| {
            tolerated_failure(evaluation, map, &request.effective_input)
        });
        request.tolerated_failure = match tolerated {
            Ok(tolerated) => tolerated,
            Err(fault) => return self.fail_state_with(program, id, state, fault),
        };
        if map.mode == ProcessorMode::Distributed {
            return self.start_map_run(program, id, state, map, request);
        }
        let iterations = MapIterations {
            outputs: vec![None; request.items.length as usize],
            request,
            next: 0,
            running: BTreeMap::new(),
            freed_by_event_id: started,
            queued: false,
            failures: 0,
            outputs_measure: Measure::EMPTY_ARRAY,
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
        let StateAction::Map(map) = &state.action else {
            return Step::Stop;
        };
        iterations.queued = false;
        if !iterations.has_room() {
            let finished = iterations.running.is_empty();
            self.put_iterations(id, iterations);
            return if finished {
                self.finish_iterations(id)
            } else {
                Step::Stop
            };
        }
        let index = iterations.next;
        iterations.next += 1;
        let input = self.iteration_input(program, id, state, map, &iterations.request, index);
        let input = match input {
            Ok(input) => input,
            Err(fault) => {
                self.put_iterations(id, iterations);
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
        let first = Flow::new(Some(owner), program.start_of(map.scope), input, started);
        let child = self.flows.insert(first);
        iterations.running.insert(index, child);
        iterations.queued = iterations.has_room();
        if iterations.queued {
            self.ready.push_back(id);
        }
        self.ready.push_front(child);
        self.put_iterations(id, iterations);
        Step::Stop
    }

    fn put_iterations(&mut self, id: FlowId, iterations: Box<MapIterations>) {
        if let Some(flow) = self.flows.get_mut(id) {
            flow.phase = Phase::Map(iterations);
        }
    }

    /// The item, or ItemSelector's payload for it.
    pub(super) fn iteration_input(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        map: &MapState,
        request: &MapRequest,
        index: u32,
    ) -> Result<Data, EvaluationFault> {
        let item = request.items.get(index);
        let Some(selector) = &map.item_selector else {
            return Ok(Data::new(item.clone(), request.items.measure));
        };
        if state.uses_context
            && let Some(flow) = self.flows.get_mut(id)
        {
            flow.selecting = Some(request.items.item(index));
        }
        let input = self.evaluate(program, id, state, |evaluation| {
            evaluation.payload(selector, "ItemSelector", &request.effective_input)
        });
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
        iterations.outputs_measure = iterations.outputs_measure.with_element(output.measure);
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
        let total = u64::from(iterations.request.items.length);
        let tolerated_failure = iterations.request.tolerated_failure;
        let index = u64::from(owner.index);
        self.record(last_event_id, || EventDetails::MapIterationFailed {
            name,
            index,
        });
        let error = match tolerated_failure {
            // Specification, Map State: above the threshold the state fails with an error of its own.
            Some(tolerated) if error.is_catchable() => {
                if !tolerated.is_exceeded(failures, total) {
                    return self.iteration_ended(owner.flow, last_event_id);
                }
                StateError::new(
                    names::EXCEED_TOLERATED_FAILURE_THRESHOLD,
                    ToleratedFailure::CAUSE,
                )
            }
            // What leaves an iteration is no branch's error any more.
            _ => StateError {
                of_branch: false,
                ..error
            },
        };
        if let Some(flow) = self.flows.get_mut(owner.flow) {
            flow.last_event_id = last_event_id;
            flow.children_failed = true;
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
        let measure = iterations.outputs_measure;
        let last = flow.last_event_id;
        // Recorded: what follows links to the last iteration's event, not to this one.
        self.record(last, || EventDetails::MapStateSucceeded);
        let result = Data::new(Value::Array(outputs), measure);
        if let Some(flow) = self.flows.get_mut(id) {
            flow.phase = Phase::Settled(Box::new(Ok(result)));
        }
        Step::Continue
    }
}

fn map_request(
    evaluation: &mut Evaluation<'_>,
    state: &StateProgram,
    map: &MapState,
    raw: &mut Data,
) -> Result<MapRequest, EvaluationFault> {
    let effective = evaluation
        .selected_input(&state.processing, raw)?
        .unwrap_or_else(|| raw.duplicate());
    let input_measure = effective.measure;
    let effective_input = effective.into_shared();
    let max_concurrency = evaluation.whole(
        "MaxConcurrency",
        map.max_concurrency.as_ref(),
        &effective_input,
    )?;
    let items = match map.item_reader {
        // Its items are not known before they are read.
        Some(_) if map.mode == ProcessorMode::Distributed => Items::of_array(Vec::new(), false),
        _ => Items::of_state(evaluation, map, &effective_input, input_measure)?,
    };
    Ok(MapRequest {
        items,
        effective_input,
        max_concurrency: max_concurrency.unwrap_or(0),
        tolerated_failure: None,
    })
}

fn tolerated_failure(
    evaluation: &mut Evaluation<'_>,
    map: &MapState,
    input: &Value,
) -> Result<Option<ToleratedFailure>, EvaluationFault> {
    let count = evaluation.whole(
        "ToleratedFailureCount",
        map.tolerated_failure_count.as_ref(),
        input,
    )?;
    let percentage = evaluation.percentage(
        "ToleratedFailurePercentage",
        map.tolerated_failure_percentage.as_ref(),
        input,
    )?;
    if count.is_none() && percentage.is_none() {
        return Ok(None);
    }
    ToleratedFailure::new(count, percentage)
        .map(Some)
        .map_err(|error| EvaluationFault::runtime(error.to_string()))
}
