//! Spans and events for the crate tracing, received by a subscriber of this process.
#![cfg(feature = "tracing")]
use asl_engine::runtime::{Clock, Runtime, TaskHandlers};
use asl_engine::{Outcome, Program, TaskError};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::{Debug, Write as _};
use std::sync::{LazyLock, Mutex, PoisonError};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};
use tracing_core::span::Current;

/// A span or an event: its name or message, its fields, and the number of the span around it.
#[derive(Debug, Clone, Default)]
struct Entry {
    name: String,
    fields: BTreeMap<String, String>,
    parent: Option<u64>,
    metadata: Option<&'static Metadata<'static>>,
}

impl Visit for Entry {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let mut text = String::new();
        write!(text, "{value:?}").unwrap();
        let text = text.trim_matches('"').to_owned();
        match field.name() {
            "message" => self.name = text,
            name => drop(self.fields.insert(name.to_owned(), text)),
        }
    }
}

/// Spans by their ids, which begin with 1, and events.
#[derive(Default)]
struct Records {
    spans: Vec<Entry>,
    events: Vec<Entry>,
}

static RECORDS: LazyLock<Mutex<Records>> = LazyLock::new(Mutex::default);

thread_local! {
    static ENTERED: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

fn records<T>(use_them: impl FnOnce(&mut Records) -> T) -> T {
    use_them(&mut RECORDS.lock().unwrap_or_else(PoisonError::into_inner))
}

fn current() -> Option<u64> {
    ENTERED.with_borrow(|spans| spans.last().copied())
}

struct Recorder;

impl Subscriber for Recorder {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let parent = match span.is_contextual() {
            true => current(),
            false => span.parent().map(Id::into_u64),
        };
        let metadata = span.metadata();
        let mut entry = Entry {
            name: metadata.name().to_owned(),
            parent,
            metadata: Some(metadata),
            ..Entry::default()
        };
        span.record(&mut entry);
        records(|it| {
            it.spans.push(entry);
            Id::from_u64(it.spans.len() as u64)
        })
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        records(|it| values.record(&mut it.spans[span.into_u64() as usize - 1]));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let parent = match event.is_contextual() {
            true => current(),
            false => event.parent().map(Id::into_u64),
        };
        let mut entry = Entry {
            parent,
            ..Entry::default()
        };
        event.record(&mut entry);
        records(|it| it.events.push(entry));
    }

    fn enter(&self, span: &Id) {
        ENTERED.with_borrow_mut(|spans| spans.push(span.into_u64()));
    }

    fn exit(&self, _: &Id) {
        ENTERED.with_borrow_mut(|spans| spans.pop());
    }

    fn current_span(&self) -> Current {
        let span = current().and_then(|id| {
            let metadata = records(|it| it.spans[id as usize - 1].metadata)?;
            Some(Current::new(Id::from_u64(id), metadata))
        });
        span.unwrap_or_else(Current::none)
    }
}

/// Returns the names of the spans around a span or an event, the outermost first, with their fields of interest.
fn path(entry: &Entry) -> String {
    let mut path = Vec::new();
    let mut parent = entry.parent;
    while let Some(id) = parent {
        let span = records(|it| it.spans[id as usize - 1].clone());
        let interesting = ["name", "state", "status"];
        let fields = interesting.iter().filter_map(|name| span.fields.get(*name));
        let fields: Vec<&str> = fields.map(String::as_str).collect();
        path.push(format!("{}({})", span.name, fields.join(" ")));
        parent = span.parent;
    }
    path.reverse();
    path.join(" > ")
}

/// Runs an execution within a span of the caller, and returns its events with the spans around them.
async fn run(clock: Clock, definition: Value, input: Value, name: &str) -> (Outcome, Vec<String>) {
    let _ = tracing::subscriber::set_global_default(Recorder);
    let handlers = TaskHandlers::new().on_value("charge", |payload| async move {
        tracing::info!("charging");
        match payload["declined"].as_bool() {
            Some(true) => Err(TaskError::new("CardDeclined", "no funds")),
            _ => Ok(json!("charged")),
        }
    });
    let runtime = Runtime::builder().clock(clock).handlers(handlers).build();
    let program = Program::parse(&definition.to_string()).unwrap();
    let mut start = runtime.unnamed(input);
    start.identity = asl_engine::Identity::new("Order", name).into();
    let request = tracing::info_span!("request", name);
    let mut handle = {
        let starting = runtime.start_execution(&program, start);
        tracing::Instrument::instrument(starting, request).await
    };
    let outcome = handle.outcome().await;
    let events = records(|it| it.events.clone());
    let mine = events.iter().map(|event| {
        let fields: Vec<String> = event
            .fields
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        format!("{} | {} | {}", path(event), event.name, fields.join(" "))
    });
    let within = format!("request({name})");
    (
        outcome,
        mine.filter(|event| event.starts_with(&within)).collect(),
    )
}

fn charge() -> Value {
    json!({"StartAt": "Charge", "States": {"Charge": {"Type": "Task", "Resource": "charge", "End": true}}})
}

#[tokio::test]
async fn a_handler_runs_in_the_span_of_its_task_within_that_of_the_caller() {
    for (clock, name) in [
        (Clock::real(), "first"),
        (Clock::virtual_from(Clock::real().now()), "second"),
    ] {
        let (outcome, events) = run(clock, charge(), json!({}), name).await;
        assert_eq!(outcome.status(), "SUCCEEDED");
        let execution = format!("request({name}) > execution({name} SUCCEEDED)");
        let task = format!("{execution} > task(Charge)");
        assert_eq!(
            events,
            [
                format!("{execution} | the execution started | "),
                format!("{task} | the task was given to its handler | "),
                format!("{task} | charging | "),
                format!("{task} | the task succeeded | "),
                format!("{execution} | the execution ended | status=SUCCEEDED"),
            ]
        );
    }
}

#[tokio::test]
async fn failures_have_their_error_and_cause() {
    let (outcome, events) = run(
        Clock::real(),
        charge(),
        json!({"declined": true}),
        "declined",
    )
    .await;
    assert_eq!(outcome.status(), "FAILED");
    let last: Vec<&str> = events[events.len() - 2..]
        .iter()
        .map(String::as_str)
        .collect();
    assert_eq!(
        last,
        [
            "request(declined) > execution(declined FAILED) > task(Charge) | the task failed | cause=no funds error=CardDeclined",
            "request(declined) > execution(declined FAILED) | the execution ended | cause=no funds error=CardDeclined status=FAILED",
        ]
    );
}

#[tokio::test]
async fn the_span_of_a_child_execution_is_within_that_of_its_parent() {
    let mut processor = charge();
    processor["ProcessorConfig"] = json!({"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"});
    let each = json!({"Type": "Map", "End": true, "Label": "Each", "ItemProcessor": processor});
    let definition = json!({"StartAt": "Each", "States": {"Each": each}});
    let (outcome, events) = run(Clock::real(), definition, json!([{}]), "parent").await;
    assert_eq!(outcome.status(), "SUCCEEDED");
    let charging: Vec<&String> = events
        .iter()
        .filter(|event| event.contains("charging"))
        .collect();
    assert_eq!(charging.len(), 1);
    let within = "request(parent) > execution(parent SUCCEEDED) > execution(";
    assert!(charging[0].starts_with(within), "{}", charging[0]);
}
