//! Executions that a task waits for.
use super::*;

pub(in crate::driver) const NESTED: &str = r#""Resource": "arn:aws:states:::states:startExecution.sync:2", "Parameters": {"StateMachineArn": "m"}"#;

pub(in crate::driver) fn told(seconds: i64, what: ExternalEvent) -> HostEvent {
    let at = at(seconds);
    HostEvent::Told(EffectId(0), ExternalMessage { at, what })
}

#[test]
fn the_execution_that_a_task_waits_for_is_stopped_where_the_task_is_let_go() {
    let begun = told(102, ExternalEvent::Nested("arn:n".into()));
    let (outcome, _, host) = run(&task(NESTED), [begun, stop(110)]).unwrap();
    assert!(matches!(outcome, Outcome::Aborted(_)), "{outcome:?}");
    assert!(
        host.asked.iter().any(|it| it == "stop arn:n at 110"),
        "{:?}",
        host.asked
    );
}

#[test]
fn the_execution_that_a_task_waits_for_answers_it() {
    let (begun, submitted) = (
        ExternalEvent::Nested("arn:n".into()),
        JsonText::new(&json!({"a": 1})),
    );
    let ended = ExternalEvent::Success(JsonText::new(&json!({"Output": 7})));
    let script = [
        told(102, begun),
        told(105, ExternalEvent::Submitted(submitted)),
        told(105, ended),
    ];
    let (outcome, _, host) = run(&task(NESTED), script).unwrap();
    assert_eq!(outcome, succeeded(json!({"Output": 7})));
    assert!(
        !host.asked.iter().any(|it| it.contains("arn:n")),
        "{:?}",
        host.asked
    );
}

#[test]
fn one_that_begins_when_its_task_was_let_go_is_stopped() {
    let fields = format!(
        r#"{NESTED}, "TimeoutSeconds": 5, "Catch": [{{"ErrorEquals": ["States.ALL"], "Next": "W"}}]"#
    );
    let definition = task(&fields).replace(
        "}}}",
        r#"}, "W": {"Type": "Wait", "Seconds": 60, "End": true}}}"#,
    );
    let slept = |due| HostEvent::Slept {
        due: at(due),
        now: at(due),
    };
    let script = [
        slept(105),
        told(106, ExternalEvent::Nested("arn:n".into())),
        slept(165),
    ];
    let (outcome, _, host) = run(&definition, script).unwrap();
    assert!(matches!(outcome, Outcome::Succeeded(_)), "{outcome:?}");
    assert!(
        host.asked.iter().any(|it| it == "stop arn:n at 106"),
        "{:?}",
        host.asked
    );
}
