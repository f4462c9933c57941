//! Laws of the runtime: it agrees with the synchronous host, and its virtual runs are repeatable.
#![cfg(feature = "runtime")]
mod runtime_support;

use asl_engine::runtime::{HistoryRecorder, TaskHandlers};
use asl_engine::{Program, TaskError, TaskInvocation, drive};
use proptest::prelude::*;
use runtime_support::*;
use serde_json::{Value, json};
use std::sync::Arc;

/// Returns each item waits, and then has a task done that may fail and is retried, in a Map of either mode; next to it a
/// branch that waits.
fn workload(mode: &str, max_concurrency: u64) -> Arc<Program> {
    let map = json!({"Type": "Map", "End": true, "ItemsPath": "$.items", "MaxConcurrency": max_concurrency,
    "ItemProcessor": {
        "ProcessorConfig": if mode == "INLINE" { json!({"Mode": mode}) } else { json!({"Mode": mode, "ExecutionType": "STANDARD"}) },
        "StartAt": "Wait",
        "States": {
            "Wait": {"Type": "Wait", "SecondsPath": "$.wait", "Next": "Work"},
            "Work": {"Type": "Task", "Resource": FUNCTION, "End": true,
                "Retry": [{"ErrorEquals": ["Odd"], "MaxAttempts": 1, "JitterStrategy": "FULL"}],
                "Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": "Caught"}]},
            "Caught": {"Type": "Pass", "End": true},
        },
    }});
    let pause = json!({"Type": "Wait", "SecondsPath": "$.pause", "End": true});
    program(
        json!({"StartAt": "Both", "States": {"Both": {"Type": "Parallel", "End": true, "Branches": [
            {"StartAt": "Items", "States": {"Items": map}},
            {"StartAt": "Pause", "States": {"Pause": pause}},
        ]}}}),
    )
}

/// Doubles even numbers, fails with odd ones.
fn work(item: &Value) -> Result<Value, TaskError> {
    match item["n"].as_i64() {
        Some(n) if n % 2 == 0 => Ok(json!(n * 2)),
        _ => Err(TaskError::new("Odd", "the number is odd")),
    }
}

/// Outcome and events of a run by the runtime, with a virtual clock.
fn run(program: &Arc<Program>, input: &Value) -> (asl_engine::Outcome, Vec<Value>) {
    let tokio = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    tokio.block_on(async {
        let recorder = Arc::new(HistoryRecorder::default());
        let handlers = TaskHandlers::new().on_value("F", |item| async move { work(&item) });
        let runtime = virtual_time()
            .handlers(handlers)
            .observer(Arc::clone(&recorder))
            .build();
        let start = start(input.clone());
        let mut handle = runtime.start_execution(Arc::clone(program), start).await;
        let outcome = handle.outcome().await;
        (
            outcome,
            recorder
                .take(handle.id())
                .iter()
                .map(asl_engine::HistoryEvent::to_json)
                .collect(),
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn both_hosts_come_to_the_same_end_and_runs_are_repeatable(
        mode in prop::sample::select(vec!["INLINE", "DISTRIBUTED"]),
        max_concurrency in 0_u64..4,
        items in prop::collection::vec((0_u64..9, 0_i64..9), 0..12),
        pause in 0_u64..20,
    ) {
        let program = workload(mode, max_concurrency);
        let items: Vec<_> = items.into_iter().map(|(wait, n)| json!({"wait": wait, "n": n})).collect();
        let input = json!({"items": items, "pause": pause});
        let (outcome, events) = run(&program, &input);
        prop_assert_eq!(outcome.status(), "SUCCEEDED");
        prop_assert!(events.len() > 6);
        prop_assert_eq!(&run(&program, &input), &(outcome.clone(), events));
        let synchronous = drive(program, start(input), |task: &TaskInvocation| work(&task.payload));
        prop_assert_eq!(synchronous, outcome);
    }
}
