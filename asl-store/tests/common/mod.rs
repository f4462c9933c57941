//! A store for tests, and what is done with it.
#![allow(dead_code, reason = "each test uses some of it")]
pub(crate) mod disk;
pub(crate) mod filled;

use asl_backend::{
    Backend, Definition, EndedExpress, ExecutionDescription, ExecutionStatus, HistoryPage,
    HistoryQuery, NestedTask, Payload, StartError, StartExecution, StartedExecution,
};
use asl_engine::StateMachineIdentity;
use asl_engine::model::{Profile, StateMachineType};
use asl_engine::runtime::{Performer, TaskHandlers};
use asl_store::{Options, Store};
use serde_json::Value;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A folder that goes with its owner.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("asl-store-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// With more event loops than most machines need: what crosses them is tested wherever tests run.
pub(crate) fn options(performer: impl Performer) -> Options {
    let mut options = Options::new(Arc::new(performer)).with_event_loops(NonZeroUsize::new(3));
    options.seals_all = true;
    options
}

pub(crate) fn no_handlers() -> Options {
    options(TaskHandlers::new())
}

pub(crate) async fn start(
    store: &Store,
    definition: &Value,
    name: &str,
    input: &str,
) -> Result<StartedExecution, StartError> {
    start_mocked(store, definition, name, input, None).await
}

pub(crate) async fn start_mocked(
    store: &Store,
    definition: &Value,
    name: &str,
    input: &str,
    test_case: Option<&str>,
) -> Result<StartedExecution, StartError> {
    let kind = StateMachineType::Standard;
    let start = start_of(store, definition, kind, name, input, test_case).await?;
    store.start(start).await
}

/// Starts an execution that a task waits for.
pub(crate) async fn start_nested(
    store: &Store,
    definition: &Value,
    name: &str,
    nested: NestedTask,
) -> Result<StartedExecution, StartError> {
    let kind = StateMachineType::Standard;
    let start = start_of(store, definition, kind, name, "{}", None).await?;
    let by_task = start.with_by_task(true).with_nested(nested);
    store.start(by_task).await
}

/// Starts an execution as a task does that does not wait for its end.
pub(crate) async fn start_by_task(
    store: &Store,
    definition: &Value,
    name: &str,
) -> Result<StartedExecution, StartError> {
    let kind = StateMachineType::Standard;
    let start = start_of(store, definition, kind, name, "{}", None).await?;
    let by_task = start.with_by_task(true);
    store.start(by_task).await
}

/// Runs an Express execution.
pub(crate) async fn run_express_with(
    store: &Store,
    definition: &Value,
    name: &str,
    input: &str,
) -> Result<EndedExpress, StartError> {
    let kind = StateMachineType::Express;
    let start = start_of(store, definition, kind, name, input, None).await?;
    store.run_express(start).await
}

pub(crate) async fn run_express(
    store: &Store,
    definition: &Value,
    test_case: &str,
) -> Result<EndedExpress, StartError> {
    let kind = StateMachineType::Express;
    let start = start_of(store, definition, kind, "e", "{}", Some(test_case)).await?;
    store.run_express(start).await
}

async fn start_of(
    store: &Store,
    definition: &Value,
    state_machine_type: StateMachineType,
    name: &str,
    input: &str,
    test_case: Option<&str>,
) -> Result<StartExecution, StartError> {
    let definition = Definition {
        text: definition.to_string().into(),
        profile: Profile::Aws,
        state_machine_type,
    };
    let definition = store.store_definition(definition).await?;
    let express = state_machine_type == StateMachineType::Express;
    let input = Payload::parse(input).expect("the input is JSON");
    Ok(
        StartExecution::new(StateMachineIdentity::new("M"), name, definition, input)
            .with_express_arn(express.then(|| {
                format!("arn:aws:states:us-east-1:111111111111:express:M:{name}:1").into()
            }))
            .with_mock_test_case(test_case.map(Into::into)),
    )
}

pub(crate) async fn described(store: &Store, arn: &Arc<str>) -> ExecutionDescription {
    store
        .describe(Arc::clone(arn))
        .await
        .unwrap()
        .expect("it is there")
}

/// Waits for the end of an execution.
pub(crate) async fn ended(store: &Store, arn: &Arc<str>) -> ExecutionDescription {
    let ended = store.wait_for_end(Arc::clone(arn), Duration::from_secs(60));
    let ended = ended.await.unwrap().expect("it is there");
    assert!(
        ended.summary.status != ExecutionStatus::Running,
        "it does not end: {ended:?}"
    );
    ended
}

/// Returns a part of an execution's history.
pub(crate) async fn page(
    store: &Store,
    arn: &Arc<str>,
    from: Option<u64>,
    limit: usize,
) -> HistoryPage {
    let query = HistoryQuery {
        from,
        limit,
        is_reversed: false,
    };
    let page = store.history(Arc::clone(arn), query).await.unwrap();
    page.expect("it is there")
}

/// Returns all events of an execution.
pub(crate) async fn all_events(store: &Store, arn: &Arc<str>) -> Vec<Arc<str>> {
    let (mut events, mut next) = (Vec::new(), None);
    loop {
        let page = page(store, arn, next, 100_000).await;
        events.extend(page.events);
        next = page.next;
        if next.is_none() {
            return events;
        }
    }
}

/// Returns the types of an execution's events.
pub(crate) async fn event_types(store: &Store, arn: &Arc<str>) -> Vec<String> {
    let events = all_events(store, arn).await;
    let events = events
        .iter()
        .map(|text| serde_json::from_str::<Value>(text).unwrap());
    events
        .map(|event| event["type"].as_str().unwrap().to_owned())
        .collect()
}

/// Waits until an execution's history has an event of this type.
pub(crate) async fn until(store: &Store, arn: &Arc<str>, event_type: &str) {
    let begun = Instant::now();
    while !event_types(store, arn)
        .await
        .iter()
        .any(|found| found == event_type)
    {
        assert!(begun.elapsed() < Duration::from_secs(60), "no {event_type}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
