//! The way that an execution took, read from its history.
use crate::exit::Failure;
use crate::source::Source;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};

/// How far an execution came in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Visit {
    /// Entered and left.
    Passed,
    /// Entered; something else ended the execution.
    Stopped,
    /// It failed here.
    Failed,
}

/// The way that an execution took. State names are unique within a machine.
#[derive(Debug, Default)]
pub(crate) struct Way {
    visits: HashMap<String, Visit>,
    /// From, to, and whether an error was caught.
    steps: HashSet<(String, String, bool)>,
    starts: HashSet<String>,
    succeeded: bool,
}

impl Way {
    /// Reads `{"events":[…]}`, as `asl run --history` writes and GetExecutionHistory returns it.
    pub(crate) fn read(path: &str) -> Result<Self, Failure> {
        let source = Source::read(path)?;
        let history = source.json()?;
        let Some(Value::Array(events)) = history.get("events") else {
            return Err(Failure::new(format!(
                "{path} is not an execution history: expected an object with an array \"events\""
            )));
        };
        Ok(Self::of_events(events))
    }

    fn of_events(events: &[Value]) -> Self {
        let events: BTreeMap<u64, Event> = events.iter().filter_map(Event::read).collect();
        let mut way = Self::default();
        let mut open: HashMap<&str, i64> = HashMap::new();
        for event in events.values() {
            match event.kind {
                Kind::Entered(name) => {
                    *open.entry(name).or_default() += 1;
                    way.enter(name, event, &events);
                }
                Kind::Exited(name) => *open.entry(name).or_default() -= 1,
                Kind::Succeeded => way.succeeded = true,
                _ => {}
            }
        }
        for (name, left) in open {
            let visit = if left > 0 {
                Visit::Stopped
            } else {
                Visit::Passed
            };
            way.visits.insert(name.to_owned(), visit);
        }
        way.find_failures(&events);
        way
    }

    fn enter(&mut self, name: &str, event: &Event<'_>, events: &BTreeMap<u64, Event<'_>>) {
        match events.get(&event.previous) {
            Some(Event {
                kind: Kind::Exited(from),
                previous,
                ..
            }) => {
                let caught = events
                    .get(previous)
                    .is_some_and(|before| before.kind == Kind::Failure);
                self.steps
                    .insert(((*from).to_owned(), name.to_owned(), caught));
            }
            _ => {
                self.starts.insert(name.to_owned());
            }
        }
    }

    /// A state that was not left failed where a failure's way back comes to its entry.
    fn find_failures(&mut self, events: &BTreeMap<u64, Event<'_>>) {
        for event in events.values() {
            let mut at = match event.kind {
                Kind::Failure => event.previous,
                Kind::Entered(name) if event.is_fail_state => {
                    self.visits.insert(name.to_owned(), Visit::Failed);
                    continue;
                }
                _ => continue,
            };
            let mut steps = 0;
            while let Some(before) = events.get(&at).filter(|_| steps < 16) {
                if let Kind::Entered(name) = before.kind {
                    if self.visits.get(name) == Some(&Visit::Stopped) {
                        self.visits.insert(name.to_owned(), Visit::Failed);
                    }
                    break;
                }
                at = before.previous;
                steps += 1;
            }
        }
    }

    /// Whether and how far it came in a state.
    pub(crate) fn visit(&self, state: &str) -> Option<Visit> {
        self.visits.get(state).copied()
    }

    /// Whether it went from one state to another.
    pub(crate) fn took(&self, from: &str, to: &str, caught: bool) -> bool {
        self.steps
            .contains(&(from.to_owned(), to.to_owned(), caught))
    }

    /// Whether a scope was entered by this state.
    pub(crate) fn started_at(&self, state: &str) -> bool {
        self.starts.contains(state)
    }

    /// Whether it came to a good end by way of this state.
    pub(crate) fn ended_at(&self, state: &str) -> bool {
        self.succeeded && self.visit(state) == Some(Visit::Passed)
    }
}

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
        let way = Way::of_events(&[
            event(1, "ExecutionStarted", ""),
            event(2, "TaskStateEntered", "Work"),
            event(3, "TaskScheduled", ""),
            event(4, "TaskFailed", ""),
            event(5, "TaskStateExited", "Work"),
            event(6, "FailStateEntered", "GiveUp"),
            event(7, "ExecutionFailed", ""),
        ]);
        assert!(way.started_at("Work"));
        assert!(way.took("Work", "GiveUp", true));
        assert!(!way.took("Work", "GiveUp", false));
        assert_eq!(way.visit("Work"), Some(Visit::Passed));
        assert_eq!(way.visit("GiveUp"), Some(Visit::Failed));
        assert_eq!(way.visit("Never"), None);
        assert!(!way.ended_at("Work"));
    }

    #[test]
    fn a_state_that_nothing_caught_is_where_it_failed() {
        let way = Way::of_events(&[
            event(1, "ExecutionStarted", ""),
            event(2, "TaskStateEntered", "Work"),
            event(3, "TaskScheduled", ""),
            event(4, "TaskTimedOut", ""),
            event(5, "ExecutionFailed", ""),
        ]);
        assert_eq!(way.visit("Work"), Some(Visit::Failed));
    }
}
