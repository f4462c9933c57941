//! Redrive: what failed is attempted anew, what is done stays done (the service's guide, Redriving executions).
use crate::case::{Case, start_time, with_fields};
use asl_engine::{AwaitedAnswer, Effect, EffectId, ErrorOutput, Execution, Input, Outcome, Step};
use asl_model::{StateMachineType, Timestamp};
use serde_json::{Value, json};

/// An execution whose history is put out, with the steps that a test makes.
struct Driven {
    execution: Execution,
    now: Timestamp,
    events: Vec<String>,
}

impl Driven {
    fn start(case: &Case) -> (Self, Step) {
        let mut driven = Self {
            execution: Execution::start(case.program(), case.start()),
            now: start_time(),
            events: Vec::new(),
        };
        let step = driven.step(None);
        (driven, step)
    }

    fn step(&mut self, input: Option<Input>) -> Step {
        let step = self.execution.step(self.now, input);
        let events = step.events.iter().map(|event| {
            let (id, previous) = (event.id, event.previous_event_id);
            format!("{id} <- {previous} {}", event.event_type())
        });
        self.events.extend(events);
        step
    }

    fn succeed(&mut self, id: EffectId, output: Value) -> Step {
        let output = output.into();
        self.step(Some(Input::TaskSucceeded { id, output }))
    }

    fn fail(&mut self, id: EffectId) -> Step {
        let error = Some("E".to_owned());
        self.step(Some(Input::TaskFailed {
            id,
            error_output: ErrorOutput { error, cause: None },
        }))
    }
}

fn tasks(step: &Step) -> Vec<(EffectId, String)> {
    let tasks = step.effects.iter().filter_map(|effect| match effect {
        Effect::Task(task) => Some((task.id, task.payload.to_string())),
        _ => None,
    });
    tasks.collect()
}

fn task_state(fields: Value) -> Value {
    let state = json!({"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:111111111111:function:F", "End": true});
    with_fields(state, &fields)
}

