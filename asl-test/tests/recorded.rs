//! Cases that are recorded from histories pass.
mod common;

use asl_engine::history::HistoryEvent;
use asl_engine::runtime::{Clock, HistoryRecorder, Performer, Runtime, Task, TaskHandlers};
use asl_engine::{Program, Start, TaskError, Timestamp};
use asl_test::{Definition, RecordError, RecordSettings, TestFile, recorded_case};
use common::Folder;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

const FUNCTION: &str = "arn:aws:lambda:us-east-1:123456789012:function:F";

async fn history(definition: &Value, input: Value, performer: impl Performer) -> Vec<HistoryEvent> {
    let recorder = Arc::new(HistoryRecorder::default());
    let runtime = Runtime::builder()
        .clock(Clock::virtual_from(Timestamp::default()))
        .handlers(performer)
        .observer(Arc::clone(&recorder))
        .build();
    let program = Arc::new(Program::parse(&definition.to_string()).unwrap());
    let start = Start::new("e", input, Timestamp::default());
    let mut execution = runtime.start_execution(program, start).await;
    execution.outcome().await;
    recorder.take(execution.id())
}

fn record(definition: &Value, history: &[HistoryEvent]) -> String {
    let definition = Definition::parse(&definition.to_string()).unwrap();
    let settings = RecordSettings::default().with_name("recorded".to_owned());
    recorded_case(&definition, history, &settings).unwrap()
}

/// Runs the case, and returns its failures.
fn failures(definition: &Value, case: &str) -> Vec<String> {
    let folder = Folder::new();
    folder.write("recorded.asl.json", &definition.to_string());
    let text = format!("version: 1\ndefinition: recorded.asl.json\ncases:\n{case}");
    let file = TestFile::parse(&text, &folder.0).unwrap();
    let reports = file.run();
    assert_eq!(reports.len(), 1);
    reports
        .iter()
        .flat_map(|it| &it.differences)
        .map(ToString::to_string)
        .collect()
}

fn each(task: Value) -> Value {
    json!({"StartAt": "M", "States": {"M": {"Type": "Map", "End": true,
        "ItemProcessor": {"StartAt": "T", "States": {"T": task}}}}})
}

#[tokio::test]
async fn each_iteration_has_its_answers() {
    let definition = each(json!({"Type": "Task", "Resource": FUNCTION, "End": true,
        "Retry": [{"ErrorEquals": ["Busy"], "MaxAttempts": 2}]}));
    let handlers = TaskHandlers::new().on_task("F", |task: Task| async move {
        let item = task.payload().as_u64().unwrap_or_default();
        // Later items are answered first.
        task.sleep(Duration::from_secs(10 - item)).await;
        match (item, task.retry_count()) {
            (2, 0) => Err(TaskError::new("Busy", "later")),
            _ => Ok(json!(item * 10)),
        }
    });
    let history = history(&definition, json!([1, 2, 3]), handlers).await;
    let case = record(&definition, &history);
    assert!(
        case.contains(r#"{"item":1,"attempt":0,"throw":{"error":"Busy","cause":"later"}}"#),
        "{case}"
    );
    assert!(
        case.contains("output:\n        - 10\n        - 20\n        - 30\n"),
        "{case}"
    );
    assert_eq!(failures(&definition, &case), [""; 0], "{case}");
}

#[tokio::test]
async fn a_task_that_timed_out_is_never_answered() {
    let definition = json!({"StartAt": "T", "States": {"T": {"Type": "Task", "Resource": FUNCTION, "TimeoutSeconds": 5, "End": true}}});
    let never = TaskHandlers::new().on_task("F", |task: Task| async move {
        task.sleep(Duration::from_secs(60)).await;
        Ok::<Value, TaskError>(Value::Null)
    });
    let case = record(&definition, &history(&definition, json!({}), never).await);
    assert!(case.contains("never: true"), "{case}");
    assert!(
        case.contains("status: FAILED\n      error: States.Timeout\n"),
        "{case}"
    );
    assert_eq!(failures(&definition, &case), [""; 0], "{case}");
}

#[tokio::test]
async fn an_answer_that_is_always_the_same_is_given_once() {
    let definition = each(json!({"Type": "Task", "Resource": FUNCTION, "End": true}));
    let same = TaskHandlers::new().on_value("F", |_| async { Ok(json!({"ok": true})) });
    let case = record(
        &definition,
        &history(&definition, json!([1, 2, 3]), same).await,
    );
    assert!(
        case.contains("      T:\n        return:\n          ok: true\n"),
        "{case}"
    );
    assert_eq!(failures(&definition, &case), [""; 0], "{case}");
}

#[tokio::test]
async fn the_history_of_an_execution_that_runs_is_refused() {
    let definition = json!({"StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}});
    let mut history = history(&definition, json!({}), TaskHandlers::new()).await;
    history.pop();
    let settings = RecordSettings::default();
    let parsed = Definition::parse(&definition.to_string()).unwrap();
    assert_eq!(
        recorded_case(&parsed, &history, &settings),
        Err(RecordError::NoEnd(3))
    );
    assert_eq!(
        recorded_case(&parsed, &history[1..], &settings),
        Err(RecordError::NoStart)
    );
}
