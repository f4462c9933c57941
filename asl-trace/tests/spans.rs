//! Spans: which visit each event belongs to, attempts, interruptions, redrives, ids.
use asl_engine::ErrorOutput;
use asl_engine::history::{EventDetails, HistoryEvent, StateType, TaskResource};
use asl_model::{Options, StateMachine, Timestamp, parse_value};
use asl_trace::{
    History, Span, SpanId, SpanKind, SpanRecorder, SpanStatus, Spans, StateTree, Visit,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

const ARN: &str = "arn:aws:states:us-east-1:123456789012:execution:Order:1";

/// A history that grows event by event: one second passes before each.
#[derive(Default)]
struct Events(Vec<HistoryEvent>);

impl Events {
    /// Adds an event that is linked to another one, and returns its id.
    fn add(&mut self, previous: u64, details: EventDetails) -> u64 {
        let id = self.0.len() as u64 + 1;
        self.0.push(HistoryEvent {
            id,
            previous_event_id: previous,
            timestamp: at(id),
            details,
        });
        id
    }

    fn enter(&mut self, previous: u64, state_type: StateType, name: &str) -> u64 {
        let entered = EventDetails::StateEntered {
            state_type,
            name: name.into(),
            input: Arc::default(),
            input_text: None,
        };
        self.add(previous, entered)
    }

    fn exit(&mut self, previous: u64, state_type: StateType, name: &str) -> u64 {
        let exited = EventDetails::StateExited {
            state_type,
            name: name.into(),
            output: Arc::default(),
            assigned_variables: Vec::new(),
        };
        self.add(previous, exited)
    }

    fn schedule(&mut self, previous: u64) -> u64 {
        let scheduled = EventDetails::LambdaFunctionScheduled {
            resource: "work".to_owned(),
            input: Arc::default(),
            timeout_in_seconds: None,
            task_credentials: None,
        };
        self.add(previous, scheduled)
    }

    fn fail(&mut self, previous: u64) -> u64 {
        self.add(previous, EventDetails::LambdaFunctionFailed(broken()))
    }

    /// Returns `name[holders] attempts` of the visit of each event.
    fn visits(&self, tree: StateTree) -> Vec<String> {
        let mut spans = Spans::new(tree);
        let visits = self.0.iter().map(|event| {
            let followed = spans.push(event);
            followed.visit.map_or_else(|| "-".to_owned(), describe)
        });
        visits.collect()
    }

    /// Returns the last state of each span.
    fn spans(&self) -> BTreeMap<SpanId, Span> {
        let mut recorder = SpanRecorder::new(ARN, StateTree::default());
        let spans = self.0.iter().flat_map(|event| recorder.push(event));
        let spans: Vec<Span> = spans.collect();
        spans.into_iter().map(|span| (span.id, span)).collect()
    }
}

fn at(second: u64) -> Timestamp {
    Timestamp::from_milliseconds(second as i64 * 1_000)
}

fn broken() -> ErrorOutput {
    ErrorOutput::new("Broken", "it broke")
}

fn describe(visit: &Visit) -> String {
    let holders = visit.holders.iter();
    let path: String = holders
        .map(|holder| format!("{} {}/", holder.state, holder.index))
        .collect();
    format!("{path}{} {}", visit.state, visit.attempts())
}

fn machine(definition: &Value) -> StateMachine {
    parse_value(definition, Options::default()).unwrap().0
}

/// A Parallel State within one: either may be retried.
fn nested(outer_is_retried: bool) -> StateMachine {
    let retry = json!([{"ErrorEquals": ["States.ALL"]}]);
    let task = json!({"StartAt": "T", "States": {"T": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:work", "End": true}}});
    let mut inner = json!({"Type": "Parallel", "Branches": [task], "End": true});
    let retried = outer_is_retried.then(|| retry.clone());
    if !outer_is_retried {
        inner["Retry"] = retry;
    }
    let inner = json!({"StartAt": "Inner", "States": {"Inner": inner}});
    let mut outer = json!({"Type": "Parallel", "Branches": [inner], "End": true});
    if let Some(retry) = retried {
        outer["Retry"] = retry;
    }
    machine(&json!({"StartAt": "Outer", "States": {"Outer": outer}}))
}

#[test]
fn the_definition_tells_which_of_nested_states_is_retried() {
    let mut events = Events::default();
    let outer = events.enter(0, StateType::Parallel, "Outer");
    let started = events.add(outer, EventDetails::ParallelStateStarted);
    let inner = events.enter(started, StateType::Parallel, "Inner");
    let started = events.add(inner, EventDetails::ParallelStateStarted);
    let task = events.enter(started, StateType::Task, "T");
    let scheduled = events.schedule(task);
    let failed = events.fail(scheduled);
    let again = events.add(failed, EventDetails::ParallelStateStarted);
    let (inner_again, outer_again) = ("Outer 0/Inner 2", "Outer 2");
    for (outer_is_retried, expected) in [(true, outer_again), (false, inner_again)] {
        let visits = events.visits(StateTree::new(&nested(outer_is_retried)));
        assert_eq!(visits[again as usize - 1], expected);
    }
}

#[test]
fn a_branch_that_only_fails_is_started_again_with_its_parallel_state() {
    let mut events = Events::default();
    let entered = events.enter(0, StateType::Parallel, "P");
    let started = events.add(entered, EventDetails::ParallelStateStarted);
    let failed = events.enter(started, StateType::Fail, "F");
    let again = events.add(failed, EventDetails::ParallelStateStarted);
    events.enter(again, StateType::Fail, "F");
    let visits = events.visits(StateTree::default());
    assert_eq!(visits, ["P 0", "P 1", "P 0/F 0", "P 2", "P 0/F 0"]);
}

#[test]
fn iterations_may_follow_each_other_in_any_order() {
    let name = || Arc::<str>::from("M");
    let mut events = Events::default();
    let entered = events.enter(0, StateType::Map, "M");
    let started = events.add(entered, EventDetails::MapStateStarted { length: 3 });
    let iteration = |events: &mut Events, previous, index| {
        events.add(
            previous,
            EventDetails::MapIterationStarted {
                name: name(),
                index,
            },
        )
    };
    let first = iteration(&mut events, started, 0);
    let second = iteration(&mut events, started, 1);
    let a1 = events.enter(second, StateType::Pass, "A");
    let a0 = events.enter(first, StateType::Pass, "A");
    let b1 = events.exit(a1, StateType::Pass, "A");
    events.add(
        b1,
        EventDetails::MapIterationSucceeded {
            name: name(),
            index: 1,
        },
    );
    // Linked to the last event of the iteration that made room.
    let third = iteration(&mut events, b1, 2);
    events.enter(third, StateType::Pass, "A");
    events.exit(a0, StateType::Pass, "A");
    let visits = events.visits(StateTree::default());
    let expected = [
        "M 0", "M 1", "M 1", "M 1", "M 1/A 0", "M 0/A 0", "M 1/A 0", "M 1", "M 1", "M 2/A 0",
        "M 0/A 0",
    ];
    assert_eq!(visits, expected);
}

#[test]
fn what_is_over_is_not_remembered() {
    let mut events = Events::default();
    let mut spans = Spans::new(StateTree::default());
    let mut sizes = Vec::new();
    let mut last = 0;
    for _ in 0..100 {
        last = events.enter(last, StateType::Parallel, "P");
        let started = events.add(last, EventDetails::ParallelStateStarted);
        let mut inner = started;
        for _ in 0..50 {
            inner = events.enter(inner, StateType::Task, "T");
            for _ in 0..30 {
                inner = events.schedule(inner);
                inner = events.fail(inner);
            }
            inner = events.exit(inner, StateType::Task, "T");
        }
        last = events.exit(inner, StateType::Parallel, "P");
    }
    for event in &events.0 {
        spans.push(event);
        sizes.push(format!("{spans:?}").len());
    }
    let largest = sizes.iter().copied().max().unwrap();
    let early = sizes[..4_000].iter().copied().max().unwrap();
    assert!(largest < early + early / 10, "{early} grows to {largest}");
}

/// Two branches whose tasks fail, or are aborted, and which a redrive continues.
fn redriven() -> Events {
    let mut events = Events::default();
    let started = events.add(
        0,
        EventDetails::ExecutionStarted {
            input: Arc::default(),
            input_text: None,
            role_arn: String::new(),
        },
    );
    let entered = events.enter(started, StateType::Parallel, "P");
    let started = events.add(entered, EventDetails::ParallelStateStarted);
    let left = events.enter(started, StateType::Task, "L");
    let right = events.enter(started, StateType::Task, "R");
    events.schedule(left);
    let scheduled = events.schedule(right);
    let failed = events.fail(scheduled);
    let failed = events.add(failed, EventDetails::ParallelStateFailed);
    let failed = events.add(failed, EventDetails::ExecutionFailed(broken()));
    let redriven = events.add(failed, EventDetails::ExecutionRedriven { redrive_count: 1 });
    let left = events.schedule(redriven);
    let right = events.schedule(redriven);
    let output = Arc::<Value>::default();
    let succeeded = |output| EventDetails::LambdaFunctionSucceeded { output };
    let left = events.add(left, succeeded(Arc::clone(&output)));
    let right = events.add(right, succeeded(Arc::clone(&output)));
    events.exit(left, StateType::Task, "L");
    let last = events.exit(right, StateType::Task, "R");
    let last = events.add(last, EventDetails::ParallelStateSucceeded);
    let last = events.exit(last, StateType::Parallel, "P");
    events.add(last, EventDetails::ExecutionSucceeded { output });
    events
}

#[test]
fn a_redrive_continues_the_branches_in_order() {
    let visits = redriven().visits(StateTree::default());
    assert_eq!(
        visits[10..15],
        ["-", "P 0/L 2", "P 1/R 2", "P 0/L 2", "P 1/R 2"]
    );
}

#[test]
fn ids_are_the_same_after_a_redrive() {
    let events = redriven();
    let first = Events(events.0[..10].to_vec()).spans();
    let both = events.spans();
    assert!(first.keys().all(|id| both.contains_key(id)));
    assert_eq!(both[&SpanId::new(ARN, 0, 0)].status, SpanStatus::Succeeded);
    let status = |spans: &BTreeMap<SpanId, Span>, event, attempt| {
        spans[&SpanId::new(ARN, event, attempt)].status
    };
    assert_eq!(status(&first, 4, 0), SpanStatus::Aborted);
    assert_eq!(status(&first, 5, 0), SpanStatus::Failed);
    assert_eq!(status(&both, 5, 0), SpanStatus::Succeeded);
    assert_eq!(status(&both, 5, 1), SpanStatus::Failed);
    assert_eq!(status(&both, 5, 2), SpanStatus::Succeeded);
}

#[test]
fn spans_have_their_times_parents_and_errors() {
    let task = Arc::new(TaskResource {
        resource_type: "sqs".to_owned(),
        resource: "sendMessage".to_owned(),
    });
    let mut events = Events::default();
    let entered = events.enter(0, StateType::Task, "T");
    let scheduled = events.schedule(entered);
    let error_output = ErrorOutput::default();
    let timed_out = events.add(scheduled, EventDetails::TaskTimedOut { task, error_output });
    let scheduled = events.schedule(timed_out);
    let failed = events.fail(scheduled);
    events.exit(failed, StateType::Task, "T");
    let spans = events.spans();
    let attempt = |number| &spans[&SpanId::new(ARN, 1, number)];
    let (first, second) = (attempt(1), attempt(2));
    assert_eq!((first.started, first.ended), (at(2), Some(at(3))));
    assert_eq!(first.status, SpanStatus::TimedOut);
    let timeout = ErrorOutput::without_cause("States.Timeout");
    assert_eq!(first.error_output, Some(timeout));
    assert_eq!((second.started, second.ended), (at(4), Some(at(5))));
    assert_eq!(second.parent, Some(SpanId::new(ARN, 1, 0)));
    assert!(matches!(&second.kind, SpanKind::Attempt { number: 2, .. }));
    let visit = &spans[&SpanId::new(ARN, 1, 0)];
    assert_eq!(visit.status, SpanStatus::Succeeded);
    assert_eq!(visit.error_output, Some(broken()));
    assert_eq!(visit.parent, Some(SpanId::new(ARN, 0, 0)));
}

#[test]
fn a_history_that_nests_too_deep_is_read_without_further_nesting() {
    let mut events = Events::default();
    let mut last = 0;
    for _ in 0..20_000 {
        last = events.enter(last, StateType::Parallel, "P");
        last = events.add(last, EventDetails::ParallelStateStarted);
    }
    events.fail(last);
    let visits = events.visits(StateTree::default());
    assert_eq!(visits.len(), 40_001);
    assert!(!events.spans().is_empty());
    let json = json!({"events": events.0.iter().map(HistoryEvent::to_json).collect::<Value>()});
    let history = History {
        events: json,
        ..History::default()
    };
    let account = history.account(None).unwrap();
    assert_eq!(account.steps[0].state, "P");
    assert!(serde_json::to_string(&account).unwrap().len() > 1_000);
}
