//! The synchronous host.
use asl_engine::{
    ErrorOutput, Outcome, Program, Start, StorageRequest, StorageResult, SynchronousHost,
    TaskError, TaskInvocation, drive, drive_with,
};
use asl_model::Timestamp;
use serde_json::{Value, json};

fn program(definition: Value) -> Program {
    let (machine, _) = asl_model::parse_value(&definition, asl_model::Options::default())
        .expect("a valid definition");
    Program::compile(&machine).expect("a program")
}

fn start(input: Value) -> Start {
    Start::new("execution", input, Timestamp::default())
}

fn succeeded(output: Value) -> Outcome {
    Outcome::Succeeded(output.into())
}

const FUNCTION: &str = "arn:aws:lambda:us-east-1:123456789012:function:F";

#[test]
fn tasks_are_retried_in_virtual_time() {
    let program = program(
        json!({"StartAt": "T", "States": {"T": {"Type": "Task", "Resource": FUNCTION, "End": true,
        "Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": 86400, "MaxAttempts": 3}]}}}),
    );
    let mut attempts = 0;
    let outcome = drive(program, start(json!({})), |task: &TaskInvocation| {
        attempts += 1;
        if task.retry_count < 2 {
            Err(TaskError::without_cause("Busy"))
        } else {
            Ok(json!(task.retry_count))
        }
    });
    assert_eq!((outcome, attempts), (succeeded(json!(2)), 3));
}

/// Reads `[{"n": 1}, {"n": 2}]` and doubles.
struct Doubling;

impl SynchronousHost for Doubling {
    fn invoke_task(&mut self, invocation: &TaskInvocation) -> Result<Value, TaskError> {
        Ok(json!(invocation.payload["n"].as_i64().unwrap_or(0) * 2))
    }

    fn perform_storage(&mut self, request: &StorageRequest) -> Result<StorageResult, String> {
        assert_eq!(request.bucket, "in");
        Ok(StorageResult::Object(br#"[{"n": 1}, {"n": 2}]"#.to_vec()))
    }
}

fn distributed() -> Program {
    program(json!({"StartAt": "M", "States": {"M": {
        "Type": "Map", "End": true,
        "ItemReader": {
            "Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {"InputType": "JSON"},
            "Parameters": {"Bucket": "in", "Key": "items.json"},
        },
        "ItemProcessor": {
            "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "T", "States": {"T": {"Type": "Task", "Resource": FUNCTION, "End": true}},
        },
    }}}))
}

#[test]
fn children_run_within() {
    assert_eq!(
        drive_with(distributed(), start(json!({})), Doubling),
        succeeded(json!([2, 4]))
    );
}

#[test]
fn a_closure_has_no_object_store() {
    let outcome = drive(distributed(), start(json!({})), |_: &TaskInvocation| {
        Ok(json!(0))
    });
    let Outcome::Failed(ErrorOutput { error, cause }) = outcome else {
        panic!("{outcome:?}")
    };
    assert_eq!(error.as_deref(), Some("States.ItemReaderFailed"));
    assert!(cause.is_some_and(|cause| cause.contains("this host has no object store")));
}

/// Children that never wait make their transitions before anyone could look at them.
#[test]
fn transitions_of_children_count_for_the_first_execution() {
    let states = json!({"A": {"Type": "Pass", "Next": "B"}, "B": {"Type": "Pass", "End": true}});
    let program = program(
        json!({"StartAt": "M", "States": {"M": {"Type": "Map", "End": true, "ItemProcessor": {
        "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "A", "States": states}}}}),
    );
    let run = |max_transitions| {
        let mut start = start(json!([1, 2, 3, 4, 5]));
        start.limits.max_transitions = Some(max_transitions);
        drive(program.clone(), start, |_: &TaskInvocation| Ok(Value::Null))
    };
    assert_eq!(run(15), succeeded(json!([1, 2, 3, 4, 5])));
    let Outcome::Failed(error) = run(9) else {
        panic!("it made more than nine");
    };
    assert_eq!(
        error.cause.as_deref(),
        Some(
            "the execution and its child executions made more than 9 transitions, the limit that it was started with"
        )
    );
}
