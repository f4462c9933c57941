//! The way that an execution took, read from its history.
use crate::exit::Failure;
use crate::source::Source;
use asl_graph::{EdgeKind, Overlay, Visit};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// So many events at most lie between a failure and the entering of its state.
const FARTHEST_ENTRY: usize = 16;

/// Reads `{"events":[…]}`, as `asl run --history` writes and GetExecutionHistory returns it.
pub(super) fn read(path: &str) -> Result<Overlay, Failure> {
    let source = Source::read(path)?;
    let history = source.json()?;
    let Some(Value::Array(events)) = history.get("events") else {
        return Err(Failure::new(format!(
            "{path} is not an execution history: expected an object with an array \"events\""
        )));
    };
    Ok(overlay(events))
}

fn overlay(events: &[Value]) -> Overlay {
    let events: Events<'_> = events.iter().filter_map(Event::read).collect();
    let mut overlay = Overlay::new();
    let mut open: HashMap<&str, i64> = HashMap::new();
    for event in events.values() {
        match event.kind {
            Kind::Entered(name) => {
                *open.entry(name).or_default() += 1;
                enter(&mut overlay, name, event, &events);
            }
            Kind::Exited(name) => *open.entry(name).or_default() -= 1,
            Kind::Succeeded => {
                overlay.succeed();
            }
            Kind::Failure | Kind::Other => {}
        }
    }
    for (name, left) in open {
        let visit = match left > 0 {
            true => Visit::Stopped,
            false => Visit::Passed,
        };
        overlay.visit(name, visit);
    }
    for event in events.values() {
        find_failure(&mut overlay, event, &events);
    }
    overlay
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
    let mut at = match event.kind {
        Kind::Failure => event.previous,
        Kind::Entered(name) if event.is_fail_state => {
            overlay.visit(name, Visit::Failed);
            return;
        }
        _ => return,
    };
    for _ in 0..FARTHEST_ENTRY {
        let Some(before) = events.get(&at) else {
            return;
        };
        if let Kind::Entered(name) = before.kind {
            if overlay.visit_of(name) == Some(Visit::Stopped) {
                overlay.visit(name, Visit::Failed);
            }
            return;
        }
        at = before.previous;
    }
}

/// Events by id.
type Events<'e> = BTreeMap<u64, Event<'e>>;

/// What matters of an event.
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
        let way = overlay(&[
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
        let way = overlay(&[
            event(1, "ExecutionStarted", ""),
            event(2, "TaskStateEntered", "Work"),
            event(3, "TaskScheduled", ""),
            event(4, "TaskTimedOut", ""),
            event(5, "ExecutionFailed", ""),
        ]);
        assert_eq!(way.visit_of("Work"), Some(Visit::Failed));
    }
}
