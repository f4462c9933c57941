//! The same inputs give the same outputs, also where the execution is saved and restored between any two calls.
use super::host::{Journal, poll_all};
use asl_engine::execution::SavedExecution;
use asl_engine::{Execution, Input, Outcome, Output, Program, Start};
use serde::Deserialize;
use std::sync::Arc;

/// Saves of one execution are not longer in all: data that many flows share is written once for each.
const MOST_SAVED: usize = 1 << 20;

/// Replays a journal twice: as it was, and with saves between calls.
pub(super) fn check(program: &Arc<Program>, start: Start, journal: &Journal) {
    let mut replayed = Execution::start(Arc::clone(program), start.clone());
    let mut restored = Restored {
        execution: Execution::start(Arc::clone(program), start),
        bytes_left: MOST_SAVED,
    };
    restored.save();
    for (number, round) in journal.rounds.iter().enumerate() {
        let outputs = poll_all(&mut replayed, |_| {});
        same(&round.outputs, &outputs, "replay", number);
        let outputs = restored.poll_all();
        same(&round.outputs, &outputs, "saving", number);
        if let Some((now, input)) = &round.told {
            replayed.handle_input(*now, input.clone());
            restored.save();
            restored.execution.handle_input(*now, input.clone());
            restored.save();
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

/// An execution that is saved and restored between calls.
struct Restored {
    execution: Execution,
    bytes_left: usize,
}

impl Restored {
    /// Polls until Wait or Done; where an execution says much in one round, saves become rarer.
    fn poll_all(&mut self) -> Vec<String> {
        let mut outputs = Vec::new();
        loop {
            let output = self.execution.poll_output();
            outputs.push(format!("{output:?}"));
            if matches!(output, Output::Wait { .. } | Output::Done(_)) {
                return outputs;
            }
            if outputs.len().is_power_of_two() {
                self.save();
            }
        }
    }

    /// Goes on with what a save of it says.
    fn save(&mut self) {
        if self.bytes_left == 0 {
            return;
        }
        let saved = serde_json::to_vec(&self.execution).expect("an execution can be saved");
        self.bytes_left = self.bytes_left.saturating_sub(saved.len());
        let mut reader = serde_json::Deserializer::from_slice(&saved);
        reader.disable_recursion_limit();
        let saved =
            SavedExecution::deserialize(&mut reader).expect("a saved execution can be read");
        self.execution = saved.restore(Arc::clone(self.execution.program()));
    }
}
