//! Saving and restoring where it is most likely to go wrong; every other case is saved between any two calls too.
use crate::case::{Case, restored, start_time, with_fields};
use asl_engine::{EffectId, Execution, Input, Output};
use serde_json::{Value, json};

fn task_state(fields: Value) -> Case {
    let state =
        json!({"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken"});
    Case::of_state(with_fields(state, &fields))
}

fn texts(execution: &mut Execution) -> Vec<String> {
    let mut texts = Vec::new();
    loop {
        let output = execution.poll_output();
        texts.push(serde_json::to_string(&output).expect("outputs can be written"));
        if matches!(output, Output::Wait { .. } | Output::Done(_)) {
            return texts;
        }
    }
}

#[test]
fn outputs_that_were_not_polled_are_saved() {
    let case = task_state(json!({}));
    let mut whole = Execution::start(case.program(), case.start());
    // The second event is queued with the first poll, and so is the invocation.
    let first = whole.poll_output();
    assert!(matches!(first, Output::Event(_)));
    let mut copy = restored(&whole, &case.program());
    assert_eq!(texts(&mut whole), texts(&mut copy));
}

#[test]
fn an_answer_that_was_not_polled_is_saved() {
    let case = task_state(json!({"ResultPath": "$.r"}));
    let mut whole = Execution::start(case.program(), case.start());
    texts(&mut whole);
    whole.handle_input(
        start_time(),
        Input::TaskSucceeded {
            id: EffectId(0),
            output: json!([1.5, "é", null]).into(),
        },
    );
    let mut copy = restored(&whole, &case.program());
    assert_eq!(texts(&mut whole), texts(&mut copy));
}

#[test]
fn timers_fire_after_restoring() {
    let case = task_state(json!({"TimeoutSeconds": 60, "HeartbeatSeconds": 10}));
    let mut whole = Execution::start(case.program(), case.start());
    texts(&mut whole);
    whole.handle_input(
        start_time().plus_seconds(6),
        Input::TaskHeartbeat { id: EffectId(0) },
    );
    let mut copy = restored(&whole, &case.program());
    assert!(texts(&mut copy)[0].contains("Wait"));
    copy.handle_input(start_time().plus_seconds(15), Input::TimePassed);
    assert!(texts(&mut copy)[0].contains("Wait"));
    copy.handle_input(start_time().plus_seconds(16), Input::TimePassed);
    let outputs = texts(&mut copy).join("\n");
    assert!(
        outputs.contains("CancelTask") && outputs.contains("States.Timeout"),
        "{outputs}"
    );
}

#[test]
fn randomness_goes_on_where_it_was() {
    let made = json!({"Type": "Pass", "Parameters": {"id.$": "States.UUID()", "n.$": "States.MathRandom(0, 1000000)"}, "ResultPath": "$.first", "Next": "Second"});
    let again = json!({"Type": "Pass", "Parameters": {"first.$": "$.first.id", "second.$": "States.UUID()"}, "End": true});
    // Saved and restored on the way, and compared with a run that was not.
    let run = Case::of_state(made)
        .state("Second", again)
        .limits(|limits| limits.turn_cost = 1)
        .run();
    let output = run.output();
    assert_ne!(output["first"], output["second"]);
}

#[test]
fn an_ended_execution_can_be_saved() {
    let case = Case::of_state(json!({"Type": "Pass"}));
    let mut whole = Execution::start(case.program(), case.start());
    texts(&mut whole);
    let mut copy = restored(&whole, &case.program());
    assert_eq!(copy.outcome(), whole.outcome());
    assert_eq!(texts(&mut copy), texts(&mut whole));
}

#[test]
fn an_execution_that_loops_and_waits_does_not_grow() {
    let case = Case::of_state(json!({"Type": "Wait", "Seconds": 60, "Next": "Map"}))
        .state("Map", json!({"Type": "Map", "Next": "Again", "ItemProcessor": {"StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}}}))
        .state("Again", json!({"Type": "Choice", "Choices": [{"Variable": "$", "IsPresent": true, "Next": "State"}], "Default": "End"}))
        .caught_by("End")
        .starting(|start| start.record_history = false)
        .input(json!([1, 2, 3]));
    let mut execution = Execution::start(case.program(), case.start());
    let mut sizes = Vec::new();
    let mut now = start_time();
    for _ in 0..200 {
        while !matches!(execution.poll_output(), Output::Wait { .. }) {}
        sizes.push(
            serde_json::to_string(&execution.save())
                .expect("it can be saved")
                .len(),
        );
        now = now.plus_seconds(60);
        execution.handle_input(now, Input::TimePassed);
    }
    // Counters gain digits; nothing else may grow.
    assert!(
        sizes[199] < sizes[1] + 100,
        "from {} to {} bytes",
        sizes[1],
        sizes[199]
    );
}
