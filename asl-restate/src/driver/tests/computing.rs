//! Executions that compute for longer than a turn.
use super::*;
use crate::messages::ExecutionStart;
use crate::replayed::ReplayedExecution;
use asl_backend::{CoreStart, HistoryQuery};
use asl_engine::{CORE_VERSION, MacTokens};

/// Computes for ever, unless its time is over.
const ENDLESS: &str = r#"{"QueryLanguage": "JSONata", "TimeoutSeconds": 20, "StartAt": "Loop", "States": {"Loop": {
        "Type": "Pass", "Assign": {"total": "{% $sum([1..40000]) %}"}, "Next": "Again"}, "Again": {
        "Type": "Choice", "Choices": [{"Condition": "{% $total < 0 %}", "Next": "End"}], "Default": "Loop"}, "End": {"Type": "Succeed"}}}"#;

fn slept(due: i64, now: i64) -> HostEvent {
    HostEvent::Slept {
        due: at(due),
        now: at(now),
    }
}

#[test]
fn time_passes_between_the_turns_of_what_computes() {
    let script = [slept(100, 104), slept(104, 112), slept(112, 121)];
    let (outcome, _, host) = run(ENDLESS, script).unwrap();
    assert_eq!(outcome, Outcome::TimedOut);
    assert_eq!(host.asked, ["sleep 100", "sleep 104", "sleep 112"]);
}

#[test]
fn what_computes_is_stopped_between_its_turns() {
    let (outcome, execution, host) = run(ENDLESS, [slept(100, 104), stop(105)]).unwrap();
    assert!(matches!(outcome, Outcome::Aborted(_)), "{outcome:?}");
    assert_eq!(execution.now(), at(105));
    assert_eq!(host.asked, ["sleep 100", "sleep 104", "listen 1"]);
}

#[test]
fn the_history_of_what_computes_goes_as_far_as_the_execution_did() {
    let (_, _, host) = run(ENDLESS, [slept(100, 104), slept(104, 106), stop(107)]).unwrap();
    let beginning = ExecutionStart {
        nonce: String::new(),
        core_version: CORE_VERSION,
        definition: String::new(),
        start: CoreStart::Root(Box::new(start())),
        about: crate::messages::StartMetadata::default(),
    };
    let program = Program::parse(ENDLESS).unwrap();
    let tokens = Arc::new(MacTokens::new("t", b"key"));
    let mut replayed = ReplayedExecution::new(program, beginning, tokens);
    let mut last = 0;
    for record in host.records {
        replayed = replayed.apply_records(vec![record]).unwrap();
        let query = HistoryQuery {
            from: None,
            limit: 1_000,
            is_reversed: false,
        };
        let events = replayed.page(query).events;
        assert!(events.len() > last, "{} after {last}", events.len());
        last = events.len();
    }
    assert_eq!(replayed.records(), 3);
}
