//! Histories, by parts: sealed where an execution ended, by replay before.
use crate::described;
use crate::event_loop::Message;
use crate::replay;
use crate::row::{RowId, unpacked, unreadable};
use crate::sealing::CHUNK;
use crate::shared::Shared;
use asl_engine::HistoryEvent;
use asl_host::engine::{EngineError, HistoryPage, HistoryQuery};
use rusqlite::{Connection, OptionalExtension as _, params};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::oneshot;

/// Replayed histories that are kept for the next page.
const MOST_KEPT: usize = 4;

/// An event, as the API shows it.
pub(crate) fn text(event: &HistoryEvent) -> String {
    let mut text = Vec::with_capacity(512);
    // Writing to memory cannot fail, and JSON is UTF-8.
    let _ = event.write_to(&mut text);
    String::from_utf8(text).unwrap_or_default()
}

/// Histories that were replayed lately, by execution and the records that they are made of.
#[derive(Default)]
pub(crate) struct Replayed(Mutex<VecDeque<Kept>>);

struct Kept {
    row: RowId,
    events: Arc<[Arc<str>]>,
    /// How many there were to be.
    count: u64,
}

impl Replayed {
    fn get(&self, row: RowId, count: u64) -> Option<Arc<[Arc<str>]>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept
            .iter()
            .find(|kept| kept.row == row && kept.count == count);
        found.map(|kept| Arc::clone(&kept.events))
    }

    fn put(&self, row: RowId, count: u64, events: Arc<[Arc<str>]>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|kept| kept.row != row);
        if kept.len() >= MOST_KEPT {
            kept.pop_front();
        }
        kept.push_back(Kept { row, events, count });
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
        shared.read(|connection| {
            // What is read here is of one moment.
            let transaction = connection.unchecked_transaction()?;
            if let Some(page) = sealed_page(&transaction, row, query)? {
                return Ok(Some(page));
            }
            let events = events(&shared, &replayed, &transaction, row, records)?;
            Ok(Some(slice(&events, query)))
        })
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

/// Events of an execution that ended and is sealed: only the pieces that are asked for are unpacked.
fn sealed_page(
    connection: &Connection,
    row: RowId,
    query: HistoryQuery,
) -> rusqlite::Result<Option<HistoryPage>> {
    let sql = "SELECT status <> 0, events FROM executions WHERE id = ?1
        AND EXISTS (SELECT 1 FROM sealed WHERE execution = ?1)";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row(params![row], |row| {
        Ok((row.get::<_, bool>(0)?, row.get::<_, i64>(1)?))
    });
    let count = match found.optional()? {
        Some((true, count)) => count.unsigned_abs(),
        _ => return Ok(None),
    };
    let (ids, next) = ids(count, query);
    let mut events = Vec::with_capacity(ids.len());
    let mut piece: Option<(u64, Vec<Arc<str>>)> = None;
    for id in ids {
        let first = (id - 1) / CHUNK as u64 * CHUNK as u64 + 1;
        if piece.as_ref().is_none_or(|(known, _)| *known != first) {
            piece = Some((first, chunk(connection, row, first)?));
        }
        let event = piece
            .as_ref()
            .and_then(|(_, events)| events.get((id - first) as usize));
        events.extend(event.cloned());
    }
    Ok(Some(HistoryPage { events, next }))
}

fn chunk(connection: &Connection, row: RowId, first: u64) -> rusqlite::Result<Vec<Arc<str>>> {
    let sql = "SELECT data FROM sealed WHERE execution = ?1 AND first_event = ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let data: Vec<u8> = statement.query_row(params![row, first as i64], |row| row.get(0))?;
    let text = String::from_utf8(unpacked(&data)?).map_err(|error| unreadable(error.into()))?;
    Ok(text.lines().map(Into::into).collect())
}

/// All events, by replay.
fn events(
    shared: &Shared,
    replayed: &Replayed,
    connection: &Connection,
    row: RowId,
    known: Option<(Vec<i64>, u64)>,
) -> rusqlite::Result<Arc<[Arc<str>]>> {
    let count = known.as_ref().map_or(u64::MAX, |(_, count)| *count);
    if let Some(events) = replayed.get(row, count).filter(|_| count < u64::MAX) {
        return Ok(events);
    }
    let stored = replay::read(connection, row)?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
    let records = known.map_or_else(|| stored.records.clone(), |(records, _)| records);
    let program = shared.program(connection, stored.definition)?;
    let mut texts: Vec<Arc<str>> = Vec::new();
    let tokens = Arc::clone(&shared.tokens);
    let recorder = |event: HistoryEvent| {
        if event.id <= count {
            texts.push(text(&event).into());
        }
    };
    let made = stored.history(connection, &program, tokens, &records, count, recorder);
    made.map_err(|why| unreadable(why.into()))?;
    let events: Arc<[Arc<str>]> = texts.into();
    replayed.put(row, count, Arc::clone(&events));
    Ok(events)
}

fn slice(events: &[Arc<str>], query: HistoryQuery) -> HistoryPage {
    let (ids, next) = ids(events.len() as u64, query);
    let events = ids
        .iter()
        .filter_map(|id| events.get((id - 1) as usize).cloned());
    HistoryPage {
        events: events.collect(),
        next,
    }
}

/// The ids of a page, and the one that comes next.
fn ids(count: u64, query: HistoryQuery) -> (Vec<u64>, Option<u64>) {
    let limit = query.limit as u64;
    if query.is_reversed {
        let first = query.from.unwrap_or(count).min(count);
        let last = first.saturating_sub(limit);
        let ids = (last + 1..=first).rev().collect();
        (ids, (last > 0).then_some(last))
    } else {
        let first = query.from.unwrap_or(1).max(1);
        let last = first.saturating_add(limit).saturating_sub(1).min(count);
        let ids = (first..=last).collect();
        (ids, (last < count).then_some(last + 1))
    }
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
        assert_eq!(ids(5, query(None, 2, false)), (vec![1, 2], Some(3)));
        assert_eq!(ids(5, query(Some(3), 2, false)), (vec![3, 4], Some(5)));
        assert_eq!(ids(5, query(Some(5), 2, false)), (vec![5], None));
        assert_eq!(ids(5, query(None, 2, true)), (vec![5, 4], Some(3)));
        assert_eq!(ids(5, query(Some(3), 2, true)), (vec![3, 2], Some(1)));
        assert_eq!(ids(5, query(Some(1), 2, true)), (vec![1], None));
        assert_eq!(ids(0, query(None, 2, true)), (vec![], None));
    }
}
