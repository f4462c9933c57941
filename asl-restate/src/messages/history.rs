//! Histories.
use super::ExecutionStart;
use serde::{Deserialize, Serialize};

/// A history whose events are in pieces.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SealedHistory {
    /// The first event of each piece.
    pub(crate) firsts: Vec<u64>,
    /// Number of events.
    pub(crate) events: u64,
}

impl SealedHistory {
    /// The first event of the piece that an event is in.
    pub(crate) fn piece_of(&self, id: u64) -> Option<u64> {
        let after = self.firsts.partition_point(|first| *first <= id);
        self.firsts.get(after.checked_sub(1)?).copied()
    }
}

/// The source of a history.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum HistorySource {
    Sealed(SealedHistory),
    /// Records of all inputs of the execution.
    Records(Box<ExecutionStart>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_in_the_piece_that_begins_last_before_it() {
        let sealed = SealedHistory {
            firsts: vec![1, 1_001, 1_400],
            events: 1_500,
        };
        let pieces = [1, 1_000, 1_001, 1_399, 1_500].map(|id| sealed.piece_of(id));
        let firsts = [1, 1, 1_001, 1_001, 1_400].map(Some);
        assert_eq!(pieces, firsts);
        assert_eq!(SealedHistory::default().piece_of(1), None);
    }
}
