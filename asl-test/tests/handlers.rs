//! Answers of the program that runs the test.
use asl_engine::runtime::{Task, TaskHandlers, task_fn};
use asl_engine::{TaskAnswer, TaskError};
use asl_test::{Answer, Case, Definition, Expectations};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

fn definition() -> Definition {
    let text = json!({"StartAt": "Reserve", "States": {
        "Reserve": {"Type": "Task", "Resource": "reserve", "Next": "Charge",
            "Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": 3600}]},
        "Charge": {"Type": "Task", "Resource": "charge-card", "End": true}}});
    Definition::parse(&text.to_string()).unwrap()
}

fn charged() -> TaskHandlers {
    TaskHandlers::new().on_value("charge-card", |order: Value| async move {
        Ok(json!({"charged": order["shelf"]}))
    })
}

#[test]
fn a_closure_can_fail_at_first() {
    let calls = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&calls);
    let reserve = Answer::with(move |_| {
        let call = counter.fetch_add(1, Ordering::Relaxed);
        async move {
            match call {
                0 => Err(TaskError::new("Busy", "later")),
                _ => Ok(json!({"shelf": call})),
            }
        }
    });
    let run = Case::new("busy at first", &definition())
        .mock("Reserve", [reserve])
        .handlers(charged())
        .expect(
            Expectations::default()
                .with_output(json!({"charged": 1}))
                .with_duration(Some(3600.0.into())),
        )
        .run()
        .into_result()
        .unwrap();
    assert_eq!((calls.load(Ordering::Relaxed), run.calls.len()), (2, 3));
}

#[test]
fn a_handler_gets_the_whole_task() {
    let name = Answer::by_performer(task_fn(|task: Task| async move {
        Ok(TaskAnswer::Completed(json!({"shelf": task.state_name()})))
    }));
    Case::new("the state's name", &definition())
        .mock("reserve", [name.after_seconds(5.0)])
        .handlers(charged())
        .expect(
            Expectations::default()
                .with_output(json!({"charged": "Reserve"}))
                .with_duration(Some(5.0.into())),
        )
        .run()
        .into_result()
        .unwrap();
}

#[test]
fn a_task_that_neither_a_mock_nor_a_handler_performs_fails_the_case() {
    let report = Case::new("no Reserve", &definition())
        .handlers(charged())
        .run();
    let failure = report.into_result().unwrap_err().to_string();
    assert!(failure.contains("reserve"), "{failure}");
}
