//! The history of an execution, by parts.
use asl_engine::HistoryEvent;
use std::sync::Arc;

/// Selects events of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "backends and their callers fill in every field"
)]
pub struct HistoryQuery {
    /// The first event to give, by its id, which counts from 1; None for the first in this order.
    pub from: Option<u64>,
    /// Maximum number of events.
    pub limit: usize,
    /// True for the order from the newest event to the oldest.
    pub is_reversed: bool,
}

/// Events of a history.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "backends and their callers fill in every field"
)]
pub struct HistoryPage {
    /// Events, each as a JSON object of the service's API (`id`, `previousEventId`, `timestamp`, `type`, details).
    pub events: Vec<Arc<str>>,
    /// The id that comes next in this order; None after the last.
    pub next: Option<u64>,
}

impl HistoryQuery {
    /// Returns the ids of the page in a history of `count` events, and the id of the next event.
    ///
    /// ```
    /// use asl_backend::HistoryQuery;
    ///
    /// let query = HistoryQuery { from: None, limit: 2, is_reversed: true };
    /// assert_eq!(query.ids(5), (vec![5, 4], Some(3)));
    /// ```
    pub fn ids(self, count: u64) -> (Vec<u64>, Option<u64>) {
        let limit = self.limit as u64;
        if self.is_reversed {
            let first = self.from.unwrap_or(count).min(count);
            let last = first.saturating_sub(limit);
            let ids = (last + 1..=first).rev().collect();
            (ids, (last > 0).then_some(last))
        } else {
            let first = self.from.unwrap_or(1).max(1);
            let last = first.saturating_add(limit).saturating_sub(1).min(count);
            let ids = (first..=last).collect();
            (ids, (last < count).then_some(last + 1))
        }
    }
}

/// Prints an event in the form of [`HistoryPage::events`]: one line of JSON.
pub fn event_text(event: &HistoryEvent) -> String {
    let mut text = Vec::with_capacity(512);
    // Writing to memory cannot fail, and JSON is UTF-8.
    let _ = event.write_to(&mut text);
    String::from_utf8(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(from: Option<u64>, limit: usize, is_reversed: bool) -> HistoryQuery {
        HistoryQuery {
            from,
            limit,
            is_reversed,
        }
    }

    #[test]
    fn pages_follow_each_other_without_gaps() {
        assert_eq!(query(None, 2, false).ids(5), (vec![1, 2], Some(3)));
        assert_eq!(query(Some(3), 2, false).ids(5), (vec![3, 4], Some(5)));
        assert_eq!(query(Some(5), 2, false).ids(5), (vec![5], None));
        assert_eq!(query(None, 2, true).ids(5), (vec![5, 4], Some(3)));
        assert_eq!(query(Some(3), 2, true).ids(5), (vec![3, 2], Some(1)));
        assert_eq!(query(Some(1), 2, true).ids(5), (vec![1], None));
        assert_eq!(query(None, 2, true).ids(0), (vec![], None));
    }
}
