//! Histories that were replayed lately: the next page continues from there.
use crate::driver::TURN;
use crate::messages::ExecutionStart;
use asl_backend::{BackendError, HistoryPage, HistoryQuery, RecentCache, event_text};
use asl_engine::{Execution, HistoryEvent, JournalRecord, Program, TaskTokens};
use std::sync::Arc;

/// Histories that are kept, and bytes of all of them.
const MOST_KEPT: usize = 8;
const MOST_BYTES: usize = 64 << 20;

/// Histories by the ARNs of their executions.
pub(crate) type ReplayedHistories = RecentCache<Arc<str>, ReplayedExecution>;

/// Creates the cache of a node.
pub(crate) fn replayed_histories() -> ReplayedHistories {
    RecentCache::new(MOST_KEPT, MOST_BYTES, |replayed: &ReplayedExecution| {
        replayed.bytes
    })
}

/// An execution up to one of its records, and its events.
pub(crate) struct ReplayedExecution {
    nonce: String,
    execution: Execution,
    records: u64,
    events: Vec<Arc<str>>,
    bytes: usize,
}

impl ReplayedExecution {
    pub(crate) fn new(
        program: Program,
        beginning: ExecutionStart,
        tokens: Arc<dyn TaskTokens>,
    ) -> Self {
        let mut start = beginning.start;
        start.record_history();
        let mut replayed = Self {
            nonce: beginning.nonce,
            execution: start.begin(program, tokens),
            records: 0,
            events: Vec::new(),
            bytes: 0,
        };
        // What follows a record is the turn that the execution itself had: time passes by records alone.
        replayed.execution.limit_turns(TURN);
        let mut events = Vec::new();
        let execution = &mut replayed.execution;
        let _step = execution.step_with(execution.now(), None, |event| events.push(event));
        replayed.note(events);
        replayed
    }

    /// Returns true if it is the history of this start of the execution.
    pub(crate) fn is_of(&self, nonce: &str) -> bool {
        self.nonce == nonce
    }

    /// Returns the number of records seen.
    pub(crate) fn records(&self) -> u64 {
        self.records
    }

    /// Applies further records.
    ///
    /// # Errors
    ///
    /// The records belong to an execution that took another path.
    pub(crate) fn apply_records(
        mut self,
        records: Vec<JournalRecord>,
    ) -> Result<Self, BackendError> {
        self.records += records.len() as u64;
        let mut new = Vec::new();
        let replay = self
            .execution
            .replay_on_with(records, |event| new.push(event));
        replay.map_err(|error| BackendError::Broken(error.to_string()))?;
        self.note(new);
        Ok(self)
    }

    fn note(&mut self, events: Vec<HistoryEvent>) {
        for event in events {
            let text: Arc<str> = event_text(&event).into();
            self.bytes += text.len();
            self.events.push(text);
        }
    }

    pub(crate) fn page(&self, query: HistoryQuery) -> HistoryPage {
        let (ids, next) = query.ids(self.events.len() as u64);
        let event = |id: &u64| self.events.get(usize::try_from(id - 1).ok()?).cloned();
        HistoryPage {
            events: ids.iter().filter_map(event).collect(),
            next,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asl_backend::CoreStart;
    use asl_engine::{ErrorOutput, Input, MacTokens, Start};
    use serde_json::json;

    fn beginning(nonce: &str) -> ExecutionStart {
        let start = Start::new("e", json!({}), asl_engine::Timestamp::default());
        ExecutionStart {
            nonce: nonce.to_owned(),
            core_version: asl_engine::CORE_VERSION,
            definition: String::new(),
            start: CoreStart::Root(Box::new(start)),
            about: crate::messages::StartMetadata::default(),
        }
    }

    fn replayed(nonce: &str) -> ReplayedExecution {
        let wait =
            r#"{"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 60, "End": true}}}"#;
        let program = Program::parse(wait).unwrap();
        ReplayedExecution::new(
            program,
            beginning(nonce),
            Arc::new(MacTokens::new("t", b"key")),
        )
    }

    fn all(replayed: &ReplayedExecution) -> String {
        let query = HistoryQuery {
            from: None,
            limit: 100,
            is_reversed: false,
        };
        replayed.page(query).events.concat()
    }

    #[test]
    fn a_history_goes_on_with_the_records_after_those_it_has() {
        let waiting = replayed("n");
        let begun = all(&waiting);
        assert!(begun.contains("WaitStateEntered"), "{begun}");
        let stop = Input::Stop(ErrorOutput::new("E", "why"));
        let record = waiting.execution.journal(waiting.execution.now(), stop);
        let ended = waiting.apply_records(vec![record]).unwrap();
        assert_eq!(ended.records(), 1);
        assert!(ended.is_of("n") && !ended.is_of("another"));
        let events = all(&ended);
        assert!(
            events.starts_with(&begun) && events.contains("ExecutionAborted"),
            "{events}"
        );
        assert_eq!(ended.bytes, events.len());
    }
}
