//! Runs a state machine in WebAssembly: one of both query languages, with a task, a retry and a wait of a day.
use asl_engine::model::{Options, Profile};
use asl_engine::{Program, Start, TaskError, Timestamp, drive};
use serde_json::{Value, json};
use std::error::Error;

fn definition(output: &str) -> Value {
    json!({"StartAt": "Charge", "States": {
        "Charge": {"Type": "Task", "Resource": "charge-card", "ResultPath": "$.charge", "Next": "Wait a day",
            "Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": 60}]},
        "Wait a day": {"Type": "Wait", "Seconds": 86400, "Next": "Sum"},
        "Sum": {"Type": "Pass", "QueryLanguage": "JSONata", "Output": output, "End": true},
    }})
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::embedded().with_profile(Profile::Spec);
    let program = Program::parse_with(
        &definition("{% $sum($states.input.prices) %}").to_string(),
        options,
    )?;
    let mut calls = 0;
    let start = Start::new(
        "order-7",
        json!({"prices": [20, 22]}),
        Timestamp::from_milliseconds(0),
    );
    let outcome = drive(&program, start, |_| {
        calls += 1;
        match calls {
            1 => Err(TaskError::new("Busy", "come back later")),
            _ => Ok(json!({"paid": true})),
        }
    });
    assert_eq!((outcome.into_result()?.as_ref(), calls), (&json!(42), 2));

    // With the limits of either profile, an expression without end fails its state.
    for profile in [Profile::Aws, Profile::Spec] {
        let endless =
            definition("{% ($f := function($n) { 1 + $f($n + 1) }; $f(1)) %}").to_string();
        let program = Program::parse_with(&endless, options.with_profile(profile))?;
        let mut start = Start::new("order-8", json!({}), Timestamp::from_milliseconds(0));
        start.limits = asl_engine::Limits::from_profile(profile);
        let failed = drive(&program, start, |_| Ok(json!({})));
        assert_eq!(
            failed.failure().and_then(|it| it.error).as_deref(),
            Some("States.QueryEvaluationError")
        );
    }
    Ok(())
}
