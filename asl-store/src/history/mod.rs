//! Histories: sealed in packed pieces, or rebuilt by replay.
pub(crate) mod page;
mod replayed;
pub(crate) mod sealing;

use crate::database::row::RowId;
use crate::database::stored_execution;
use crate::event_loop::EventLoops;
use crate::shared::StoreContext;
use asl_backend::{BackendError, MemoryReservation, MemoryUse};
use replayed::{ReplayedEvents, replayed_events};
use rusqlite::Connection;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// The histories of a store.
pub(crate) struct Histories {
    shared: Arc<StoreContext>,
    loops: Arc<EventLoops>,
    /// Events that are not sealed, and were read lately.
    replayed: ReplayedEvents,
    /// Histories that are replayed at a time.
    replaying: Semaphore,
}

impl Histories {
    /// Creates the histories of a store, with a limit on concurrent replays.
    pub(crate) fn new(loops: &Arc<EventLoops>, at_a_time: usize) -> Self {
        Self {
            shared: Arc::clone(&loops.shared),
            loops: Arc::clone(loops),
            replayed: replayed_events(),
            replaying: Semaphore::new(at_a_time),
        }
    }

    /// Reserves what the replay of a history may take.
    fn reserve(&self, row: RowId) -> Result<MemoryReservation, BackendError> {
        let bytes = self
            .shared
            .read(|connection| bytes_of_replay(connection, row));
        let bytes = bytes.map_err(|error| crate::error::broken(&error))?;
        let memory = &self.shared.memory;
        let reserved = memory.reserve(MemoryUse::Histories, bytes.min(memory.bytes() / 4));
        reserved.ok_or_else(BackendError::no_memory)
    }
}

/// Returns the maximum memory for replaying a history: a page, some pieces, and the execution of the snapshot.
fn bytes_of_replay(connection: &Connection, row: RowId) -> rusqlite::Result<u64> {
    const PIECES: u64 = 8 << 20;
    /// Factor from packed to unpacked bytes.
    const UNPACKED: u64 = 8;
    let snapshot = stored_execution::snapshot_bytes(connection, row)?;
    Ok(PIECES + snapshot.saturating_mul(UNPACKED))
}
