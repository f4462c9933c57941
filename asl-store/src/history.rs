//! Histories, by parts: what is sealed, and by replay what came after it.
use crate::described;
use crate::event_loop::Message;
use crate::replay::{self, Base, StoredExecution};
use crate::row::{RowId, unpacked, unreadable};
use crate::shared::Shared;
use asl_engine::HistoryEvent;
use asl_host::engine::{EngineError, HistoryPage, HistoryQuery, event_text};
use rusqlite::{Connection, OptionalExtension as _, params};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// Replayed histories that are kept for the next page.
const MOST_KEPT: usize = 4;

/// Looks at a history of which a piece is missing, where that may be because it is being sealed just now.
const MOST_HALF_WRITTEN: usize = 20;
/// Between two of them.
const HALF_WRITTEN: Duration = Duration::from_millis(5);

/// Histories that were replayed lately.
#[derive(Default)]
pub(crate) struct Replayed(Mutex<VecDeque<Kept>>);

struct Kept {
    key: Key,
    events: Arc<[Arc<str>]>,
}

/// What replayed events are made of.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Key {
    row: RowId,
    /// Events before them, which are sealed.
    sealed: u64,
    last_record: Option<i64>,
    /// How many there were to be in all.
    count: u64,
}

impl Replayed {
    fn get(&self, key: Key) -> Option<Arc<[Arc<str>]>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().find(|kept| kept.key == key);
        found.map(|kept| Arc::clone(&kept.events))
    }

    fn put(&self, key: Key, events: Arc<[Arc<str>]>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|kept| kept.key.row != key.row);
        if kept.len() >= MOST_KEPT {
            kept.pop_front();
        }
        kept.push_back(Kept { key, events });
    }
}

/// A part of an execution's history.
pub(crate) async fn page(
    shared: &Arc<Shared>,
    replayed: &Arc<Replayed>,
    arn: Arc<str>,
    query: HistoryQuery,
) -> Result<Option<HistoryPage>, EngineError> {
    let find = {
        let (shared, arn) = (Arc::clone(shared), Arc::clone(&arn));
        blocking(move || shared.read(|connection| described::row_of(connection, &arn))).await?
    };
    let Some(row) = find else {
        return Ok(None);
    };
    let live = live(shared, row).await;
    let (shared, replayed) = (Arc::clone(shared), Arc::clone(replayed));
    blocking(move || {
        // Before the database is looked at: what is sealed by then is not among these, but there.
        let records = live.or_else(|| Some((shared.unsealed.records(row)?.to_vec(), u64::MAX)));
        let read = || {
            shared.read(|connection| {
                // What is read here is of one moment, but for a store in memory.
                let transaction = connection.unchecked_transaction()?;
                let reading = Reading {
                    shared: &shared,
                    replayed: &replayed,
                    connection: &transaction,
                    row,
                };
                reading.page(records.clone(), query).map(Some)
            })
        };
        let mut page = read();
        for _ in 0..MOST_HALF_WRITTEN {
            if page.is_ok() || !shared.place.shows_what_is_half_written() {
                break;
            }
            std::thread::sleep(HALF_WRITTEN);
            page = read();
        }
        page
    })
    .await
}

/// What the event loop knows of an execution that is in memory: its records and how many events it has.
async fn live(shared: &Shared, row: RowId) -> Option<(Vec<i64>, u64)> {
    let (told, records) = oneshot::channel();
    shared.mailbox.send(Message::Records(row, told));
    records.await.ok().flatten()
}

async fn blocking<T: Send + 'static>(
    read: impl FnOnce() -> rusqlite::Result<T> + Send + 'static,
) -> Result<T, EngineError> {
    match tokio::task::spawn_blocking(read).await {
        Ok(result) => result.map_err(|error| crate::error::broken(&error)),
        Err(_) => Err(EngineError::Broken("reading was interrupted".to_owned())),
    }
}

/// A history that is read, at one moment.
struct Reading<'a> {
    shared: &'a Shared,
    replayed: &'a Replayed,
    connection: &'a Connection,
    row: RowId,
}

