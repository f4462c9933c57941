//! A journal of inputs: the complete backup of an execution.
use super::{Execution, Input, Start};
use crate::program::Program;
use asl_model::Timestamp;

/// One input, with what replaying it needs.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct JournalRecord {
    /// When.
    pub now: Timestamp,
    /// How many steps without an input ran since the record before, or since the first step, because a step yielded.
    pub continuations: u32,
    /// [`Execution::fingerprint`] before the input.
    pub fingerprint: u64,
    /// What happened.
    pub input: Input,
}

/// A journal that leads another way than it did: it is of another execution, definition or version of the core.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "record {record} of the journal was written where the fingerprint was {expected:016x}, but the execution is at {found:016x}: \
     it began with another definition, start or version of the core"
)]
pub struct ReplayError {
    /// Which record, from 0.
    pub record: usize,
    /// As journaled.
    pub expected: u64,
    /// As replayed.
    pub found: u64,
}

impl Execution {
    /// Begins an execution and tells it again what a journal says happened; effects and events are let go. What is waited
    /// for then, [`pending`](Self::pending) says.
    ///
    /// # Errors
    /// Where a record was written at another place than the execution has come to.
    pub fn replay(
        program: impl Into<Program>,
        start: Start,
        records: impl IntoIterator<Item = JournalRecord>,
    ) -> Result<Self, ReplayError> {
        let mut execution = Self::start(program, start);
        let begun = execution.now();
        let _first = execution.step_with(begun, None, drop);
        execution.replay_on(records)?;
        Ok(execution)
    }

    /// Goes on with the records after those that it has seen, as one that was restored from a save does.
    ///
    /// # Errors
    /// Where a record was written at another place than the execution has come to.
    pub fn replay_on(
        &mut self,
        records: impl IntoIterator<Item = JournalRecord>,
    ) -> Result<(), ReplayError> {
        for (record, journaled) in records.into_iter().enumerate() {
            for _ in 0..journaled.continuations {
                let now = self.now();
                let _step = self.step_with(now, None, drop);
            }
            let found = self.fingerprint();
            if found != journaled.fingerprint {
                return Err(ReplayError {
                    record,
                    expected: journaled.fingerprint,
                    found,
                });
            }
            let _step = self.step_with(journaled.now, Some(journaled.input), drop);
        }
        Ok(())
    }
}
