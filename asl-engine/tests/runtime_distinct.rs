//! Names of executions, tasks and random values are unique in this process and across processes.
#![cfg(feature = "runtime")]
mod runtime_support;

use asl_engine::runtime::{Performer, Runtime, Task, TaskAnswer, task_fn};
use asl_engine::{Identity, MacTokens, Outcome, TaskTokens};
use runtime_support::*;
use serde_json::json;
use std::collections::HashSet;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

const EXECUTIONS: usize = 10_000;

/// Variable with the file to which the child process writes its names.
const FILE: &str = "ASL_ENGINE_TEST_NAMES";

/// Names of executions with one task: idempotency key, task token, UUID.
type Names = Arc<Mutex<Vec<[String; 3]>>>;

fn collecting(names: &Names) -> impl Performer {
    let names = Arc::clone(names);
    task_fn(move |task: Task| {
        let uuid = task.payload()["uuid"].as_str().unwrap().to_owned();
        let named = [task.idempotency_key(), task.token().to_owned(), uuid];
        names.lock().unwrap().push(named);
        async { Ok(TaskAnswer::Completed(json!(null))) }
    })
}

/// Starts executions without naming any.
async fn names_of_unnamed(runtime: &Runtime, count: usize) {
    let program = task(
        CALLBACK,
        json!({"Parameters": {"uuid.$": "States.UUID()", "token.$": "$$.Task.Token"}}),
    );
    let mut handles = Vec::new();
    for _ in 0..count {
        let start = runtime.unnamed(json!({}));
        handles.push(runtime.start_execution(Arc::clone(&program), start).await);
    }
    for handle in handles {
        assert_eq!(end_of(handle).await, succeeded(json!(null)));
    }
}

/// Run by itself, and by the test in two processes of its own.
#[tokio::test]
async fn no_name_is_given_twice_within_a_process() {
    let names = Names::default();
    let runtime = virtual_time().handlers(collecting(&names)).build();
    names_of_unnamed(&runtime, EXECUTIONS).await;
    let names = names.lock().unwrap().concat();
    assert_eq!(names.len(), 3 * EXECUTIONS);
    assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
    if let Some(file) = std::env::var_os(FILE) {
        std::fs::write(file, names.join("\n")).unwrap();
    }
}

#[test]
fn no_name_is_given_twice_in_two_processes() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let files = [1, 2].map(|n| folder.join(format!("names-{}-{n}", std::process::id())));
    let processes = files.each_ref().map(|file| {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "no_name_is_given_twice_within_a_process"])
            .env(FILE, file)
            .output()
            .unwrap()
    });
    assert!(processes.iter().all(|process| process.status.success()));
    let names = files.map(|file| {
        let names = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(file).unwrap();
        names
    });
    let all: HashSet<&str> = names.iter().flat_map(|names| names.lines()).collect();
    assert_eq!(all.len(), 2 * 3 * EXECUTIONS);
}

#[tokio::test]
async fn a_seed_makes_the_names_of_a_virtual_run_repeat() {
    let mut runs = Vec::new();
    for seed in [1, 1, 2] {
        let names = Names::default();
        let runtime = virtual_time()
            .seed(seed)
            .handlers(collecting(&names))
            .build();
        names_of_unnamed(&runtime, 20).await;
        runs.push(names.lock().unwrap().concat());
    }
    assert_eq!(runs[0], runs[1]);
    assert!(runs[0].iter().all(|name| !runs[2].contains(name)));
}

/// Answers every task with its token.
fn telling_tokens() -> impl Performer {
    task_fn(|task: Task| {
        let token = task.token().to_owned();
        async move { Ok(TaskAnswer::Completed(json!(token))) }
    })
}

fn token_of(outcome: Outcome) -> String {
    let token = outcome.into_result().unwrap();
    token.as_str().expect("a token").to_owned()
}

#[tokio::test]
async fn the_maker_of_the_builder_makes_every_token() {
    let maker = || MacTokens::new("mine", b"secret");
    let runtime = virtual_time()
        .tokens(maker())
        .handlers(telling_tokens())
        .build();
    for resource in [FUNCTION, CALLBACK] {
        let identity = Identity::new("M", resource);
        let start = start(json!({})).with_identity(Arc::new(identity.clone()));
        let token = token_of(runtime.run(task(resource, json!({})), start).await);
        let named = maker().verify(&token).expect("a token of the maker");
        assert_eq!(named.execution_arn, identity.execution_arn());
    }
}

#[tokio::test]
async fn tokens_of_a_runtime_that_was_given_no_maker_are_of_a_key_of_its_own() {
    let mut tokens = HashSet::new();
    for _ in 0..2 {
        let runtime = virtual_time().handlers(telling_tokens()).build();
        for resource in [FUNCTION, CALLBACK] {
            let outcome = runtime.run(task(resource, json!({})), start(json!({})));
            tokens.insert(token_of(outcome.await));
        }
    }
    // Both tasks of a runtime are the first of an execution of the same name.
    assert_eq!(tokens.len(), 2, "{tokens:?}");
}
