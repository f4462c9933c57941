//! The way that an execution took, read from its history.
use crate::exit::Failure;
use crate::source::Source;
use asl_explain::ChildHistory;
use asl_graph::{EdgeKind, Overlay, Visit};
use asl_model::{StateMachine, States, Transition};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};

/// So many events at most lie between a failure and the entering of its state.
const FARTHEST_ENTRY: usize = 16;

/// Reads `{"events":[…]}`, as `asl run --history` writes and GetExecutionHistory returns it, of an execution of `machine`.
/// With the histories of children, theirs too.
pub(super) fn read(
    path: &str,
    machine: &StateMachine,
    children: &[ChildHistory],
) -> Result<Overlay, Failure> {
    let source = Source::read(path)?;
    let history = source.json()?;
    let Some(Value::Array(events)) = history.get("events") else {
        return Err(Failure::new(format!(
            "{path} is not an execution history: expected an object with an array \"events\""
        )));
    };
    Ok(overlay(events, machine, children))
}

fn overlay(events: &[Value], machine: &StateMachine, children: &[ChildHistory]) -> Overlay {
    let events: Events<'_> = events.iter().filter_map(Event::read).collect();
    let mut overlay = Overlay::new();
    if children.is_empty() {
        enter_map_runs(&mut overlay, &events, machine);
    }
    add(&mut overlay, &events);
    let has_succeeded = |event: &Event<'_>| event.kind == Kind::Succeeded;
    if events.values().any(has_succeeded) {
        overlay.succeed();
    }
    let mut open: Vec<&ChildHistory> = children.iter().collect();
    while let Some(ChildHistory { history, .. }) = open.pop() {
        let events = history.events.get("events").and_then(Value::as_array);
        let events = events.into_iter().flatten().filter_map(Event::read);
        add(&mut overlay, &events.collect());
        open.extend(&history.children);
    }
    overlay
}

/// Adds the way of one execution.
fn add(overlay: &mut Overlay, events: &Events<'_>) {
    let mut open: HashMap<&str, i64> = HashMap::new();
    for event in events.values() {
        match event.kind {
            Kind::Entered(name) => {
                *open.entry(name).or_default() += 1;
                enter(overlay, name, event, events);
            }
            Kind::Exited(name) => *open.entry(name).or_default() -= 1,
            Kind::Succeeded
            | Kind::Failure
            | Kind::MapRun
            | Kind::MapRunSucceeded
            | Kind::Other => {}
        }
    }
    for (name, left) in open {
        let visit = match left > 0 {
            true => Visit::Stopped,
            false => Visit::Passed,
        };
        // Of several children, one that did not pass is what is to be seen.
        let seen = overlay.visit_of(name);
        if !matches!(seen, Some(Visit::Failed | Visit::Stopped)) || visit != Visit::Passed {
            overlay.visit(name, visit);
        }
    }
    for event in events.values() {
        find_failure(overlay, event, events);
    }
}

/// Marks the states of distributed Maps. The children have their own histories: a successful child must have passed the
/// states that every path contains, and nothing is known of the others.
fn enter_map_runs(overlay: &mut Overlay, events: &Events<'_>, machine: &StateMachine) {
    let of = |kind: Kind<'static>| -> HashSet<&str> {
        let runs = events.values().filter(|event| event.kind == kind);
        runs.filter_map(|run| entered_before(run, events)).collect()
    };
    let (started, succeeded) = (of(Kind::MapRun), of(Kind::MapRunSucceeded));
    let mut open: Vec<(&States, Run)> = vec![(&machine.states, Run::None)];
    while let Some((states, run)) = open.pop() {
        if run != Run::None {
            mark(overlay, states, run);
        }
        for (name, state) in &states.states {
            let passed = overlay.visit_of(name.as_str()) == Some(Visit::Passed);
            let within = match run {
                Run::None if succeeded.contains(name.as_str()) => Run::Succeeded,
                Run::None if started.contains(name.as_str()) => Run::Unknown,
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

/// The state that was entered last on the way to an event.
fn entered_before<'e>(event: &Event<'e>, events: &Events<'e>) -> Option<&'e str> {
    let mut at = event.previous;
    for _ in 0..FARTHEST_ENTRY {
        let before = events.get(&at)?;
        if let Kind::Entered(name) = before.kind {
            return Some(name);
        }
        at = before.previous;
    }
    None
}

fn enter(overlay: &mut Overlay, name: &str, event: &Event<'_>, events: &Events<'_>) {
    match events.get(&event.previous) {
        Some(Event {
            kind: Kind::Exited(from),
            previous,
            ..
        }) => {
            let before = events.get(previous);
            let kind = match before.is_some_and(|before| before.kind == Kind::Failure) {
                true => EdgeKind::Catch,
                false => EdgeKind::Next,
            };
            overlay.step(from, name, kind);
        }
        _ => {
            overlay.start(name);
        }
    }
}

/// A state that was not left failed where a failure's way back comes to its entry; a Fail State always does.
fn find_failure(overlay: &mut Overlay, event: &Event<'_>, events: &Events<'_>) {
    match event.kind {
        Kind::Failure => {
            if let Some(name) = entered_before(event, events)
                && overlay.visit_of(name) == Some(Visit::Stopped)
            {
                overlay.visit(name, Visit::Failed);
            }
        }
        Kind::Entered(name) if event.is_fail_state => {
            overlay.visit(name, Visit::Failed);
        }
        _ => {}
    }
}

/// Events by id.
type Events<'e> = BTreeMap<u64, Event<'e>>;

/// The relevant parts of an event.
struct Event<'e> {
    previous: u64,
    kind: Kind<'e>,
    is_fail_state: bool,
}

#[derive(PartialEq)]
enum Kind<'e> {
    Entered(&'e str),
    Exited(&'e str),
    Failure,
    Succeeded,
    /// The children of a distributed Map begin.
    MapRun,
    MapRunSucceeded,
    Other,
}

impl<'e> Event<'e> {
    fn read(event: &'e Value) -> Option<(u64, Self)> {
        let event_type = event.get("type")?.as_str()?;
        let name = |details: &str| event.get(details)?.get("name")?.as_str();
        let kind = if let Some(name) = name("stateEnteredEventDetails") {
            Kind::Entered(name)
        } else if let Some(name) = name("stateExitedEventDetails") {
            Kind::Exited(name)
        } else if event_type == "MapRunStarted" {
            Kind::MapRun
        } else if event_type == "MapRunSucceeded" {
            Kind::MapRunSucceeded
        } else if event_type == "ExecutionSucceeded" {
            Kind::Succeeded
        } else if event_type.starts_with("Execution") {
            Kind::Other
        } else if event_type.ends_with("Failed") || event_type.ends_with("TimedOut") {
            Kind::Failure
        } else {
            Kind::Other
        };
        Some((
            event.get("id")?.as_u64()?,
            Self {
                previous: event.get("previousEventId")?.as_u64()?,
                kind,
                is_fail_state: event_type == "FailStateEntered",
            },
        ))
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
        overlay(events, &machine, &[])
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
        json!({ "id": id, "previousEventId": id - 1, "type": event_type, details: { "name": name } })
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
