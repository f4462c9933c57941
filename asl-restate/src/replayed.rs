//! Histories that were replayed lately: the next page continues from there.
use crate::driver::TURN;
use crate::messages::ExecutionStart;
use asl_backend::{BackendError, HistoryPage, HistoryQuery, event_text};
use asl_engine::{Execution, HistoryEvent, JournalRecord, Program, TaskTokens};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Histories that are kept, and bytes of all of them.
const MOST_KEPT: usize = 8;
const MOST_BYTES: usize = 64 << 20;

/// Histories that were replayed lately.
#[derive(Default)]
pub(crate) struct ReplayedHistories(Mutex<VecDeque<(Arc<str>, ReplayedExecution)>>);

impl ReplayedHistories {
    /// Returns the history of an execution, which continues elsewhere.
    pub(crate) fn take(&self, arn: &str, nonce: &str) -> Option<ReplayedExecution> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().position(|(known, _)| **known == *arn)?;
        let (_, replayed) = kept.remove(place)?;
        // Another one may have had the name before.
        (replayed.nonce == nonce).then_some(replayed)
    }

    pub(crate) fn put(&self, arn: &str, replayed: ReplayedExecution) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(known, _)| **known != *arn);
        kept.push_back((arn.into(), replayed));
        let bytes = |kept: &VecDeque<(Arc<str>, ReplayedExecution)>| {
            kept.iter()
                .map(|(_, replayed)| replayed.bytes)
                .sum::<usize>()
        };
        while kept.len() > MOST_KEPT || bytes(&kept) > MOST_BYTES {
            kept.pop_front();
        }
    }
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
        let events = all(&ended);
        assert!(
            events.starts_with(&begun) && events.contains("ExecutionAborted"),
            "{events}"
        );
        assert_eq!(ended.bytes, events.len());
    }

    #[test]
    fn the_latest_are_kept_each_for_its_own_execution() {
        let kept = ReplayedHistories::default();
        kept.put("arn:a", replayed("first"));
        assert!(kept.take("arn:a", "second").is_none());
        for number in 0..=MOST_KEPT {
            kept.put(&format!("arn:{number}"), replayed("n"));
        }
        assert!(kept.take("arn:0", "n").is_none());
        assert!(kept.take("arn:1", "n").is_some());
        let mut large = replayed("n");
        large.bytes = MOST_BYTES + 1;
        kept.put("arn:large", large);
        assert!(kept.0.lock().unwrap().is_empty());
    }
}
