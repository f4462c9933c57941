//! The same inputs give the same outputs, also if the execution is saved and restored between any two calls.
use super::host::{Journal, poll_all};
use asl_engine::{ErrorOutput, Execution, Input, Outcome, Output, Program, SavedExecution, Start};
use std::sync::Arc;

/// Saves of one execution are not longer in all.
const MOST_SAVED: usize = 1 << 20;

/// Replays a journal twice: as it was, and with saves between calls.
pub(super) fn check(program: &Arc<Program>, start: Start, journal: &Journal) {
    let mut replayed = Execution::start(Arc::clone(program), start.clone());
    let mut restored = RestoredExecution {
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

/// Checks that no input changes an ended execution.
fn check_end(mut execution: Execution) {
    let Some(outcome) = execution.outcome().cloned() else {
        panic!("a journal ends with the execution");
    };
    let now = execution.start_parameters().now;
    execution.handle_input(now, Input::TimePassed);
    execution.handle_input(now, Input::Stop(ErrorOutput::default()));
    let is_same = |output: Output| matches!(output, Output::Done(again) if again == outcome);
    assert!(
        is_same(execution.poll_output()),
        "nothing happens after the end"
    );
    if let Outcome::Failed(ErrorOutput { error, .. }) = &outcome {
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
struct RestoredExecution {
    execution: Execution,
    bytes_left: usize,
}

impl RestoredExecution {
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

    /// Continues with a save of the execution.
    fn save(&mut self) {
        if self.bytes_left == 0 {
            return;
        }
        let text = serde_json::to_string(&self.execution.save()).expect("a save can be written");
        self.bytes_left = self.bytes_left.saturating_sub(text.len());
        let saved: SavedExecution = serde_json::from_str(&text).expect("a save can be read");
        let restored = saved.restore(self.execution.program());
        self.execution = restored.expect("a save that nobody changed is taken up");
    }
}
