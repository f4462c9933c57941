//! The path of an execution, read from its history, as an overlay of the graph.
use crate::exit::Failure;
use crate::source::Source;
use asl_engine::history::{EventDetails, HistoryEvent, StateType};
use asl_graph::{EdgeKind, Overlay, Visit};
use asl_model::{StateMachine, States, Transition};
use asl_trace::{ChildHistory, HistoryError, Spans, StateTree, read_events};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Reads `{"events":[…]}`, as `asl run --history` writes and GetExecutionHistory returns it, of an execution of `machine`.
/// With the histories of children, theirs too.
pub(super) fn read(
    path: &str,
    machine: &StateMachine,
    children: &[ChildHistory],
) -> Result<Overlay, Failure> {
    let source = Source::read(path)?;
    let history = source.json()?;
    overlay(&history, machine, children)
        .map_err(|error| Failure::new(format!("{path} is not an execution history: {error}")))
}

fn overlay(
    history: &Value,
    machine: &StateMachine,
    children: &[ChildHistory],
) -> Result<Overlay, HistoryError> {
    let tree = StateTree::new(machine);
    let events = read_events(history)?;
    let mut overlay = Overlay::new();
    let runs = add(&mut overlay, &events, &tree);
    if children.is_empty() {
        enter_map_runs(&mut overlay, &runs, machine);
    }
    let has_succeeded =
        |event: &HistoryEvent| matches!(event.details, EventDetails::ExecutionSucceeded { .. });
    if events.iter().any(has_succeeded) {
        overlay.succeed();
    }
    let mut open: Vec<&ChildHistory> = children.iter().collect();
    while let Some(ChildHistory { history, .. }) = open.pop() {
        add(&mut overlay, &read_events(&history.events)?, &tree);
        open.extend(&history.children);
    }
    Ok(overlay)
}

/// The Map States of an execution whose Map Runs started, and those with a successful one.
#[derive(Default)]
struct MapRuns {
    started: HashSet<Arc<str>>,
    succeeded: HashSet<Arc<str>>,
}

/// Adds the path of one execution, and returns its Map Runs.
fn add(overlay: &mut Overlay, events: &[HistoryEvent], tree: &StateTree) -> MapRuns {
    let mut runs = MapRuns::default();
    let mut spans = Spans::new(tree.clone());
    let mut statuses: HashMap<Arc<str>, Status> = HashMap::new();
    let mut see = |visit: &asl_trace::Visit| {
        let status = statuses.entry(Arc::clone(&visit.state)).or_default();
        *status = Status::of(visit).max(*status);
    };
    for event in events {
        let followed = spans.push(event);
        followed.interrupted.iter().for_each(&mut see);
        let Some(visit) = followed.visit else {
            continue;
        };
        match &event.details {
            EventDetails::StateEntered { .. } => enter(overlay, visit),
            EventDetails::StateExited { .. } => see(visit),
            EventDetails::MapRunStarted { .. } => _ = runs.started.insert(visit.state.clone()),
            EventDetails::MapRunSucceeded => _ = runs.succeeded.insert(visit.state.clone()),
            _ => {}
        }
    }
    spans.finish().iter().for_each(see);
    for (name, status) in statuses {
        // Of several children, one that did not pass is what is to be seen.
        let seen = overlay.visit_of(&name);
        if !matches!(seen, Some(Visit::Failed | Visit::Stopped)) || status != Status::Passed {
            overlay.visit(&name, status.shown());
        }
    }
    runs
}

/// Status of a state in one execution: the worst of its visits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    #[default]
    Passed,
    Stopped,
    Failed,
}

impl Status {
    fn of(visit: &asl_trace::Visit) -> Self {
        match (visit.left, &visit.failure) {
            (Some(_), _) => Self::Passed,
            (None, Some(_)) => Self::Failed,
            (None, None) if visit.state_type == StateType::Fail => Self::Failed,
            (None, None) => Self::Stopped,
        }
    }

    fn shown(self) -> Visit {
        match self {
            Self::Passed => Visit::Passed,
            Self::Stopped => Visit::Stopped,
            Self::Failed => Visit::Failed,
        }
    }
}

fn enter(overlay: &mut Overlay, visit: &asl_trace::Visit) {
    match &visit.previous {
        Some(previous) => {
            let kind = match previous.was_caught {
                true => EdgeKind::Catch,
                false => EdgeKind::Next,
            };
            overlay.step(&previous.state, &visit.state, kind);
        }
        None => {
            overlay.start(&visit.state);
        }
    }
}

/// Marks the states of distributed Maps. The children have their own histories: a successful child must have passed the
/// states that every path contains, and nothing is known of the others.
fn enter_map_runs(overlay: &mut Overlay, runs: &MapRuns, machine: &StateMachine) {
    let mut open: Vec<(&States, Run)> = vec![(&machine.states, Run::None)];
    while let Some((states, run)) = open.pop() {
        if run != Run::None {
            mark(overlay, states, run);
        }
        for (name, state) in &states.states {
            let passed = overlay.visit_of(name.as_str()) == Some(Visit::Passed);
            let within = match run {
                Run::None if runs.succeeded.contains(name.as_str()) => Run::Succeeded,
                Run::None if runs.started.contains(name.as_str()) => Run::Unknown,
                Run::None => Run::None,
                _ if passed => Run::Succeeded,
                _ => Run::Unknown,
            };
            open.extend(state.scopes().iter().map(|scope| (scope, within)));
        }
    }
}

