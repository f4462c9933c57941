//! The same inputs give the same outputs.
use super::host::{Journal, poll_all};
use asl_engine::{Execution, Input, Outcome, Output, Program, Start};
use std::sync::Arc;

/// Replays a journal.
pub(super) fn check(program: &Arc<Program>, start: Start, journal: &Journal) {
    let mut replayed = Execution::start(Arc::clone(program), start);
    for (number, round) in journal.rounds.iter().enumerate() {
        let outputs = poll_all(&mut replayed, |_| {});
        same(&round.outputs, &outputs, "replay", number);
        if let Some((now, input)) = &round.told {
            replayed.handle_input(*now, input.clone());
        }
    }
    check_end(replayed);
}

/// The end is the end, whatever is told after it.
fn check_end(mut execution: Execution) {
    let Some(outcome) = execution.outcome().cloned() else {
        panic!("a journal ends with the execution");
    };
    let now = execution.start_parameters().now;
    execution.handle_input(now, Input::TimePassed);
    execution.handle_input(
        now,
        Input::Stop {
            error: None,
            cause: None,
        },
    );
    let is_same = |output: Output| matches!(output, Output::Done(again) if again == outcome);
    assert!(
        is_same(execution.poll_output()),
        "nothing happens after the end"
    );
    if let Outcome::Failed { error, .. } = &outcome {
        assert_ne!(
            error.as_deref(),
            Some("States.ALL"),
            "an error is never named by a wildcard"
        );
    }
}

fn same(expected: &[String], actual: &[String], what: &str, round: usize) {
    let pairs = expected.iter().zip(actual).enumerate();
    for (index, (expected, actual)) in pairs {
        assert_eq!(expected, actual, "{what}: output {index} of round {round}");
    }
    assert_eq!(
        expected.len(),
        actual.len(),
        "{what}: outputs of round {round}"
    );
}
