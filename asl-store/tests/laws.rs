//! Laws of the store: an execution ends as it does without one, wherever the store is closed and opened again; and pages of
//! any size are the same history.
mod common;

use asl_backend::{Backend as _, HistoryQuery};
use asl_engine::runtime::task_fn;
use asl_engine::{Outcome, Program, Start, TaskError, TaskInvocation, Timestamp, drive};
use asl_model::generate::{self, Tape};
use asl_store::{Options, Store};
use common::*;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// Transitions of an execution that is compared.
const MOST_TRANSITIONS: u64 = 300;

/// Fields that make an execution wait, or read an object store.
const WAITING: [&str; 8] = [
    "Retry",
    "TimeoutSeconds",
    "TimeoutSecondsPath",
    "HeartbeatSeconds",
    "HeartbeatSecondsPath",
    "ItemReader",
    "ResultWriter",
    "ItemBatcher",
];

/// Makes a definition one that does not wait: Wait States pass, and all tasks are simple requests.
fn hurry(definition: &mut Value) {
    match definition {
        Value::Object(fields) => {
            fields.retain(|name, _| !WAITING.contains(&name.as_str()));
            if fields.get("Type") == Some(&json!("Wait")) {
                fields.retain(|name, _| ["Next", "End", "QueryLanguage"].contains(&name.as_str()));
                fields.insert("Type".to_owned(), json!("Pass"));
            }
            if fields.contains_key("Resource") {
                fields.insert("Resource".to_owned(), json!("work"));
            }
            fields.values_mut().for_each(hurry);
        }
        Value::Array(items) => items.iter_mut().for_each(hurry),
        _ => {}
    }
}

/// Replacements of what differs between executions: names, times and chance.
const VARYING: [(&str, &str); 10] = [
    ("$$", "$"),
    ("$states.context", "$states.input"),
    ("$uuid(", "$count("),
    ("$random(", "$count("),
    ("$now(", "$count("),
    ("$millis(", "$count("),
    ("$shuffle(", "$reverse("),
    ("States.UUID()", "States.MathAdd(1, 2)"),
    ("States.MathRandom(", "States.MathAdd("),
    ("$states)", "$states.input)"),
];

/// A generated definition whose executions do not wait and do not vary, and an input; None for the few that vary still.
fn definition_and_input(tape: &mut Tape<'_>) -> Option<(String, Value)> {
    let (mut definition, input) = (generate::any_definition(tape), generate::input(tape));
    hurry(&mut definition);
    let text = definition.to_string();
    let text = VARYING
        .iter()
        .fold(text, |text, (from, to)| text.replace(from, to));
    let is_whole = text.replace("$states.", "").contains("$states");
    (!is_whole).then_some((text, input))
}

/// The same result or error for the same state and payload.
fn work(task: &TaskInvocation) -> Result<Value, TaskError> {
    match (task.state_name.len() + task.payload.to_string().len()) % 3 {
        0 => Err(TaskError::new("Busy", "later")),
        _ => Ok(json!({"of": task.state_name.as_ref(), "payload": task.payload.as_ref()})),
    }
}

fn store_options() -> Options {
    options(task_fn(|task| async move {
        tokio::time::sleep(Duration::from_micros(300)).await;
        work(task.invocation())
    }))
}

/// The status, and the output or the error.
fn end_of(outcome: &Outcome) -> (String, Value) {
    let error = outcome.failure().map(|failure| failure.error);
    let value = match outcome.output() {
        Some(output) => Value::clone(output),
        None => json!(error),
    };
    (outcome.status().to_owned(), value)
}

/// Runs an execution in a store that is closed after each pause.
fn stored(definition: &str, input: &Value, pauses: &[u64]) -> (String, Value) {
    let tokio = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_time()
        .build()
        .unwrap();
    tokio.block_on(async {
        let folder = Folder::new();
        let mut store = Store::open(&folder.0, store_options()).unwrap();
        let input = input.to_string();
        let definition = serde_json::from_str(definition).unwrap();
        let started = start(&store, &definition, "law", &input).await;
        let arn = started.unwrap().arn;
        for pause in pauses {
            tokio::time::sleep(Duration::from_micros(*pause)).await;
            store.close();
            store = Store::open(&folder.0, store_options()).unwrap();
        }
        let end = ended(&store, &arn).await;
        check_pages(&store, &arn).await;
        let value = match &end.output {
            Some(output) => serde_json::from_str(output).unwrap(),
            None => json!(end.error_output.error),
        };
        store.close();
        (end.summary.status.word().to_owned(), value)
    })
}

/// Pages of any size and of either direction have the events of the whole history.
async fn check_pages(store: &Store, arn: &Arc<str>) {
    let all = all_events(store, arn).await;
    for (limit, is_reversed) in [(1, false), (7, false), (7, true)] {
        let (mut events, mut from) = (Vec::new(), None);
        loop {
            let query = HistoryQuery {
                from,
                limit,
                is_reversed,
            };
            let page = store.history(Arc::clone(arn), query).await.unwrap();
            let page = page.expect("it is there");
            assert!(page.events.len() <= limit);
            events.extend(page.events);
            from = page.next;
            if from.is_none() || events.len() > 50 {
                break;
            }
        }
        let mut expected = all.clone();
        if is_reversed {
            expected.reverse();
        }
        expected.truncate(events.len());
        assert_eq!(events, expected, "by {limit}, reversed: {is_reversed}");
        assert!(from.is_some() || events.len() == all.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn an_execution_ends_in_a_store_as_it_does_without_one(
        bytes in prop::collection::vec(any::<u8>(), 0..500),
        pauses in prop::collection::vec(0_u64..3_000, 0..4),
    ) {
        let Some((text, input)) = definition_and_input(&mut Tape::ending(&bytes)) else {
            return Ok(());
        };
        // Few are no longer valid.
        let Ok(program) = Program::parse(&text) else {
            return Ok(());
        };
        let start = Start::new("law", input.clone(), Timestamp::from_milliseconds(0));
        let limits = start.limits.clone().with_max_transitions(MOST_TRANSITIONS);
        let outcome = drive(&program, start.with_limits(limits), work);
        let cause = outcome.failure().and_then(|failure| failure.cause);
        if cause.is_some_and(|cause| cause.contains("transitions")) {
            return Ok(()); // a loop, which ends by the limit on events
        }
        let expected = end_of(&outcome);
        // Which of two branches fails first is a matter of time, and with it the error that is caught.
        let is_concurrent = text.contains("\"Branches\"") || text.contains("Processor");
        if is_concurrent && (text.contains("\"Catch\"") || expected.0 != "SUCCEEDED") {
            return Ok(());
        }
        prop_assert_eq!(stored(&text, &input, &pauses), expected, "{}", text);
    }
}
