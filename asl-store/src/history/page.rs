//! Pages of histories: the sealed part, and the rest by replay.
use super::Histories;
use super::replayed::{Key, Page, PageCollector, Window};
use crate::database::row::{RowId, unreadable};
use crate::database::stored_execution::{self, Base, HistoryPart, StoredExecution};
use crate::database::{executions, sealed_history};
use crate::event_loop::{EventLoops, Message};
use asl_backend::{BackendError, HistoryPage, HistoryQuery, UnpackedPiece, event_text};
use asl_engine::HistoryEvent;
use rusqlite::Connection;
use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

/// Looks at a history of which a piece is missing, where that may be because it is being sealed just now.
const MOST_HALF_WRITTEN: usize = 20;
/// Between two of them.
const HALF_WRITTEN: Duration = Duration::from_millis(5);

/// The records of an execution that runs, and how many events it has.
type Live = (Vec<i64>, u64);

/// Returns a part of an execution's history.
pub(crate) async fn page(
    histories: &Arc<Histories>,
    arn: Arc<str>,
    query: HistoryQuery,
) -> Result<Option<HistoryPage>, BackendError> {
    let find = {
        let shared = Arc::clone(&histories.shared);
        blocking(move || shared.read(|connection| executions::row_of(connection, &arn))).await?
    };
    let Some(row) = find else {
        return Ok(None);
    };
    let live = Arc::new(live(&histories.loops, row).await);
    if let Some(page) = read(histories, row, &live, query, false).await? {
        return Ok(Some(page));
    }
    // Each replay takes a core for as long as it lasts. The semaphore is never closed.
    let _permit = histories.replaying.acquire().await;
    let _reserved = histories.reserve(row)?;
    read(histories, row, &live, query, true).await
}

/// Reads a page; None if a replay is needed but not allowed.
async fn read(
    histories: &Arc<Histories>,
    row: RowId,
    live: &Arc<Option<Live>>,
    query: HistoryQuery,
    may_replay: bool,
) -> Result<Option<HistoryPage>, BackendError> {
    let (histories, live) = (Arc::clone(histories), Arc::clone(live));
    blocking(move || {
        let read = || {
            histories.shared.read(|connection| {
                // What is read here is of one moment, but for a store in memory.
                let transaction = connection.unchecked_transaction()?;
                let reading = PageReader {
                    histories: &histories,
                    connection: &transaction,
                    row,
                    may_replay,
                };
                reading.page((*live).as_ref(), query)
            })
        };
        let mut page = read();
        for _ in 0..MOST_HALF_WRITTEN {
            if page.is_ok() || !histories.shared.place.shows_what_is_half_written() {
                break;
            }
            std::thread::sleep(HALF_WRITTEN);
            page = read();
        }
        page
    })
    .await
}

/// Returns the event loop's data of an execution in memory: its records and the number of its events.
async fn live(loops: &EventLoops, row: RowId) -> Option<Live> {
    let (told, records) = oneshot::channel();
    loops.send_of_row(row, Message::Records(row, told));
    records.await.ok().flatten()
}

async fn blocking<T: Send + 'static>(
    read: impl FnOnce() -> rusqlite::Result<T> + Send + 'static,
) -> Result<T, BackendError> {
    match tokio::task::spawn_blocking(read).await {
        Ok(result) => result.map_err(|error| crate::error::broken(&error)),
        Err(_) => Err(BackendError::Broken("reading was interrupted".to_owned())),
    }
}

/// A history that is read, at one moment.
struct PageReader<'a> {
    histories: &'a Histories,
    connection: &'a Connection,
    row: RowId,
    may_replay: bool,
}

