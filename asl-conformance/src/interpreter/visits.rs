//! All readers of an execution must name the same visits: the live account, which the engine reports state by state; the
//! spans, which follow the events; and the account and the spans of the recorded history.
use asl_engine::runtime::{ExecutionId, Observer, RunningExecution};
use asl_engine::{EventDetails, HistoryEvent, Outcome};
use asl_model::StateMachine;
use asl_trace::{
    Account, History, Holder, SpanKind, SpanRecorder, Spans, StateTree, Step, StrandKind,
};
use serde_json::json;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Follows the events of an execution and of its children.
pub(super) struct VisitObserver {
    tree: StateTree,
    followed: Mutex<Visits>,
}

#[derive(Default)]
struct Visits {
    executions: HashMap<ExecutionId, Spans>,
    visits: Vec<String>,
}

impl VisitObserver {
    pub(super) fn new(machine: &StateMachine) -> Self {
        Self {
            tree: StateTree::new(machine),
            followed: Mutex::default(),
        }
    }

    fn followed(&self) -> MutexGuard<'_, Visits> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the first difference between the readers, if there is one.
    pub(super) fn difference(
        &self,
        machine: &StateMachine,
        live: &Account,
        events: &[HistoryEvent],
    ) -> Option<String> {
        let mut visits = self.followed().visits.clone();
        let mut expected = Vec::new();
        flatten(&live.steps, "", &mut expected);
        if let Some(found) = compare("live spans", &mut expected, &mut visits) {
            return Some(found);
        }
        // The history of the execution does not hold its children.
        expected.retain(|visit| !visit.contains("Child"));
        let json = events.iter().map(HistoryEvent::to_json).collect::<Vec<_>>();
        let history = History {
            events: json!({ "events": json }),
            ..History::default()
        };
        for definition in [Some(machine), None] {
            let account = history
                .account(definition)
                .map_err(|error| error.to_string());
            let mut visits = Vec::new();
            match account {
                Ok(account) => flatten(&account.steps, "", &mut visits),
                Err(error) => return Some(error),
            }
            let found = compare("account of the history", &mut expected, &mut visits);
            let tree = definition.map(StateTree::new).unwrap_or_default();
            let mut visits = recorded_spans(events, tree);
            let found = found.or_else(|| compare("recorded spans", &mut expected, &mut visits));
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

impl Observer for VisitObserver {
    fn records_history(&self) -> bool {
        true
    }

    fn started(&self, execution: &RunningExecution) {
        let mut followed = self.followed();
        let outer = execution.child.as_ref().and_then(|child| {
            let parent = followed.executions.get(&child.parent)?;
            Some(parent.holders_of_child(&child.state, child.index))
        });
        let spans = Spans::within(self.tree.clone(), outer.unwrap_or_default());
        followed.executions.insert(execution.id, spans);
    }

    fn event(&self, execution: &RunningExecution, event: HistoryEvent) {
        let followed = &mut *self.followed();
        // A child that is still at work when its parent has ended is in no account.
        let parent = execution.child.as_ref().map(|child| child.parent);
        if parent.is_some_and(|parent| !followed.executions.contains_key(&parent)) {
            return;
        }
        let Some(spans) = followed.executions.get_mut(&execution.id) else {
            return;
        };
        if let (Some(visit), EventDetails::StateEntered { .. }) =
            (spans.push(&event).visit, &event.details)
        {
            followed.visits.push(path(&visit.holders, &visit.state));
        }
    }

    fn ended(&self, execution: &RunningExecution, _: &Outcome) {
        self.followed().executions.remove(&execution.id);
    }
}

/// Returns the visits among the spans of a history.
fn recorded_spans(events: &[HistoryEvent], tree: StateTree) -> Vec<String> {
    let mut recorder = SpanRecorder::new("arn", tree);
    let mut spans = HashMap::new();
    for event in events {
        for span in recorder.push(event) {
            spans.insert(span.id, span);
        }
    }
    for span in recorder.open() {
        spans.entry(span.id).or_insert(span);
    }
    let visits = spans.values().filter_map(|span| match &span.kind {
        SpanKind::Visit { state } => Some(path(&span.holders, state)),
        SpanKind::Execution | SpanKind::Attempt { .. } => None,
    });
    visits.collect()
}

fn path(holders: &[Holder], state: &str) -> String {
    let holders = holders.iter();
    let mut path: String = holders
        .map(|holder| segment(&holder.state, holder.kind, holder.index))
        .collect();
    path.push_str(state);
    path
}

fn segment(state: &str, kind: StrandKind, index: u64) -> String {
    format!("{state}[{kind:?} {index}]/")
}

/// Recursion is bounded by the nesting of the definition.
fn flatten(steps: &[Step], outer: &str, visits: &mut Vec<String>) {
    for step in steps {
        visits.push(format!("{outer}{}", step.state));
        for strand in &step.strands {
            let inner = segment(&step.state, strand.kind, strand.index);
            flatten(&strand.steps, &format!("{outer}{inner}"), visits);
        }
    }
}

fn compare(reader: &str, expected: &mut [String], actual: &mut [String]) -> Option<String> {
    expected.sort_unstable();
    actual.sort_unstable();
    let pairs = expected.iter().zip(&*actual);
    let differs = pairs
        .into_iter()
        .find(|(expected, actual)| expected != actual);
    let found = match differs {
        Some((expected, actual)) => format!("expected {expected}, found {actual}"),
        None if expected.len() == actual.len() => return None,
        None => format!("expected {} visits, found {}", expected.len(), actual.len()),
    };
    Some(format!("the {reader} name other visits: {found}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visit_that_one_reader_lacks_is_found() {
        let texts = |texts: &[&str]| texts.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let compare =
            |left: &[&str], right: &[&str]| compare("spans", &mut texts(left), &mut texts(right));
        assert_eq!(compare(&["A", "B"], &["B", "A"]), None);
        let found = compare(&["A", "B"], &["A"]).unwrap();
        assert_eq!(
            found,
            "the spans name other visits: expected 2 visits, found 1"
        );
        assert!(
            compare(&["A"], &["C"])
                .unwrap()
                .ends_with("expected A, found C")
        );
    }

    #[test]
    fn an_account_is_flattened_with_its_strands() {
        let events = json!({"events": [
            {"id": 1, "previousEventId": 0, "timestamp": 0, "type": "ParallelStateEntered", "stateEnteredEventDetails": {"name": "P"}},
            {"id": 2, "previousEventId": 1, "timestamp": 0, "type": "ParallelStateStarted"},
            {"id": 3, "previousEventId": 2, "timestamp": 0, "type": "PassStateEntered", "stateEnteredEventDetails": {"name": "A"}}]});
        let history = History {
            events,
            ..History::default()
        };
        let mut visits = Vec::new();
        flatten(&history.account(None).unwrap().steps, "", &mut visits);
        assert_eq!(visits, ["P", "P[Branch 0]/A"]);
    }
}
