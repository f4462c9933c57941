//! State of an index object, in addition to its executions.
use crate::messages::{ListEntry, REDRIVEN};
use asl_engine::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// State of an index object, in addition to its executions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct IndexState {
    /// Number of running executions.
    pub(super) running: u64,
    /// Marks reported to the directory: lists by status read only objects that may have entries.
    pub(super) marks: BTreeSet<Arc<str>>,
    /// True if the directory will soon be notified that no execution is running.
    pub(super) is_settling: bool,
    /// True if a deletion of expired entries is scheduled.
    pub(super) is_kept: bool,
}

impl IndexState {
    /// Notes an execution that was listed as another before; whether it says something new.
    pub(super) fn note(&mut self, before: Option<&ListEntry>, listed: &ListEntry) -> bool {
        if before.is_some_and(|before| !listed.is_newer_than(before)) {
            return false;
        }
        let ran = before.is_some_and(ListEntry::is_running);
        let others = self.running.saturating_sub(u64::from(ran));
        self.running = others + u64::from(listed.is_running());
        self.marks.extend(marks(listed));
        true
    }
}

/// Returns the marks of an execution for the directory.
pub(super) fn marks(listed: &ListEntry) -> impl Iterator<Item = Arc<str>> {
    let redriven = (listed.redrive_count > 0).then(|| REDRIVEN.into());
    [Arc::clone(&listed.status)].into_iter().chain(redriven)
}

/// After so long it is looked again whether one that runs has ended, at the earliest.
const LOOKS: Duration = Duration::from_secs(60 * 60);

/// Until when an execution is kept at least.
pub(super) fn retained_until(listed: &ListEntry, now: Timestamp, retention: Duration) -> Timestamp {
    let until = match listed.stop_date {
        Some(stop_date) if !listed.is_running() => stop_date.checked_add(retention),
        _ => now.checked_add(retention.max(LOOKS)),
    };
    // Where there is no such moment, for ever.
    until.unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{at, ended, listed};
    use super::*;

    fn marked(held: &IndexState) -> Vec<&str> {
        held.marks.iter().map(|mark| &**mark).collect()
    }

    #[test]
    fn those_that_run_are_counted_whatever_comes_first() {
        let (begun, failed) = (listed("e", 5), ended("e", 5, "FAILED"));
        let mut held = IndexState::default();
        assert!(held.note(None, &begun));
        assert_eq!(held.running, 1);
        assert!(held.note(Some(&begun), &failed));
        assert_eq!(
            (held.running, marked(&held)),
            (0, vec!["FAILED", "RUNNING"])
        );
        let mut held = IndexState::default();
        assert!(held.note(None, &failed));
        assert!(!held.note(Some(&failed), &begun));
        assert_eq!((held.running, marked(&held)), (0, vec!["FAILED"]));
    }

    #[test]
    fn a_redriven_one_runs_again_and_is_found_by_that() {
        let failed = ended("e", 5, "FAILED");
        let redriven = ListEntry {
            redrive_count: 1,
            ..listed("e", 5)
        };
        let mut held = IndexState::default();
        assert!(held.note(None, &failed) && held.note(Some(&failed), &redriven));
        assert!(!held.note(Some(&redriven), &failed));
        let marks = vec!["FAILED", "REDRIVEN", "RUNNING"];
        assert_eq!((held.running, marked(&held)), (1, marks));
    }

    #[test]
    fn what_ended_is_kept_from_then_on_and_what_runs_from_now_on() {
        let until = |listed: &ListEntry, hours| {
            retained_until(listed, at(100_000), hours * Duration::from_secs(3_600))
        };
        let hours = |hours: i64| hours * 3_600_000;
        assert_eq!(until(&ended("e", 5_000, "FAILED"), 2), at(6_000 + hours(2)));
        assert_eq!(until(&listed("e", 5_000), 2), at(100_000 + hours(2)));
        assert_eq!(until(&listed("e", 5_000), 0), at(100_000 + hours(1)));
    }
}
