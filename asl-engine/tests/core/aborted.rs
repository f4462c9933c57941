//! Aborted branches and iterations, and the resulting end of the execution (recorded from the service).
use crate::case::{Case, fail, never, ok, parallel, start_time};
use asl_engine::{Execution, Input, Outcome, Output};
use asl_model::StateMachineType;
use serde_json::{Value, json};

fn task() -> Value {
    json!({"Type": "Task", "Resource": "arn:aws:states:::sns:publish", "End": true})
}

fn scope(name: &str, state: Value) -> Value {
    json!({"StartAt": name, "States": {name: state}})
}

#[test]
fn a_task_that_fails_in_a_branch_is_aborted() {
    let run = parallel(json!([scope("T", task())]), json!({}))
        .task("T", fail("E", "c"))
        .run()
        .fails_with("E");
    let expected = [
        "6 <- 5 TaskStarted",
        "7 <- 6 TaskFailed",
        "8 <- 7 TaskStateAborted",
        "9 <- 7 ParallelStateFailed",
        "10 <- 9 ExecutionFailed",
    ];
    assert_eq!(run.history()[5..], expected);
}

#[test]
fn a_fail_state_is_not_aborted_and_a_wait_beside_it_is() {
    let failing = scope("F", json!({"Type": "Fail", "Error": "E", "Cause": "c"}));
    let waiting = scope("W", json!({"Type": "Wait", "Seconds": 9, "End": true}));
    let run = parallel(json!([waiting, failing]), json!({}))
        .run()
        .fails_with("E");
    let history = run.history();
    let ended = [
        "6 <- 5 WaitStateAborted",
        "7 <- 5 ParallelStateFailed",
        "8 <- 7 ExecutionFailed",
    ];
    assert_eq!(history[5..], ended);
}

#[test]
fn the_other_iterations_are_aborted_with_their_tasks() {
    let map = json!({"Type": "Map", "ItemProcessor": scope("T", task())});
    let run = Case::of_state(map)
        .input(json!([0, 1]))
        .task("T", fail("E", "c").after(1))
        .task("T", never())
        .run()
        .fails_with("E");
    let history = run.history();
    let at = history
        .iter()
        .position(|event| event.ends_with("TaskFailed"))
        .expect("a failed task");
    let kinds: Vec<&str> = history[at..]
        .iter()
        .filter_map(|event| event.rsplit(' ').next())
        .collect();
    let expected = [
        "TaskFailed",
        "MapIterationFailed",
        "TaskStateAborted",
        "MapIterationAborted",
        "TaskStateAborted",
        "MapStateFailed",
        "ExecutionFailed",
    ];
    assert_eq!(kinds, expected);
    let failed = at + 1;
    assert!(
        history[failed..at + 6]
            .iter()
            .all(|event| event.contains(&format!("<- {failed} ")))
    );
}

#[test]
fn a_runtime_error_in_a_branch_ends_the_execution_at_once() {
    let broken = scope(
        "P",
        json!({"Type": "Pass", "InputPath": "$.gone", "End": true}),
    );
    let map = json!({"Type": "Map", "ItemProcessor": broken});
    let run = Case::of_state(map)
        .input(json!([{}]))
        .run()
        .fails_with("States.Runtime");
    let expected = ["5 <- 4 PassStateEntered", "6 <- 5 ExecutionFailed"];
    assert_eq!(run.history()[4..], expected);
    let run = parallel(json!([broken]), json!({}))
        .run()
        .fails_with("States.Runtime");
    let expected = ["4 <- 3 PassStateEntered", "5 <- 4 ExecutionFailed"];
    assert_eq!(run.history()[3..], expected);
}

#[test]
fn a_parallel_states_own_fault_links_to_its_success() {
    let branch = scope("P", json!({"Type": "Pass", "End": true}));
    let run = parallel(json!([branch]), json!({"ResultSelector": {"a.$": "$.b"}}))
        .run()
        .fails_with("States.Runtime");
    let expected = ["6 <- 5 ParallelStateSucceeded", "7 <- 6 ExecutionFailed"];
    assert_eq!(run.history()[5..], expected);
}

#[test]
fn a_catcher_that_fails_fails_the_state_again() {
    let branch = scope("F", json!({"Type": "Fail", "Error": "E"}));
    let catch = json!([{"ErrorEquals": ["E"], "Output": "{% $error('no') %}", "Next": "Caught"}]);
    let run = parallel(
        json!([branch]),
        json!({"QueryLanguage": "JSONata", "Catch": catch}),
    )
    .caught_by("Caught")
    .run()
    .fails_with("States.QueryEvaluationError");
    let expected = [
        "5 <- 4 ParallelStateFailed",
        "6 <- 5 EvaluationFailed",
        "7 <- 6 ParallelStateFailed",
        "8 <- 7 ExecutionFailed",
    ];
    assert_eq!(run.history()[4..], expected);
}

#[test]
fn an_execution_ends_by_itself() {
    let ends = |machine_type: StateMachineType, seconds: u64| {
        let wait = json!({"Type": "Wait", "Seconds": seconds});
        let run = Case::of_state(wait)
            .starting(|start| start.state_machine_type = machine_type)
            .run();
        (matches!(run.outcome, Some(Outcome::TimedOut)), run.seconds)
    };
    assert_eq!(ends(StateMachineType::Express, 299), (false, 299.0));
    assert_eq!(ends(StateMachineType::Express, 301), (true, 300.0));
    assert_eq!(ends(StateMachineType::Standard, 301), (false, 301.0));
    let year = 365 * 24 * 60 * 60;
    assert_eq!(
        ends(StateMachineType::Standard, year + 1),
        (true, year as f64)
    );
}