impl PageReader<'_> {
    /// Returns part of a history: only the requested pieces are unpacked, and only requested events that are not sealed are
    /// replayed.
    fn page(
        &self,
        live: Option<&Live>,
        query: HistoryQuery,
    ) -> rusqlite::Result<Option<HistoryPage>> {
        let ended = sealed_history::ended(self.connection, self.row)?;
        let base = match ended {
            Some((_, true)) => None,
            _ => stored_execution::base(self.connection, self.row)?,
        };
        let count = ended.map(|(count, _)| count);
        let Some(count) = count.or(live.map(|(_, count)| *count)) else {
            return self.page_at_rest(base.as_ref(), query);
        };
        let sealed = match ended {
            Some((count, true)) => count,
            _ => base.as_ref().map_or(0, |base| base.events),
        };
        let (ids, next) = query.ids(count);
        if ids.iter().all(|id| *id <= sealed) {
            return self.sealed(&ids, next).map(Some);
        }
        let records = live
            .filter(|_| ended.is_none())
            .map(|(records, _)| &**records);
        let window = self.window(base.as_ref(), records, &ids, count, query)?;
        let Some(window) = window else {
            return Ok(None);
        };
        self.put_together(&ids, next, sealed, &window).map(Some)
    }

    /// A page of one that is not in memory: how many events it has, a replay reports.
    fn page_at_rest(
        &self,
        base: Option<&Base>,
        query: HistoryQuery,
    ) -> rusqlite::Result<Option<HistoryPage>> {
        if !self.may_replay {
            return Ok(None);
        }
        let stored = stored_execution::read(self.connection, self.row)?;
        let stored = stored.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
        let records = stored.records.clone();
        let mut count = base.map_or(0, |base| base.events);
        let counted = |event: HistoryEvent| count = count.max(event.id);
        let never = Cell::new(false);
        self.replay(stored, base, &records, u64::MAX, &never, counted)?;
        self.page(Some(&(records, count)), query)
    }

    /// Returns a page of sealed events.
    fn sealed(&self, ids: &[u64], next: Option<u64>) -> rusqlite::Result<HistoryPage> {
        self.put_together(ids, next, u64::MAX, &Window::default())
    }

    /// A page of events of which the first are sealed and the others in a window.
    fn put_together(
        &self,
        ids: &[u64],
        next: Option<u64>,
        sealed: u64,
        window: &Window,
    ) -> rusqlite::Result<HistoryPage> {
        let (mut page, mut piece) = (Page::default(), UnpackedPiece::default());
        for id in ids {
            if *id <= sealed && piece.get(*id).is_none() {
                piece = self.piece(*id)?;
            }
            let event = match *id <= sealed {
                true => piece.get(*id),
                false => window.get(*id),
            };
            // Where a window ends, the page does.
            if !event.is_some_and(|event| page.push(event)) {
                break;
            }
        }
        Ok(page.finish(ids, next))
    }

    /// The sealed piece that an event is in.
    fn piece(&self, id: u64) -> rusqlite::Result<UnpackedPiece> {
        let piece = sealed_history::piece(self.connection, self.row, id)?;
        let unpacked = UnpackedPiece::unpack(piece.first, &piece.packed);
        unpacked.map_err(|error| unreadable(error.into()))
    }

    /// Replays the events around a page that are not sealed; None if a replay is not allowed.
    fn window(
        &self,
        base: Option<&Base>,
        records: Option<&[i64]>,
        ids: &[u64],
        count: u64,
        query: HistoryQuery,
    ) -> rusqlite::Result<Option<Arc<Window>>> {
        let read = || {
            let stored = stored_execution::read(self.connection, self.row)?;
            stored.ok_or(rusqlite::Error::QueryReturnedNoRows)
        };
        let stored = read()?;
        let records = records.map_or_else(|| stored.records.clone(), <[i64]>::to_vec);
        let sealed = base.map_or(0, |base| base.events);
        let key = Key {
            row: self.row,
            sealed,
            last_record: records.last().copied(),
        };
        let wanted: Vec<u64> = ids.iter().copied().filter(|id| *id > sealed).collect();
        if let Some(window) = self.histories.replayed.get(|known| *known == key)
            && wanted.iter().take(1).all(|id| window.get(*id).is_some())
        {
            return Ok(Some(window));
        }
        if !self.may_replay {
            return Ok(None);
        }
        let made = match self.collect(stored, base, &records, &wanted, count, query) {
            Err(_) if base.is_some() => {
                self.collect(read()?, None, &records, &wanted, count, query)
            }
            made => made,
        };
        let window = Arc::new(made?);
        self.histories
            .replayed
            .put(key, Arc::clone(&window), |known| known.row == key.row);
        Ok(Some(window))
    }

    fn collect(
        &self,
        stored: StoredExecution,
        base: Option<&Base>,
        records: &[i64],
        wanted: &[u64],
        count: u64,
        query: HistoryQuery,
    ) -> rusqlite::Result<Window> {
        let mut collecting = PageCollector::new(wanted, query.is_reversed);
        let is_over = Cell::new(false);
        let recorder = |event: HistoryEvent| {
            let is_wanted = !is_over.get() && event.id <= count && collecting.wants(event.id);
            if is_wanted && !collecting.push(event.id, event_text(&event).into()) {
                is_over.set(true);
            }
        };
        let made = self.replay(stored, base, records, count, &is_over, recorder)?;
        // A store in memory shows records go that are being packed just now.
        let highest = wanted.iter().copied().max().unwrap_or_default();
        if !is_over.get() && made < highest {
            let why =
                format!("its records produce {made} events, and event {highest} was requested");
            return Err(unreadable(why.into()));
        }
        Ok(collecting.finish())
    }

    /// Makes the events after those that are sealed; returns how many there are with them.
    fn replay(
        &self,
        stored: StoredExecution,
        base: Option<&Base>,
        records: &[i64],
        count: u64,
        is_over: &Cell<bool>,
        recorder: impl FnMut(HistoryEvent),
    ) -> rusqlite::Result<u64> {
        let program = self
            .histories
            .shared
            .program(self.connection, stored.definition)?;
        let tokens = Arc::clone(&self.histories.shared.tokens);
        let part = HistoryPart {
            base,
            records,
            events: Some(count),
            is_over,
        };
        let made = stored.history(self.connection, &program, tokens, part, recorder);
        let made = made.map_err(|why| unreadable(why.into()))?;
        Ok(made.event_count())
    }
}
