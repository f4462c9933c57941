//! The history of an execution, by parts.
use std::sync::Arc;

/// Which events of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryQuery {
    /// The first event to give, by its id, which counts from 1; None for the first in this order.
    pub from: Option<u64>,
    /// How many at most.
    pub limit: usize,
    /// From the newest to the oldest.
    pub is_reversed: bool,
}

/// Events of a history.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryPage {
    /// Each as a JSON object of the service's API (`id`, `previousEventId`, `timestamp`, `type`, details).
    pub events: Vec<Arc<str>>,
    /// The id that comes next in this order; None after the last.
    pub next: Option<u64>,
}
