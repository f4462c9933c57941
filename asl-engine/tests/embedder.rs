//! First steps of a program that embeds the engine, with serde_json and tokio as its only other crates.
use asl_engine::model::{Options, Profile};
use asl_engine::{
    CompileError, Effect, Execution, Input, Outcome, Program, RestoreError, SavedExecution, Start,
    TaskInvocation, Timestamp, drive,
};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::SystemTime;

fn program(definition: Value) -> Program {
    Program::parse(&definition.to_string()).expect("a definition")
}

fn task(resource: &str) -> Program {
    let state = json!({"Type": "Task", "Resource": resource, "End": true});
    program(json!({"StartAt": "T", "States": {"T": state}}))
}

const EPOCH: Timestamp = Timestamp::from_milliseconds(0);

/// An execution whose only task was requested.
fn asked(program: &Program, start: Start) -> (Execution, Arc<TaskInvocation>) {
    let now = start.now;
    let mut execution = Execution::start(program, start);
    let step = execution.step(now, None);
    match step.effects.as_slice() {
        [Effect::Task(task)] => (execution, Arc::clone(task)),
        other => panic!("expected one task, got {other:?}"),
    }
}

/// Returns the text of a save, to be written to disk and read by another process.
fn written(execution: &Execution) -> String {
    serde_json::to_string(&execution.save()).expect("a save can be written")
}

fn read(text: &str) -> SavedExecution {
    serde_json::from_str(text).expect("a save can be read")
}

fn nested(levels: usize) -> Value {
    (0..levels).fold(json!(1), |inner, _| json!([inner]))
}

#[test]
fn any_uri_and_any_name_is_a_resource() {
    for resource in [
        "charge-card",
        "Rechnung stellen: Österreich",
        "urn:shop:charge",
        "https://example.com/charge?card=1",
        "grpc://payments/Charge",
        "arn:aws:lambda:us-east-1:123456789012:function:Charge",
        "arn:aws:states:::sqs:sendMessage",
        "arn:of:another:cloud",
    ] {
        let outcome = drive(
            task(resource),
            Start::new("e", json!({}), EPOCH),
            |task: &TaskInvocation| Ok(json!(task.resource.uri)),
        );
        assert_eq!(
            outcome.into_result(),
            Ok(json!(resource).into()),
            "{resource}"
        );
    }
}

#[test]
fn executions_that_are_not_named_have_nothing_in_common() {
    let program = task("arn:aws:states:::sqs:sendMessage.waitForTaskToken");
    let mut seen = HashSet::new();
    for _ in 0..2 {
        let start = Start::unnamed(json!({}), EPOCH).expect("randomness");
        seen.insert(start.identity.execution_name().to_owned());
        let (_, task) = asked(&program, start);
        seen.insert(task.idempotency_key());
        seen.insert(task.task_token.as_deref().expect("a token").to_owned());
    }
    assert_eq!(seen.len(), 6, "{seen:?}");
}

#[test]
fn a_key_is_of_one_invocation_of_one_execution() {
    let program = task("charge-card");
    let key = |name: &str, now| {
        asked(&program, Start::new(name, json!({}), now))
            .1
            .idempotency_key()
    };
    let years_later = Timestamp::parse("2031-01-01T00:00:00Z").expect("a moment");
    assert_eq!(key("a", EPOCH), key("a", EPOCH), "the same again");
    assert_ne!(key("a", EPOCH), key("b", EPOCH), "of another execution");
    assert_ne!(
        key("a", EPOCH),
        key("a", years_later),
        "of a name that is used again"
    );
}

#[test]
fn what_is_in_flight_is_told_after_a_restore() {
    let program = task("charge-card");
    let start = Start::new("order-7", json!({"amount": 21}), EPOCH);
    let (execution, task) = asked(&program, start);
    let mut restored = read(&written(&execution))
        .restore(&program)
        .expect("the same program");
    let pending: Vec<Effect> = restored.pending().map(|pending| pending.effect).collect();
    let [Effect::Task(again)] = pending.as_slice() else {
        panic!("expected one task, got {pending:?}")
    };
    assert_eq!(again, &task, "with payload, resource and state");
    assert_eq!(again.idempotency_key(), task.idempotency_key());
    let output = json!("done").into();
    let step = restored.step(
        EPOCH,
        Some(Input::TaskSucceeded {
            id: again.id,
            output,
        }),
    );
    assert_eq!(step.outcome, Some(Outcome::Succeeded(json!("done").into())));
}

#[test]
fn data_as_deep_as_the_engine_takes_is_saved_and_read_by_plain_serde() {
    let program = task("charge-card");
    for levels in [127, 128, 200, 500, 1_000] {
        let (execution, task) = asked(&program, Start::new("deep", nested(levels), EPOCH));
        let restored = read(&written(&execution))
            .restore(&program)
            .expect("the same program");
        assert_eq!(restored.save(), execution.save(), "{levels} levels");
        assert_eq!(*task.payload, nested(levels));
    }
}

