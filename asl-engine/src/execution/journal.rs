//! A journal of inputs: the complete backup of an execution.
use super::{Execution, Input, Start};
use crate::history::HistoryEvent;
use crate::program::Program;
use asl_model::Timestamp;

/// One input, with what replaying it needs: [`Execution::journal`] makes it.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct JournalRecord {
    /// When.
    pub now: Timestamp,
    /// How many steps without an input ran since the record before, or since the first step, because a step yielded.
    pub continuations: u32,
    /// [`Execution::fingerprint`] before the input.
    #[serde(with = "crate::saved::word")]
    pub fingerprint: u64,
    /// What happened.
    pub input: Input,
}

/// A journal that leads another way than it did: it is of another execution, definition or version of the core.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
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

debug_as_display!(ReplayError);

impl Execution {
    /// The record of an input, to be kept before the execution is told of it. An answer that nests deeper than it may
    /// ([`Limits::max_data_depth`](crate::Limits)) is cut one level below that: it is refused all the same.
    ///
    /// ```
    /// use asl_engine::{Execution, Input, Program, Start};
    /// # use asl_model::{Options, Timestamp};
    /// # let definition = r#"{"StartAt": "Wait", "States": {"Wait": {"Type": "Wait", "Seconds": 60, "End": true}}}"#;
    /// # let (machine, _) = asl_model::parse(definition, Options::default())?;
    /// # let program = Program::compile(&machine)?;
    /// let start = Start::new("first", serde_json::json!({}), Timestamp::from_milliseconds(0));
    /// let mut execution = Execution::start(&program, start.clone());
    /// let step = execution.step(start.now, None);
    /// let (now, input) = (step.wake.ok_or("it waits")?, Input::TimePassed);
    /// let journal = vec![execution.journal(now, input.clone())];
    /// let step = execution.step(now, Some(input));
    /// let replayed = Execution::replay(&program, start, journal)?;
    /// assert_eq!(replayed.outcome(), step.outcome.as_ref());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn journal(&self, now: Timestamp, input: Input) -> JournalRecord {
        JournalRecord {
            now,
            continuations: self.machine.continuations,
            fingerprint: self.fingerprint(),
            input: input.cut(self.machine.start.limits.max_data_depth),
        }
    }

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

    /// Goes on with the records after those that it has seen, as one does that was restored from a save, or that makes
    /// tokens with a maker or is a child: those begin with a [step](Self::step) without an input.
    ///
    /// # Errors
    /// Where a record was written at another place than the execution has come to.
    pub fn replay_on(
        &mut self,
        records: impl IntoIterator<Item = JournalRecord>,
    ) -> Result<(), ReplayError> {
        self.replay_on_with(records, drop)
    }

    /// As [`replay_on`](Self::replay_on), with each event given to `recorder`, where events are
    /// [recorded](Self::record_history): so a history is made from a journal.
    ///
    /// # Errors
    /// Where a record was written at another place than the execution has come to.
    pub fn replay_on_with(
        &mut self,
        records: impl IntoIterator<Item = JournalRecord>,
        mut recorder: impl FnMut(HistoryEvent),
    ) -> Result<(), ReplayError> {
        for (record, journaled) in records.into_iter().enumerate() {
            // A save may have been made between two of them.
            while self.machine.continuations < journaled.continuations && self.has_yielded() {
                let now = self.now();
                let _step = self.step_with(now, None, &mut recorder);
            }
            let found = self.fingerprint();
            if found != journaled.fingerprint {
                return Err(ReplayError {
                    record,
                    expected: journaled.fingerprint,
                    found,
                });
            }
            let _step = self.step_with(journaled.now, Some(journaled.input), &mut recorder);
        }
        Ok(())
    }
}
