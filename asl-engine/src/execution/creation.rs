//! The beginning of an execution.
use super::departure::Departures;
use super::evaluate::Variable;
use super::machine::{
    Effects, FLOW, Flow, FlowId, Flows, Machine, Phase, Queue, Random, Resumption, ScopeVariables,
    TimerOwner, Timers, TurnBudget, deadline,
};
use super::output::ChildItem;
use super::start::Start;
use super::token::TaskTokens;
use crate::Program;
use crate::data::{Data, Memory, cut_measured, measure};
use crate::history::EventDetails;
use crate::program::ScopeIndex;
use serde_json::{Map, Value};
use std::sync::Arc;

/// An execution whose first flow is about to enter its first state.
pub(super) fn begin(
    program: &Program,
    mut start: Start,
    item: Option<ChildItem>,
    tokens: Option<Arc<dyn TaskTokens>>,
) -> Machine {
    let scope = item.as_ref().map_or(ScopeIndex(0), |item| item.scope);
    let (measure, weight) = cut_measured(&mut start.input, &start.limits);
    let mut machine = Machine {
        now: start.now,
        random: Random::new(start.seed, &start.identity),
        flows: Flows::default(),
        ready: Queue::default(),
        timers: Timers::default(),
        effects: Effects::default(),
        outputs: Queue::default(),
        records_history: start.record_history,
        event_count: 0,
        transitions: 0,
        memory: Memory::new(start.limits.max_execution_bytes),
        turn: TurnBudget::new(start.limits.turn_cost),
        outcome: None,
        is_of_one_state: start.at.as_ref().is_some_and(|at| at.only),
        redrive_count: 0,
        redriven_at: None,
        deadline: deadline(program, start.state_machine_type, start.now),
        tokens,
        failed_at: None,
        departures: Departures::default(),
        inspector: None,
        context: None,
        item: item.map(Box::new),
        start: Box::new(start),
    };
    record_start(&mut machine);
    let input = Data::shared(Arc::clone(&machine.start.input), measure);
    // The execution keeps its input, besides the data of its first state.
    machine.memory.add(weight.saturating_mul(2) + FLOW);
    let id = insert_first_flow(&mut machine, program, scope, input);
    // The event of the start may have been the last that the limit allows.
    if machine.has_ended() {
        machine
            .flows
            .replace_phases(|_| Phase::Interrupted(Resumption::Enter));
        return machine;
    }
    machine.ready.push_back(id);
    if let Some(seconds) = program.timeout_seconds.filter(|_| scope == ScopeIndex(0)) {
        let due = machine.now.plus_seconds(seconds);
        machine.timers.set(due, TimerOwner::Machine);
    }
    machine
}

fn insert_first_flow(
    machine: &mut Machine,
    program: &Program,
    scope: ScopeIndex,
    input: Data,
) -> FlowId {
    let mut flow = Flow::new(None, program.start_of(scope), input, 0);
    if let Some(at) = &machine.start.at {
        flow.state = program.referred(at.state);
        flow.variables = variables(&at.variables);
        flow.retry_count = at.retry_count;
        let retriers = program.state(flow.state).error_handling();
        let retriers = retriers.map_or(0, |errors| errors.retriers.len());
        if at.retry_count > 0 {
            flow.retrier_counts.resize(retriers, at.retry_count);
        }
        machine.flows.set_variable_bytes(flow.variables.bytes());
    }
    machine.flows.insert(flow)
}

fn record_start(machine: &mut Machine) {
    let (input, identity) = (
        Arc::clone(&machine.start.input),
        Arc::clone(&machine.start.identity),
    );
    let input_text = machine.start.input_text.clone();
    machine.record(0, || EventDetails::ExecutionStarted {
        input,
        input_text,
        role_arn: identity.role_arn(),
    });
}

fn variables(given: &Map<String, Value>) -> ScopeVariables {
    given
        .iter()
        .map(|(name, value)| {
            let variable = Variable {
                measure: measure(value, true),
                value: Arc::new(value.clone()),
            };
            (Arc::from(name.as_str()), variable)
        })
        .collect()
}
