//! A journal of inputs: the complete backup of an execution.
use super::{Execution, Input, Start};
use crate::history::HistoryEvent;
use crate::program::Program;
use asl_model::Timestamp;

/// An input with the data that a replay needs, created by [`Execution::journal`].
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct JournalRecord {
    /// Time of the input.
    pub now: Timestamp,
    /// The moves that the execution made since the record before, or since its beginning: the steps of its flows, of which a
    /// replay makes as many, however long a [turn](crate::TurnLimits) may be then. None in the records of core 2, whose turns ended
    /// after a number of transitions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u64>,
    /// In records of core 2: number of steps without an input since the previous record, after steps that yielded.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub continuations: u32,
    /// [`Execution::fingerprint`] before the input.
    #[serde(with = "crate::saved::word")]
    pub fingerprint: u64,
    /// The input.
    pub input: Input,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// A journal that leads another way than it did: it is of another execution, definition or version of the core.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "record {record} of the journal was written where the fingerprint was {expected:016x}, but the execution is at {found:016x}: \
     it began with another definition, start or version of the core"
)]
#[non_exhaustive]
pub struct ReplayError {
    /// Index of the record, from 0.
    pub record: usize,
    /// Fingerprint in the journal.
    pub expected: u64,
    /// Fingerprint of the replay.
    pub found: u64,
}

debug_as_display!(ReplayError);

impl Execution {
    /// Returns the record of an input, to be kept before the execution is reported it. An answer that nests deeper than it
    /// may ([`Limits::max_data_depth`](crate::Limits)) is cut one level below that: it is refused all the same.
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
            moves: self.machine.turn.moves(),
            continuations: self.machine.turn.continuations(),
            fingerprint: self.fingerprint(),
            input: input.cut(self.machine.start.limits.max_data_depth),
        }
    }

    /// Creates an execution and applies the inputs of a journal; effects and events are discarded.
    /// [`pending`](Self::pending) returns the effects that are pending afterwards.
    ///
    /// # Errors
    /// Returns an error if a record was written at another place than the execution has come to.
    pub fn replay(
        program: impl Into<Program>,
        start: Start,
        records: impl IntoIterator<Item = JournalRecord>,
    ) -> Result<Self, ReplayError> {
        let mut execution = Self::start(program, start);
        execution.replay_on(records)?;
        Ok(execution)
    }

    /// Applies the records that an execution has not seen: to an execution restored from a save, or to a new one, which has
    /// not run. It ends with a turn after the last record, within its [limits](Self::limit_turns).
    ///
    /// # Errors
    /// Returns an error if a record was written at another place than the execution has come to.
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
    /// Returns an error if a record was written at another place than the execution has come to.
    pub fn replay_on_with(
        &mut self,
        records: impl IntoIterator<Item = JournalRecord>,
        mut recorder: impl FnMut(HistoryEvent),
    ) -> Result<(), ReplayError> {
        let is_new = self.has_not_run();
        if self.replay_inputs_with(records, &mut recorder)? || is_new {
            let _step = self.poll_all(&mut recorder);
        }
        Ok(())
    }

    /// As [`replay_on_with`](Self::replay_on_with), but ends once the last record is taken in: what follows from it, events too, is
    /// left for the next [step](Self::step). So more records may come. Whether there was any.
    ///
    /// # Errors
    /// Returns an error if a record was written at another place than the execution has come to.
    pub fn replay_inputs_with(
        &mut self,
        records: impl IntoIterator<Item = JournalRecord>,
        mut recorder: impl FnMut(HistoryEvent),
    ) -> Result<bool, ReplayError> {
        let mut has_any = false;
        for (record, journaled) in records.into_iter().enumerate() {
            has_any = true;
            self.run_to(&journaled, &mut recorder);
            let found = self.fingerprint();
            if found != journaled.fingerprint {
                return Err(ReplayError {
                    record,
                    expected: journaled.fingerprint,
                    found,
                });
            }
            self.handle_input(journaled.now, journaled.input);
        }
        Ok(has_any)
    }

    /// Returns true if it has only begun.
    fn has_not_run(&self) -> bool {
        let machine = &self.machine;
        // One that exceeds a limit with its first event has nothing to do, but the event of its end is left.
        let has_more = !machine.ready.is_empty() || !machine.outputs.is_empty();
        machine.transitions == 0 && machine.turn.moves() == Some(0) && has_more
    }

    /// Runs to where a record was written.
    fn run_to(&mut self, record: &JournalRecord, recorder: &mut impl FnMut(HistoryEvent)) {
        let Some(moves) = record.moves else {
            return self.run_to_continuation(record.continuations, recorder);
        };
        self.machine.turn.end_after(moves);
        let _step = self.poll_all(recorder);
        self.machine.turn.end_by_cost();
    }

    /// The same by the rule of core 2.
    fn run_to_continuation(&mut self, count: u32, recorder: &mut impl FnMut(HistoryEvent)) {
        self.machine.turn.end_by_transitions();
        let _step = self.poll_all(recorder);
        // A save may have been made between two of them.
        while self.machine.turn.continuations() < count && self.has_yielded() {
            let now = self.now();
            let _step = self.step_with(now, None, &mut *recorder);
        }
    }
}
