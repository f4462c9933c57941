//! Laws of accounts and spans, for generated definitions: all readers of an execution agree, and spans nest.
use asl_engine::runtime::{Clock, HistoryRecorder, Runtime, task_fn};
use asl_engine::{EventDetails, HistoryEvent, Limits, Program, Start, TaskError, Timestamp};
use asl_model::generate::{self, Tape};
use asl_model::strategies::generated;
use asl_model::{Options, StateMachine};
use asl_trace::{
    Account, DataRetention, History, Recorder, Span, SpanKind, SpanRecorder, StateTree, Step,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;

const ARN: &str = "arn:aws:states:us-east-1:123456789012:execution:Law:1";
/// Transitions of an execution that is read.
const MOST_TRANSITIONS: u64 = 200;

struct Execution {
    machine: StateMachine,
    events: Vec<HistoryEvent>,
    account: Account,
}

/// Runs a definition by a virtual clock; tasks fail for some payloads.
fn execute(definition: &Value, input: Value) -> Execution {
    let (machine, _) = asl_model::parse(&definition.to_string(), Options::embedded())
        .expect("generated definitions are valid");
    let program = Program::compile(&machine).expect("it compiles");
    let tokio = tokio::runtime::Builder::new_current_thread().build();
    tokio.unwrap().block_on(async {
        let histories = Arc::new(HistoryRecorder::default());
        let recorder = Recorder::new(&machine, DataRetention::Everything);
        let handlers = task_fn(|task| async move {
            match task.payload().to_string().len() % 3 {
                0 => Err(TaskError::new("Busy", "later")),
                _ => Ok(json!({"items": [1, 2], "a": task.payload()})),
            }
        });
        let runtime = Runtime::builder()
            .clock(Clock::virtual_from(Timestamp::from_milliseconds(0)))
            .handlers(handlers)
            .observer((Arc::clone(&histories), recorder.clone()))
            .build();
        let limits = Limits::default().with_max_transitions(MOST_TRANSITIONS);
        let start = Start::new("law", input, Timestamp::from_milliseconds(0)).with_limits(limits);
        let mut execution = runtime.start_execution(program, start).await;
        let ended = execution.ended().await;
        Execution {
            events: histories.take(execution.id()),
            account: recorder.take(execution.id(), &ended),
            machine,
        }
    })
}

/// The states with the strands that they ran in, children left out: a history does not have these.
fn visits(steps: &[Step], outer: &str, found: &mut Vec<String>) {
    for step in steps {
        found.push(format!("{outer}{}", step.state));
        for strand in &step.strands {
            let inner = format!("{outer}{}[{:?} {}]/", step.state, strand.kind, strand.index);
            if !inner.contains("Child") {
                visits(&strand.steps, &inner, found);
            }
        }
    }
}

fn all_spans(events: &[HistoryEvent], tree: StateTree) -> Vec<Span> {
    let mut recorder = SpanRecorder::new(ARN, tree);
    let mut spans: Vec<Span> = events
        .iter()
        .flat_map(|event| recorder.push(event))
        .collect();
    spans.extend(recorder.open());
    // Of a span that was reported twice, the last is the whole.
    let last: HashMap<_, _> = spans.into_iter().map(|span| (span.id, span)).collect();
    last.into_values().collect()
}

fn history(events: &[HistoryEvent]) -> History {
    let events: Vec<Value> = events.iter().map(HistoryEvent::to_json).collect();
    History {
        events: json!({ "events": events }),
        ..History::default()
    }
}

fn definition_and_input(tape: &mut Tape<'_>) -> (Value, Value) {
    (generate::any_definition(tape), generate::input(tape))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// The account of a runtime, and that of the history, have the same visits with the same data.
    #[test]
    fn a_history_has_the_visits_that_a_runtime_reports((definition, input) in generated(definition_and_input)) {
        let executed = execute(&definition, input);
        // The limit on transitions ends an execution between an entry and its event.
        prop_assume!(!executed.account.cause.as_deref().unwrap_or_default().contains("transitions"));
        let account = history(&executed.events).account(Some(&executed.machine));
        let account = account.map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(&account.status, &executed.account.status);
        let (mut live, mut read) = (Vec::new(), Vec::new());
        visits(&executed.account.steps, "", &mut live);
        visits(&account.steps, "", &mut read);
        live.sort_unstable();
        read.sort_unstable();
        prop_assert_eq!(read, live);
        for (one, other) in account.steps.iter().zip(&executed.account.steps) {
            // A runtime also reports the output of a state that it cannot leave.
            if one.left.is_some() {
                prop_assert_eq!(&one.output, &other.output, "the output of {}", one.state);
            }
            prop_assert_eq!(&one.input, &other.input, "the input of {}", one.state);
        }
    }

    /// Each entry of a state is one span. A span has a parent that began before it and ends after it, up to the execution.
    #[test]
    fn spans_nest_and_are_one_for_each_visit((definition, input) in generated(definition_and_input)) {
        let executed = execute(&definition, input);
        let spans = all_spans(&executed.events, StateTree::new(&executed.machine));
        let is_entry = |event: &&HistoryEvent| matches!(event.details, EventDetails::StateEntered { .. });
        let is_visit = |span: &&Span| matches!(span.kind, SpanKind::Visit { .. });
        prop_assert_eq!(spans.iter().filter(is_visit).count(), executed.events.iter().filter(is_entry).count());
        let by_id: HashMap<_, _> = spans.iter().map(|span| (span.id, span)).collect();
        for span in &spans {
            match span.parent.map(|id| by_id.get(&id)) {
                None => prop_assert_eq!(&span.kind, &SpanKind::Execution),
                Some(None) => prop_assert!(false, "the parent of {span:?} is missing"),
                Some(Some(parent)) => {
                    prop_assert!(parent.started <= span.started, "{span:?} began before {parent:?}");
                    let outlives = parent.ended.is_some() && span.ended > parent.ended;
                    prop_assert!(!outlives, "{span:?} ended after {parent:?}");
                }
            }
            prop_assert!(span.ended.is_none_or(|ended| span.started <= ended));
        }
    }

    /// A history that is cut anywhere is read without a fault, and has no visit that the whole does not have.
    #[test]
    fn a_history_that_is_cut_has_the_first_of_the_visits(
        (definition, input) in generated(definition_and_input),
        at in any::<prop::sample::Index>(),
    ) {
        let executed = execute(&definition, input);
        let cut = &executed.events[..at.index(executed.events.len() + 1)];
        let found = |events: &[HistoryEvent]| {
            let account = history(events).account(Some(&executed.machine)).expect("it is a history");
            let mut found = Vec::new();
            visits(&account.steps, "", &mut found);
            found
        };
        let (part, whole) = (found(cut), found(&executed.events));
        prop_assert!(part.iter().all(|visit| whole.contains(visit)), "{part:?} of {whole:?}");
        prop_assert_eq!(part.len(), cut.iter().filter(|event| matches!(event.details, EventDetails::StateEntered { .. })).count());
    }
}
