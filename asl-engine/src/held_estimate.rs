//! About what an execution holds, without counting it after each step.
use crate::Execution;

/// An estimate of the data that an execution [holds](Execution::held_bytes): the last count, and the data created since.
///
/// It is counted anew once it may be twice as much, so counting costs a share of making.
///
/// ```
/// # use asl_engine::{Execution, HeldEstimate, Program, Start, Timestamp};
/// # let program = Program::parse(r#"{"StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}}"#)?;
/// let start = Start::new("e", "x".repeat(1_000).into(), Timestamp::from_milliseconds(0));
/// let execution = Execution::start(program, start);
/// assert!(HeldEstimate::of(&execution).bytes() > 1_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct HeldEstimate {
    bytes: u64,
    /// Bytes that the execution had made at the last note.
    made: u64,
    /// Bytes that the execution held at the last count.
    counted: u64,
}

/// Bytes that an execution may make before another count pays.
const SLACK: u64 = 64 << 10;

impl HeldEstimate {
    /// Counts what an execution holds.
    pub fn of(execution: &Execution) -> Self {
        let counted = execution.held_bytes();
        Self {
            bytes: counted,
            made: execution.created_bytes(),
            counted,
        }
    }

    /// Adds the bytes that an execution made since the last note. Returns whether it made any.
    pub fn note(&mut self, execution: &Execution) -> bool {
        let made = execution.created_bytes().wrapping_sub(self.made);
        if made == 0 {
            return false;
        }
        self.made = execution.created_bytes();
        self.bytes = self.bytes.saturating_add(made);
        if self.bytes > self.counted.saturating_mul(2).saturating_add(SLACK) {
            self.counted = execution.held_bytes();
            self.bytes = self.counted;
        }
        true
    }

    /// Returns the estimate.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}