/// State of the children of a distributed Map.
#[derive(Clone, Copy, PartialEq)]
enum Run {
    /// There are none.
    None,
    Succeeded,
    Unknown,
}

/// Marks the states of a scope that children ran.
fn mark(overlay: &mut Overlay, states: &States, run: Run) {
    for (name, _) in &states.states {
        overlay.visit(name.as_str(), Visit::Unknown);
    }
    overlay.start(states.start_at.as_str());
    let mut next = (run == Run::Succeeded).then_some(&states.start_at);
    while let Some(name) = next.take()
        && overlay.visit_of(name.as_str()) == Some(Visit::Unknown)
        && let Some((_, state)) = states.states.iter().find(|(known, _)| known == name)
    {
        overlay.visit(name.as_str(), Visit::Passed);
        if state.catch.is_empty()
            && let Some(Transition::Next(target)) = &state.transition
        {
            overlay.step(name.as_str(), target.as_str(), EdgeKind::Next);
            next = Some(target);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The way through a machine that has a distributed Map, "Each".
    fn way(events: &[Value]) -> Overlay {
        let machine = json!({"StartAt": "Each", "States": {"Each": {"Type": "Map", "End": true, "ItemProcessor": {
            "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "Fork", "States": {
                "Fork": {"Type": "Parallel", "Next": "Choose", "Branches": [
                    {"StartAt": "Inner", "States": {"Inner": {"Type": "Succeed"}}}]},
                "Choose": {"Type": "Choice", "Default": "Maybe", "Choices": [{"Variable": "$", "IsNull": true, "Next": "Maybe"}]},
                "Maybe": {"Type": "Pass", "End": true}}}}}});
        let (machine, _) = asl_model::parse_value(&machine, asl_model::Options::default()).unwrap();
        overlay(&json!({ "events": events }), &machine, &[]).unwrap()
    }

    #[test]
    fn the_states_of_a_map_run_are_reached_where_there_is_no_way_around_them() {
        let events = [
            event(1, "ExecutionStarted", ""),
            event(2, "MapStateEntered", "Each"),
            event(3, "MapStateStarted", ""),
            event(4, "MapRunStarted", ""),
            event(5, "MapRunSucceeded", ""),
        ];
        let names = ["Fork", "Inner", "Choose", "Maybe"];
        let visits = |count: usize| {
            let way = way(&events[..count]);
            names.map(|name| way.visit_of(name))
        };
        let (passed, unknown) = (Some(Visit::Passed), Some(Visit::Unknown));
        assert_eq!(visits(5), [passed, passed, passed, unknown]);
        assert_eq!(visits(4), [unknown; 4]);
        assert_eq!(visits(3), [None; 4]);
        assert!(way(&events).started_at("Inner"));
        assert!(way(&events).took("Fork", "Choose", EdgeKind::Next));
        assert_eq!(way(&events[..4]).visit_of("Each"), Some(Visit::Stopped));
    }

    fn event(id: u64, event_type: &str, name: &str) -> Value {
        let details = match event_type {
            t if t.ends_with("Entered") => "stateEnteredEventDetails",
            t if t.ends_with("Exited") => "stateExitedEventDetails",
            _ => "otherEventDetails",
        };
        json!({
            "id": id, "previousEventId": id - 1, "timestamp": 0, "type": event_type,
            details: {"name": name, "resourceType": "sqs", "resource": "sendMessage"},
        })
    }

    #[test]
    fn a_caught_failure_is_a_step_and_a_fail_state_is_where_it_failed() {
        let way = way(&[
            event(1, "ExecutionStarted", ""),
            event(2, "TaskStateEntered", "Work"),
            event(3, "TaskScheduled", ""),
            event(4, "TaskFailed", ""),
            event(5, "TaskStateExited", "Work"),
            event(6, "FailStateEntered", "GiveUp"),
            event(7, "ExecutionFailed", ""),
        ]);
        assert!(way.started_at("Work"));
        assert!(way.took("Work", "GiveUp", EdgeKind::Catch));
        assert!(!way.took("Work", "GiveUp", EdgeKind::Next));
        assert_eq!(way.visit_of("Work"), Some(Visit::Passed));
        assert_eq!(way.visit_of("GiveUp"), Some(Visit::Failed));
        assert_eq!(way.visit_of("Never"), None);
        assert!(!way.ended_at("Work"));
    }

    #[test]
    fn a_state_that_nothing_caught_is_where_it_failed() {
        let way = way(&[
            event(1, "ExecutionStarted", ""),
            event(2, "TaskStateEntered", "Work"),
            event(3, "TaskScheduled", ""),
            event(4, "TaskTimedOut", ""),
            event(5, "ExecutionFailed", ""),
        ]);
        assert_eq!(way.visit_of("Work"), Some(Visit::Failed));
    }
}
