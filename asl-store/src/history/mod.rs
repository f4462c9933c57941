//! Histories: sealed in packed pieces, and by replay where they are not.
pub(crate) mod page;
mod piece;
mod replayed;
pub(crate) mod sealing;

use crate::event_loop::EventLoops;
use crate::shared::Shared;
use replayed::Replayed;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// The histories of a store.
pub(crate) struct Histories {
    shared: Arc<Shared>,
    loops: Arc<EventLoops>,
    /// Events that are not sealed, and were read lately.
    replayed: Replayed,
    /// Histories that are replayed at a time.
    replaying: Semaphore,
}

impl Histories {
    /// The histories of a store, of which so many are replayed at a time.
    pub(crate) fn new(loops: &Arc<EventLoops>, at_a_time: usize) -> Self {
        Self {
            shared: Arc::clone(&loops.shared),
            loops: Arc::clone(loops),
            replayed: Replayed::default(),
            replaying: Semaphore::new(at_a_time),
        }
    }
}