#[test]
fn another_program_is_an_error_that_can_be_read() {
    let long = program(json!({"StartAt": "A", "States": {
        "A": {"Type": "Pass", "Next": "B"}, "B": {"Type": "Pass", "Next": "C"},
        "C": {"Type": "Task", "Resource": "charge-card", "End": true}}}));
    let (execution, _) = asked(&long, Start::new("e", json!({}), EPOCH));
    let saved = read(&written(&execution));
    for other in [task("charge-card"), task("ship-parcel")] {
        let error = saved.clone().restore(&other).expect_err("another program");
        assert!(matches!(error, RestoreError::OtherProgram { .. }));
        let shown = format!("{error:?}");
        assert!(
            shown.starts_with("expected the program that the execution was saved with"),
            "{shown}"
        );
        assert_eq!(shown, error.to_string());
    }
}

#[test]
fn a_save_says_its_format_and_one_of_another_is_refused() {
    let program = task("charge-card");
    let (execution, _) = asked(&program, Start::new("e", json!({}), EPOCH));
    let mut save: Value = serde_json::from_str(&written(&execution)).expect("JSON");
    assert_eq!(save["format"], execution.save().format());
    save["format"] = json!(1_000);
    let error = read(&save.to_string())
        .restore(&program)
        .expect_err("another format");
    assert_eq!(error, RestoreError::Format { found: 1_000 });
}

#[test]
fn the_profile_that_a_definition_was_read_by_is_that_of_its_executions() {
    let definition = r#"{"StartAt": "T", "States": {"T": {"Type": "Task", "Resource": "urn:charge", "End": true}}}"#;
    for (profile, timeout) in [(Profile::Spec, Some(60)), (Profile::Aws, None)] {
        let options = Options::default()
            .with_profile(profile)
            .with_resources(asl_engine::model::ResourceNames::Any);
        let program = Program::parse_with(definition, options).expect("a definition");
        let (_, task) = asked(&program, Start::new("e", json!({}), EPOCH));
        assert_eq!(task.timeout_seconds, timeout, "{profile:?}");
    }
}

#[test]
fn the_time_of_a_start_is_that_of_the_system() {
    let now = Timestamp::try_from(SystemTime::now()).expect("a year that can be written");
    assert!(now > Timestamp::parse("2024-11-22T00:00:00Z").expect("a moment"));
    let start = Start::new("e", json!({}), now);
    assert_eq!(
        SystemTime::try_from(start.now).map(Timestamp::try_from),
        Ok(Ok(now))
    );
}

/// As Rust prints an error that leaves `main` by `?`.
fn printed(error: impl std::error::Error) -> String {
    format!("{error:?}")
}