/// A clock that is set forward passes the deadline and a timer before it at once.
#[test]
fn what_was_due_before_the_deadline_runs_before_it() {
    const THIRTY_YEARS: u64 = 30 * 365 * 24 * 60 * 60;
    let outcome = |waits: u64| {
        let mut case = Case::of_state(json!({"Type": "Wait", "Seconds": 3, "Next": "Wait1"}));
        for number in 1..=waits {
            let next = format!("Wait{}", number + 1);
            case = case.state(
                &format!("Wait{number}"),
                json!({"Type": "Wait", "Seconds": 3, "Next": next}),
            );
        }
        let case = case.state(&format!("Wait{}", waits + 1), json!({"Type": "Succeed"}));
        let mut execution = Execution::start(case.program(), case.start());
        let now = start_time().plus_seconds(THIRTY_YEARS);
        loop {
            match execution.poll_output() {
                Output::Done(outcome) => return outcome,
                Output::Wait { .. } => execution.handle_input(now, Input::TimePassed),
                _ => {}
            }
        }
    };
    assert!(matches!(outcome(0), Outcome::Succeeded(_)));
    assert!(matches!(outcome(1), Outcome::TimedOut));
}

#[test]
fn the_service_looks_at_some_payloads() {
    let invoked = |resource: &str, parameters: Value| {
        let state = json!({"Type": "Task", "Resource": resource, "Parameters": parameters});
        Case::of_state(state).task("State", ok(json!(1))).run()
    };
    let run = invoked("arn:aws:states:::ecs:runTask.sync", json!({"Cluster": "c"}));
    assert_eq!(
        run.payloads("State"),
        [json!({"Cluster": "c", "StartedBy": "AWS Step Functions"})]
    );
    let run = invoked("arn:aws:states:::ecs:runTask", json!({"Cluster": "c"}));
    assert_eq!(run.payloads("State"), [json!({"Cluster": "c"})]);
    let resource = "arn:aws:states:::apigateway:invoke";
    let listed = invoked(
        resource,
        json!({"ApiEndpoint": "e", "Method": "GET", "Headers": {"a": ["b"]}}),
    );
    listed.succeeds(json!(1));
    let state = json!({"Type": "Task", "Resource": resource, "Parameters": {"ApiEndpoint": "e", "Method": "GET", "Headers": {"a": "b"}}});
    let cause = "An error occurred while executing the state 'State' (entered at the event id #2). The Parameters \
        '{\"ApiEndpoint\":\"e\",\"Method\":\"GET\",\"Headers\":{\"a\":\"b\"}}' could not be used to start the Task: [The value \
        of the field 'Headers' has an invalid format]";
    Case::of_state(state).run().fails("States.Runtime", cause);
}

/// Measured: events come by the index of their iteration.
#[test]
fn an_iteration_before_the_one_that_failed_is_aborted_first() {
    let route = json!({"Type": "Choice", "Default": "Long",
        "Choices": [{"Variable": "$", "NumericEquals": 1, "Next": "Pause"}]});
    let states = json!({"Route": route, "Pause": {"Type": "Wait", "Seconds": 1, "Next": "Boom"}, "Boom": {"Type": "Fail", "Error": "E"},
        "Long": {"Type": "Wait", "Seconds": 20, "End": true}});
    let map = json!({"Type": "Map", "ItemProcessor": {"StartAt": "Route", "States": states}});
    let run = Case::of_state(map)
        .input(json!([0, 1, 2]))
        .run()
        .fails_with("E");
    let history = run.history();
    let kinds = history.iter().filter_map(|event| event.rsplit(' ').next());
    let kinds: Vec<&str> = kinds
        .skip_while(|kind| *kind != "FailStateEntered")
        .collect();
    let expected = [
        "FailStateEntered",
        "MapIterationAborted",
        "WaitStateAborted",
        "MapIterationFailed",
        "MapIterationAborted",
        "WaitStateAborted",
        "MapStateFailed",
        "ExecutionFailed",
    ];
    assert_eq!(kinds, expected);
}

/// Recorded from the service.
#[test]
fn the_end_by_a_timeout_follows_from_no_event() {
    let definition = json!({"StartAt": "W", "TimeoutSeconds": 1,
        "States": {"W": {"Type": "Wait", "Seconds": 9, "End": true}}});
    let run = Case::new(definition).run();
    assert_eq!(run.history().last().unwrap(), "3 <- 0 ExecutionTimedOut");
}

/// Recorded from the service, which reads an evaluated request as a Payload Template once more.
#[test]
fn a_name_that_ends_in_a_path_marker_once_it_is_evaluated_holds_a_path() {
    let invoked = |parameters: Value| {
        let resource = "arn:aws:states:::lambda:invoke";
        let state = json!({"Type": "Task", "Resource": resource, "Parameters": parameters});
        Case::of_state(state).input(json!({"text": "x", "path": "$.a"}))
    };
    let cause = "An error occurred while executing the state 'State' (entered at the event id #2). The Parameters \
        '{\"Payload\":[{\"token.$\":\"x\"}]}' could not be used to start the Task: [The value for the field 'token.$' must be a \
        valid JSONPath or a valid intrinsic function call]";
    let refused = invoked(json!({"Payload": [{"token.$.$": "$.text"}]}));
    refused.run().fails("States.Runtime", cause);
    for parameters in [
        json!({"Payload": {"token.$.$": "$.path"}}),
        json!({"Payload": {"data.$": "$"}}),
    ] {
        let accepted = invoked(parameters).task("State", ok(json!(1)));
        accepted.run().succeeds(json!(1));
    }
}