impl Reading<'_> {
    /// A part of it: only the pieces that are asked for are unpacked, and only what is not sealed is replayed, if it is asked
    /// for.
    fn page(
        &self,
        known: Option<(Vec<i64>, u64)>,
        query: HistoryQuery,
    ) -> rusqlite::Result<HistoryPage> {
        if let Some(count) = self.sealed_whole()? {
            let (ids, next) = query.ids(count);
            let events = self.events(&ids, count, &[])?;
            return Ok(HistoryPage { events, next });
        }
        let base = replay::base(self.connection, self.row)?;
        let sealed = base.as_ref().map_or(0, |base| base.events);
        let count = known.as_ref().map(|(_, count)| *count);
        let count = count.filter(|count| *count < u64::MAX);
        if let Some((ids, next)) = count.map(|count| query.ids(count))
            && ids.iter().all(|id| *id <= sealed)
        {
            let events = self.events(&ids, sealed, &[])?;
            return Ok(HistoryPage { events, next });
        }
        let rest = self.rest(base.as_ref(), known)?;
        let count = count.unwrap_or(sealed + rest.len() as u64);
        let (ids, next) = query.ids(count);
        let events = self.events(&ids, sealed, &rest)?;
        Ok(HistoryPage { events, next })
    }

    /// How many events there are, where the execution ended and all of them are sealed.
    fn sealed_whole(&self) -> rusqlite::Result<Option<u64>> {
        let sql = "SELECT events FROM executions WHERE id = ?1 AND status <> 0 AND is_sealed = 1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let count = statement.query_row(params![self.row], |row| row.get::<_, i64>(0));
        Ok(count.optional()?.map(i64::unsigned_abs))
    }

    /// Events by their ids, of which the first are sealed and the others the `rest`.
    fn events(
        &self,
        ids: &[u64],
        sealed: u64,
        rest: &[Arc<str>],
    ) -> rusqlite::Result<Vec<Arc<str>>> {
        let mut events = Vec::with_capacity(ids.len());
        let mut piece = Piece::default();
        for id in ids {
            let event = match id.checked_sub(sealed + 1) {
                Some(place) => rest.get(place as usize),
                None => {
                    if !piece.has(*id) {
                        piece = self.piece(*id)?;
                    }
                    piece.events.get((id - piece.first) as usize)
                }
            };
            events.extend(event.cloned());
        }
        Ok(events)
    }

    /// The sealed piece that an event is in.
    fn piece(&self, id: u64) -> rusqlite::Result<Piece> {
        let sql = "SELECT first_event, data FROM sealed WHERE execution = ?1 AND first_event <= ?2
            ORDER BY first_event DESC LIMIT 1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let (first, data): (i64, Vec<u8>) = statement
            .query_row(params![self.row, id as i64], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?;
        let text = String::from_utf8(unpacked(&data)?).map_err(|error| unreadable(error.into()))?;
        Ok(Piece {
            first: first.unsigned_abs(),
            events: text.lines().map(Into::into).collect(),
        })
    }

    /// The events that are not sealed, by replay.
    fn rest(
        &self,
        base: Option<&Base>,
        known: Option<(Vec<i64>, u64)>,
    ) -> rusqlite::Result<Arc<[Arc<str>]>> {
        let stored = replay::read(self.connection, self.row)?;
        let stored = stored.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
        let count = known.as_ref().map_or(u64::MAX, |(_, count)| *count);
        let records = known.map_or_else(|| stored.records.clone(), |(records, _)| records);
        let sealed = base.map_or(0, |base| base.events);
        let key = Key {
            row: self.row,
            sealed,
            last_record: records.last().copied(),
            count,
        };
        if let Some(events) = self.replayed.get(key) {
            return Ok(events);
        }
        let events = match self.replay(stored, base, &records, (sealed, count)) {
            Err(_) if base.is_some() => {
                let stored = replay::read(self.connection, self.row)?;
                let stored = stored.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
                self.replay(stored, None, &records, (sealed, count))
            }
            made => made,
        };
        let events = events.map_err(|why| unreadable(why.into()))?;
        self.replayed.put(key, Arc::clone(&events));
        Ok(events)
    }

    /// Makes the events after those that are sealed.
    fn replay(
        &self,
        stored: StoredExecution,
        base: Option<&Base>,
        records: &[i64],
        (sealed, count): (u64, u64),
    ) -> Result<Arc<[Arc<str>]>, String> {
        let program = self.shared.program(self.connection, stored.definition);
        let program = program.map_err(|error| error.to_string())?;
        let mut texts: Vec<Arc<str>> = Vec::new();
        let recorder = |event: HistoryEvent| {
            if event.id > sealed && event.id <= count {
                texts.push(event_text(&event).into());
            }
        };
        let tokens = Arc::clone(&self.shared.tokens);
        let known = (base, records);
        stored.history(
            self.connection,
            &program,
            tokens,
            known,
            Some(count),
            recorder,
        )?;
        Ok(texts.into())
    }
}

/// Events that are packed together.
#[derive(Default)]
struct Piece {
    first: u64,
    events: Vec<Arc<str>>,
}

impl Piece {
    fn has(&self, id: u64) -> bool {
        let place = id.checked_sub(self.first);
        place.is_some_and(|place| place < self.events.len() as u64)
    }
}