#[test]
fn errors_that_leave_main_read_as_sentences() {
    let faulty = Program::parse("{}").expect_err("no definition");
    assert!(
        printed(faulty).starts_with("the definition is not valid\n  line 1, column 1: error: ")
    );
    let unreadable = Program::parse(r#"{"StartAt": }"#).expect_err("no JSON");
    assert!(printed(unreadable).contains("\n  line 1, column 13: error: "));
    let states = CompileError::TooManyStates(4);
    assert_eq!(printed(states), "a definition may have at most 4 states");
    let program = task("charge-card");
    let start = Start::new("e", json!({}), EPOCH);
    let (execution, _) = asked(&program, start.clone());
    let mut record = execution.journal(EPOCH, Input::TimePassed);
    record.fingerprint ^= 1;
    let replay = Execution::replay(&program, start, [record]).expect_err("another way");
    assert!(printed(replay).starts_with("record 0 of the journal was written where"));
}

#[test]
fn a_placeholder_that_decides_something_makes_no_program() {
    for seconds in ["${Delay}", "\"${Delay}\""] {
        let state = format!(r#"{{"Type": "Wait", "Seconds": {seconds}, "End": true}}"#);
        let text = format!(r#"{{"StartAt": "W", "States": {{"W": {state}}}}}"#);
        let faults = Program::parse(&text).expect_err(seconds);
        assert!(printed(faults).contains("${Delay}"), "{seconds}");
        assert!(Program::parse_with(&text, Options::default()).is_err());
    }
}

#[cfg(feature = "runtime")]
mod runtime {
    use super::*;
    use asl_engine::runtime::{
        BoxFuture, Clock, OrError as _, Runtime, RuntimeBuilder, Task, TaskAnswer, TaskError,
        TaskHandler, TaskHandlers, TokenError,
    };
    use tokio::sync::mpsc;

    fn virtual_time() -> RuntimeBuilder {
        Runtime::builder().clock(Clock::virtual_from(EPOCH))
    }

    /// A struct that is a handler, without any crate of futures.
    struct Approvals(mpsc::UnboundedSender<Task>);

    impl TaskHandler for Approvals {
        fn invoke(&self, task: Task) -> BoxFuture<'static, Result<TaskAnswer, TaskError>> {
            let asked = self.0.clone();
            Box::pin(async move {
                asked.send(task).or_failed()?;
                Ok(TaskAnswer::Submitted(json!({"MessageId": "1"})))
            })
        }
    }

    #[tokio::test]
    async fn two_executions_wait_for_tokens_of_their_own() {
        let program = program(json!({"StartAt": "Ask", "States": {"Ask": {
            "Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken", "End": true,
            "Parameters": {"uuid.$": "States.UUID()", "token.$": "$$.Task.Token"}}}}));
        let (sender, mut asked) = mpsc::unbounded_channel();
        let handlers = TaskHandlers::new().route("arn:aws:states:::sqs:*", Approvals(sender));
        let runtime = virtual_time().handlers(handlers).build();
        runtime.check(&program).unwrap();
        let mut executions = Vec::new();
        let mut seen = HashSet::new();
        for start in [runtime.unnamed(json!({})), runtime.unnamed(json!({}))] {
            let execution = runtime.start_execution(&program, start).await;
            let task = asked.recv().await.expect("a task");
            seen.extend(
                [execution.name(), task.token(), &task.idempotency_key()].map(str::to_owned),
            );
            seen.insert(task.payload()["uuid"].to_string());
            executions.push((execution, task.token().to_owned()));
        }
        assert_eq!(seen.len(), 8, "{seen:?}");
        for (number, (execution, token)) in executions.iter_mut().enumerate() {
            runtime
                .send_task_success(token, json!(number))
                .await
                .unwrap();
            assert_eq!(
                execution.outcome().await.into_result(),
                Ok(json!(number).into())
            );
        }
    }

    #[tokio::test]
    async fn a_retry_and_a_day_take_a_day_and_five_seconds() {
        let program = program(json!({"StartAt": "Double", "States": {
            "Double": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:Double",
                "Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": 5}], "Next": "Wait"},
            "Wait": {"Type": "Wait", "Seconds": 86_400, "Next": "Greet"},
            "Greet": {"Type": "Task", "Resource": "greet", "End": true}}}));
        let double = |task: Task| async move {
            match task.retry_count() {
                0 => Err(TaskError::new("Busy", "later")),
                _ => Ok(json!(2 * task.payload().as_i64().unwrap_or(0))),
            }
        };
        let greet = |n: Value| async move { Ok(json!(format!("hello {n}"))) };
        let handlers = TaskHandlers::new()
            .on_task("Double", double)
            .on_value("greet", greet);
        let runtime = virtual_time().handlers(handlers).build();
        let mut execution = runtime
            .start_execution(program, runtime.unnamed(json!(21)))
            .await;
        let ended = execution.ended().await;
        assert_eq!(ended.outcome.into_result(), Ok(json!("hello 42").into()));
        assert_eq!(ended.stop_date, EPOCH.plus_seconds(86_405));
    }

    #[tokio::test]
    async fn an_execution_goes_on_in_another_runtime() {
        let program = task("charge-card");
        let (sender, mut asked) = mpsc::unbounded_channel();
        let never = move |task: Task| {
            let _ = sender.send(task.idempotency_key());
            std::future::pending::<Result<Value, TaskError>>()
        };
        let handlers = TaskHandlers::new().on_task("charge-card", never);
        let runtime = virtual_time().handlers(handlers).build();
        let execution = runtime
            .start_execution(&program, runtime.unnamed(json!({})))
            .await;
        let key = asked.recv().await.expect("a task");
        let saved = serde_json::to_string(&execution.save().await.expect("it runs")).unwrap();
        runtime.shut_down().await;
        let telling = |task: Task| async move { Ok(json!(task.idempotency_key())) };
        let handlers = TaskHandlers::new().on_task("charge-card", telling);
        let runtime = virtual_time().handlers(handlers).build();
        let mut execution = runtime.resume(read(&saved), &program).await.unwrap();
        assert_eq!(
            execution.outcome().await.into_result(),
            Ok(json!(key).into())
        );
    }

    #[test]
    fn errors_of_the_runtime_that_leave_main_read_as_sentences() {
        assert_eq!(printed(TokenError::ShutDown), "the runtime was shut down");
    }

    #[tokio::test]
    async fn how_an_execution_failed_can_be_read() {
        let refusing = |_| async { Err(TaskError::new("CardRefused", "it has expired")) };
        let handlers = TaskHandlers::new().on_value("charge-card", refusing);
        let runtime = virtual_time().handlers(handlers).build();
        let outcome = runtime
            .run(task("charge-card"), runtime.unnamed(json!({})))
            .await;
        let failure = outcome.into_result().expect_err("a failure");
        assert_eq!(failure.error.as_deref(), Some("CardRefused"));
        assert_eq!(
            format!("{failure:?}"),
            "the execution failed: CardRefused: it has expired"
        );
    }
}
