//! Children of a distributed Map that did not succeed begin again where the execution is redriven, under the ARNs that they had.
mod common;

use asl_backend::{
    Backend, ExecutionFilter, ExecutionParent, ExecutionStatus, ExecutionSummary, MapRunDescription,
};
use asl_engine::TaskError;
use asl_engine::runtime::TaskHandlers;
use asl_store::{Options, Store, StoreReader};
use common::*;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Returns an execution with a child for each number, of which one may fail.
fn each(execution_type: &str) -> Value {
    let child = json!({"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": execution_type}, "StartAt": "Do", "States": {
        "Do": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:do", "End": true}}});
    json!({"StartAt": "M", "States": {"M": {"Type": "Map", "ItemProcessor": child, "Label": "Each",
        "ToleratedFailureCount": 1, "MaxConcurrency": 2, "End": true}}})
}

/// Doubles numbers; as long as it is broken, only 1.
fn doubling(is_broken: &Arc<AtomicBool>) -> Options {
    let is_broken = Arc::clone(is_broken);
    options(TaskHandlers::new().on_value("*", move |input: Value| {
        let is_broken = is_broken.load(Ordering::Relaxed) && input != 1;
        async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            match is_broken {
                true => Err(TaskError::new("Broken", "it is broken")),
                false => Ok(json!(input.as_i64().unwrap() * 2)),
            }
        }
    }))
}

async fn map_run(store: &Store, arn: &Arc<str>) -> MapRunDescription {
    let runs = store.map_runs(Arc::clone(arn)).await.unwrap().unwrap();
    let [run] = runs.as_slice() else {
        panic!("{runs:?}")
    };
    run.clone()
}

/// Returns the children of a Map Run, and how each ended.
async fn children(store: &Store, run: &Arc<str>) -> Vec<ExecutionSummary> {
    let of = ExecutionFilter {
        parent: ExecutionParent::MapRun(Arc::clone(run)),
        status: None,
        is_redriven: None,
    };
    let mut found = store.executions(of, None, 100).await.unwrap().executions;
    found.sort_by(|one, other| one.arn.cmp(&other.arn));
    found
}

/// Starts an execution of which only the first child succeeds.
async fn failed(store: &Store, execution_type: &str) -> Arc<str> {
    let started = start(store, &each(execution_type), "e", "[1, 2, 3]").await;
    let arn = started.unwrap().arn;
    let end = ended(store, &arn).await;
    assert_eq!(end.summary.status, ExecutionStatus::Failed, "{end:?}");
    arn
}

/// Looks at an execution that was redriven, all of whose children can succeed now.
async fn succeeds(store: &Store, arn: &Arc<str>, before: &[ExecutionSummary]) {
    let end = ended(store, arn).await;
    assert_eq!(end.summary.status, ExecutionStatus::Succeeded, "{end:?}");
    assert_eq!(end.output.as_deref(), Some("[2,4,6]"));
    let run = map_run(store, arn).await;
    assert_eq!(run.status, ExecutionStatus::Succeeded);
    assert_eq!((run.items.succeeded, run.items.total), (3, 3), "{run:?}");
    assert_eq!((run.executions.succeeded, run.executions.total), (3, 3));
    assert!(
        run.redrive_count >= 1 && run.redrive_date.is_some(),
        "{run:?}"
    );
    let after = children(store, &run.arn).await;
    let arns = |children: &[ExecutionSummary]| -> Vec<_> {
        children.iter().map(|child| child.arn.clone()).collect()
    };
    assert_eq!(arns(&after), arns(before));
    for (child, before) in after.into_iter().zip(before) {
        assert_eq!(child.status, ExecutionStatus::Succeeded);
        let is_redriven = before.status != ExecutionStatus::Succeeded;
        let redrives = if is_redriven { run.redrive_count } else { 0 };
        assert_eq!(
            (child.start_date, child.redrive_count),
            (before.start_date, redrives),
            "{child:?}"
        );
        assert_eq!(child.redrive_date.is_some(), is_redriven, "{child:?}");
        let types = event_types(store, &child.arn).await;
        let begun = types.iter().filter(|found| *found == "ExecutionStarted");
        assert_eq!((begun.count(), types.len()), (1, 7), "{types:?}");
        assert_eq!(types[6], "ExecutionSucceeded");
        let described = described(store, &child.arn).await;
        assert_eq!(
            (described.event_count, described.error_output.error),
            (7, None)
        );
        assert!(described.output.is_some());
    }
}

async fn redrive(store: &Store, arn: &Arc<str>) {
    store.redrive(Arc::clone(arn), None).await.unwrap();
}

#[tokio::test]
async fn children_that_failed_begin_again() {
    for execution_type in ["STANDARD", "EXPRESS"] {
        // With what ended just now, and with what is sealed.
        for pause in [0, 100] {
            let is_broken = Arc::new(AtomicBool::new(true));
            let store = Store::in_memory(doubling(&is_broken)).unwrap();
            let arn = failed(&store, execution_type).await;
            let before = children(&store, &map_run(&store, &arn).await.arn).await;
            tokio::time::sleep(Duration::from_millis(pause)).await;
            // In vain.
            for count in 1..=2 {
                redrive(&store, &arn).await;
                let end = ended(&store, &arn).await;
                assert_eq!(end.summary.status, ExecutionStatus::Failed, "{end:?}");
                let run = map_run(&store, &arn).await;
                assert_eq!(
                    (run.redrive_count, run.status),
                    (count, ExecutionStatus::Failed)
                );
                assert_eq!((run.executions.succeeded, run.executions.total), (1, 3));
            }
            is_broken.store(false, Ordering::Relaxed);
            redrive(&store, &arn).await;
            succeeds(&store, &arn, &before).await;
        }
    }
}

#[tokio::test]
async fn children_begin_again_after_the_store_was_opened_again() {
    for execution_type in ["STANDARD", "EXPRESS"] {
        let (folder, is_broken) = (Folder::new(), Arc::new(AtomicBool::new(true)));
        let open = || Store::open(&folder.0, doubling(&is_broken)).unwrap();
        let store = open();
        let arn = failed(&store, execution_type).await;
        let before = children(&store, &map_run(&store, &arn).await.arn).await;
        store.close();
        drop(store);

        is_broken.store(false, Ordering::Relaxed);
        let store = open();
        redrive(&store, &arn).await;
        store.close();
        drop(store);

        let store = open();
        succeeds(&store, &arn, &before).await;
        store.close();
        drop(store);

        let store = open();
        succeeds(&store, &arn, &before).await;
        store.close();
        let mut found = Vec::new();
        let reader = StoreReader::open(&folder.0).unwrap();
        let checked = reader.check(|finding| found.push(finding)).unwrap();
        assert_eq!((checked.executions, found), (4, Vec::new()));
    }
}

#[tokio::test]
async fn children_begin_again_whenever_the_process_ends() {
    for execution_type in ["STANDARD", "EXPRESS"] {
        let is_broken = Arc::new(AtomicBool::new(true));
        let (folder, copies) = (Folder::new(), Folder::new());
        let store = Store::open(&folder.0, doubling(&is_broken)).unwrap();
        let arn = failed(&store, execution_type).await;
        let before = children(&store, &map_run(&store, &arn).await.arn).await;
        is_broken.store(false, Ordering::Relaxed);
        redrive(&store, &arn).await;
        // What is there at some moments of the redrive, as a process that is killed leaves it.
        let mut count = 0;
        loop {
            let copy = copies.0.join(count.to_string());
            std::fs::create_dir_all(&copy).unwrap();
            store.back_up(copy.join("asl.db")).unwrap();
            count += 1;
            if described(&store, &arn).await.summary.status != ExecutionStatus::Running {
                break;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        for number in 0..count {
            let copy = copies.0.join(number.to_string());
            let store = Store::open(copy, doubling(&is_broken)).unwrap();
            succeeds(&store, &arn, &before).await;
        }
    }
}

#[tokio::test]
async fn attempts_of_a_test_case_go_on() {
    let configuration = json!({
        "StateMachines": {"M": {"TestCases": {"Broken": {"Do": "R"}}}},
        "MockedResponses": {"R": {"0-1": {"Throw": {"Error": "E", "Cause": "c"}}, "2": {"Return": 7}}}});
    let with = || {
        let mut options = no_handlers();
        options.mocks =
            Some(asl_performers::MockConfiguration::from_value(&configuration).unwrap());
        options
    };
    let folder = Folder::new();
    let mut store = Store::open(&folder.0, with()).unwrap();
    let mut definition = each("STANDARD");
    definition["States"]["M"]["ToleratedFailureCount"] = json!(0);
    let started = start_mocked(&store, &definition, "e", "[1]", Some("Broken")).await;
    let arn = started.unwrap().arn;
    for _ in 0..2 {
        assert_eq!(
            ended(&store, &arn).await.summary.status,
            ExecutionStatus::Failed
        );
        store.close();
        drop(store);
        store = Store::open(&folder.0, with()).unwrap();
        redrive(&store, &arn).await;
    }
    assert_eq!(ended(&store, &arn).await.output.as_deref(), Some("[7]"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_end_that_is_seen_can_be_redriven_at_once() {
    let folder = Folder::new();
    let store = Store::open(&folder.0, no_handlers()).unwrap();
    let states = json!({"StartAt": "F", "States": {"F": {"Type": "Fail", "Error": "E"}}});
    let redriving = (0..4).map(|number| {
        let (store, states) = (store.clone(), states.clone());
        tokio::spawn(async move {
            let started = start(&store, &states, &format!("e{number}"), "{}").await;
            let arn = started.unwrap().arn;
            for _ in 0..200 {
                // It polls: the end is visible before the event loop gets the commit.
                while described(&store, &arn).await.summary.status == ExecutionStatus::Running {}
                redrive(&store, &arn).await;
            }
        })
    });
    for redriving in redriving.collect::<Vec<_>>() {
        redriving.await.unwrap();
    }
}