#[test]
fn a_failed_task_is_asked_for_again_with_the_same_payload() {
    let case = Case::of_state(json!({"Type": "Pass", "Result": {"n": 1}, "Next": "Task"}))
        .state("Task", task_state(json!({"Parameters": {"m.$": "$.n", "redrives.$": "$$.Execution.RedriveCount"}, "ResultPath": "$.r"})));
    let (mut driven, first) = Driven::start(&case);
    let [(id, payload)] = tasks(&first).try_into().expect("one task");
    assert_eq!(payload, r#"{"m":1,"redrives":0}"#);
    assert!(!driven.execution.can_be_redriven());
    assert!(driven.fail(id).outcome.is_some());
    assert!(driven.execution.can_be_redriven());
    assert_eq!(driven.execution.awaits(id), None);

    let redriven = driven.step(Some(Input::Redrive));
    let [(again, payload)] = tasks(&redriven).try_into().expect("one task");
    assert!(again > id);
    assert_eq!(payload, r#"{"m":1,"redrives":1}"#);
    let awaited = AwaitedAnswer::Task { submission: false };
    assert_eq!(driven.execution.awaits(again), Some(awaited));
    let outcome = driven.succeed(again, json!(2)).outcome;
    assert_eq!(
        outcome,
        Some(Outcome::Succeeded(json!({"n": 1, "r": 2}).into()))
    );
    assert_eq!(
        driven.events[6..],
        [
            "7 <- 6 LambdaFunctionFailed",
            "8 <- 7 ExecutionFailed",
            "9 <- 8 ExecutionRedriven",
            "10 <- 9 LambdaFunctionScheduled",
            "11 <- 10 LambdaFunctionStarted",
            "12 <- 11 LambdaFunctionSucceeded",
            "13 <- 12 TaskStateExited",
            "14 <- 13 ExecutionSucceeded",
        ]
    );
}

#[test]
fn branches_that_are_done_stay_done() {
    let branch = |n: u64| json!({"StartAt": format!("T{n}"), "States": {format!("T{n}"): task_state(json!({"Parameters": {"n": n}}))}});
    let case =
        Case::of_state(json!({"Type": "Parallel", "Branches": [branch(1), branch(2), branch(3)]}));
    let (mut driven, first) = Driven::start(&case);
    let ids: Vec<EffectId> = tasks(&first).into_iter().map(|(id, _)| id).collect();
    let _ = driven.succeed(ids[0], json!("one"));
    let failed = driven.fail(ids[1]);
    assert!(matches!(failed.outcome, Some(Outcome::Failed(_))));
    assert_eq!(failed.cancelled, [ids[2]]);

    let redriven = tasks(&driven.step(Some(Input::Redrive)));
    let payloads: Vec<&str> = redriven
        .iter()
        .map(|(_, payload)| payload.as_str())
        .collect();
    assert_eq!(payloads, [r#"{"n":2}"#, r#"{"n":3}"#]);
    let _ = driven.succeed(redriven[1].0, json!("three"));
    let outcome = driven.succeed(redriven[0].0, json!("two")).outcome;
    let expected = json!(["one", "two", "three"]);
    assert_eq!(outcome, Some(Outcome::Succeeded(expected.into())));
}

#[test]
fn iterations_that_are_done_stay_done() {
    let processor = json!({"StartAt": "T", "States": {"T": task_state(json!({}))}});
    let case =
        Case::of_state(json!({"Type": "Map", "MaxConcurrency": 2, "ItemProcessor": processor}))
            .input(json!([1, 2, 3]));
    let (mut driven, first) = Driven::start(&case);
    let ids: Vec<EffectId> = tasks(&first).into_iter().map(|(id, _)| id).collect();
    let next = tasks(&driven.succeed(ids[0], json!(10)));
    assert!(driven.fail(ids[1]).outcome.is_some());
    assert_eq!(next.len(), 1);

    let redriven = tasks(&driven.step(Some(Input::Redrive)));
    let payloads: Vec<&str> = redriven
        .iter()
        .map(|(_, payload)| payload.as_str())
        .collect();
    assert_eq!(payloads, ["2", "3"]);
    let _ = driven.succeed(redriven[0].0, json!(20));
    let outcome = driven.succeed(redriven[1].0, json!(30)).outcome;
    assert_eq!(
        outcome,
        Some(Outcome::Succeeded(json!([10, 20, 30]).into()))
    );
}

#[test]
fn an_iteration_that_could_not_begin_is_not_passed_over() {
    let processor = json!({"StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}});
    let map = json!({"Type": "Map", "ItemProcessor": processor, "ItemSelector": {"x.$": "$$.Map.Item.Value.x"}});
    let case = Case::of_state(map).input(json!([{"x": 1}, {}]));
    let (mut driven, first) = Driven::start(&case);
    let ended = |step: Step| step.outcome.map(|outcome| outcome.status());
    assert_eq!(ended(first), Some("FAILED"));
    let again = driven.step(Some(Input::Redrive));
    assert_eq!(ended(again), Some("FAILED"));
}

#[test]
fn the_clock_and_the_retries_start_anew() {
    let mut machine = json!({"StartAt": "State", "TimeoutSeconds": 100, "States": {"State":
        task_state(json!({"Retry": [{"ErrorEquals": ["E"], "IntervalSeconds": 5, "MaxAttempts": 1}]}))}});
    machine["Comment"] = json!("one attempt more");
    let (mut driven, first) = Driven::start(&Case::new(machine));
    let fail_twice = |driven: &mut Driven, id: EffectId| {
        let retry = driven.fail(id);
        driven.now = retry.wake.expect("a retry");
        let [(again, _)] = tasks(&driven.step(Some(Input::TimePassed)))
            .try_into()
            .expect("one task");
        driven.fail(again)
    };
    let [(id, _)] = tasks(&first).try_into().expect("one task");
    assert!(fail_twice(&mut driven, id).outcome.is_some());
    driven.now = driven.now.plus_seconds(1_000);
    let redriven = driven.step(Some(Input::Redrive));
    assert_eq!(redriven.wake, Some(driven.now.plus_seconds(100)));
    let [(id, _)] = tasks(&redriven).try_into().expect("one task");
    assert!(fail_twice(&mut driven, id).outcome.is_some());
}

#[test]
fn a_stop_and_a_timeout_can_be_redriven() {
    let case = Case::new(
        json!({"StartAt": "W", "TimeoutSeconds": 5, "States": {"W": {"Type": "Wait", "Seconds": 9, "End": true}}}),
    );
    let (mut driven, _) = Driven::start(&case);
    let stop = Input::Stop(ErrorOutput::default());
    assert!(driven.step(Some(stop)).outcome.is_some());
    let redriven = driven.step(Some(Input::Redrive));
    assert_eq!(redriven.wake, Some(driven.now.plus_seconds(5)));
    driven.now = driven.now.plus_seconds(5);
    assert_eq!(
        driven.step(Some(Input::TimePassed)).outcome,
        Some(Outcome::TimedOut)
    );
    assert!(driven.step(Some(Input::Redrive)).outcome.is_none());
    assert_eq!(driven.execution.redrive_count(), 2);
}

#[test]
fn what_runs_succeeded_or_is_express_is_not_redriven() {
    let case = Case::of_state(json!({"Type": "Pass"}));
    let (mut driven, step) = Driven::start(&case);
    assert_eq!(driven.step(Some(Input::Redrive)).outcome, step.outcome);
    let express = Case::of_state(json!({"Type": "Fail"}))
        .starting(|start| start.state_machine_type = StateMachineType::Express);
    let (mut driven, step) = Driven::start(&express);
    assert_eq!(driven.step(Some(Input::Redrive)).outcome, step.outcome);
    assert_eq!(driven.execution.redrive_count(), 0);
    let (mut driven, _) = Driven::start(&Case::of_state(task_state(json!({}))));
    assert!(tasks(&driven.step(Some(Input::Redrive))).is_empty());
}

#[test]
fn only_children_that_did_not_succeed_run_again() {
    let processor = json!({"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}});
    let case =
        Case::of_state(json!({"Type": "Map", "ItemProcessor": processor})).input(json!([1, 2, 3]));
    let (mut driven, first) = Driven::start(&case);
    let children = |step: &Step| -> Vec<(EffectId, String, Value)> {
        let children = step.effects.iter().filter_map(|effect| match effect {
            Effect::Child(child) => Some((
                child.id,
                child.start.identity.execution_arn(),
                (*child.start.input).clone(),
            )),
            _ => None,
        });
        children.collect()
    };
    let began = children(&first);
    let end = |id, outcome| Some(Input::ChildExecutionEnded { id, outcome });
    let failed = || Outcome::Failed(ErrorOutput::default());
    let _ = driven.step(end(began[0].0, Outcome::Succeeded(json!("a").into())));
    let over = driven.step(end(began[1].0, failed()));
    assert!(over.outcome.is_some());
    assert_eq!(over.cancelled, [began[2].0]);

    let again = children(&driven.step(Some(Input::Redrive)));
    let named = |children: &[(EffectId, String, Value)]| -> Vec<(String, Value)> {
        children
            .iter()
            .map(|(_, arn, input)| (arn.clone(), input.clone()))
            .collect()
    };
    assert_eq!(named(&again), named(&began[1..]));
    let _ = driven.step(end(again[0].0, Outcome::Succeeded(json!("b").into())));
    let done = driven.step(end(again[1].0, Outcome::Succeeded(json!("c").into())));
    assert_eq!(
        done.outcome,
        Some(Outcome::Succeeded(json!(["a", "b", "c"]).into()))
    );
}
