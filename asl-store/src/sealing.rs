//! The history of what ended, packed: in a thread of its own, after the fact.
use crate::definitions::Programs;
use crate::operation::{Operation, Seal};
use crate::row::{RowId, packed};
use crate::shared::Shared;
use crate::writer::Batch;
use crate::{history, replay};
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Events in one packed piece.
pub(crate) const CHUNK: usize = 1_000;

/// Executions that ended and are not sealed, with the records of their histories.
#[derive(Clone, Default)]
pub(crate) struct Unsealed(Arc<Inner>);

#[derive(Default)]
struct Inner {
    waiting: Mutex<Waiting>,
    arrived: Condvar,
}

#[derive(Default)]
struct Waiting {
    executions: BTreeMap<RowId, Arc<[i64]>>,
    is_closed: bool,
}

impl Unsealed {
    pub(crate) fn add(&self, row: RowId, records: Vec<i64>) {
        self.waiting().executions.insert(row, records.into());
        self.0.arrived.notify_one();
    }

    /// The records of one that is not sealed.
    pub(crate) fn records(&self, row: RowId) -> Option<Arc<[i64]>> {
        self.waiting().executions.get(&row).cloned()
    }

    /// Takes one away, because it goes on.
    pub(crate) fn take(&self, row: RowId) -> Option<Arc<[i64]>> {
        self.waiting().executions.remove(&row)
    }

    /// One is sealed, if it is still the same.
    fn done(&self, row: RowId, records: &Arc<[i64]>) {
        let mut waiting = self.waiting();
        let is_same = |kept: &Arc<[i64]>| Arc::ptr_eq(kept, records);
        if waiting.executions.get(&row).is_some_and(is_same) {
            waiting.executions.remove(&row);
        }
    }

    pub(crate) fn close(&self) {
        self.waiting().is_closed = true;
        self.0.arrived.notify_all();
    }

    /// The next to be sealed, which stays; None once it is closed.
    fn next(&self, after: RowId) -> Option<(RowId, Arc<[i64]>)> {
        let mut waiting = self.waiting();
        loop {
            if waiting.is_closed {
                return None;
            }
            let next = waiting.executions.range(after + 1..).next();
            if let Some((row, records)) = next.or_else(|| waiting.executions.first_key_value()) {
                return Some((*row, Arc::clone(records)));
            }
            let woken = self.0.arrived.wait(waiting);
            waiting = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0
            .waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Seals what ended, one after the other.
pub(crate) fn run(shared: &Arc<Shared>, connection: &Connection) {
    let mut programs = Programs::default();
    let mut last = 0;
    while let Some((row, records)) = shared.unsealed.next(last) {
        last = row;
        match seal(shared, connection, &mut programs, row, &records) {
            Ok(Some(seal)) => write(shared, row, &records, seal),
            // It is not durable yet that it ended, or it went on.
            Ok(None) => std::thread::sleep(std::time::Duration::from_millis(2)),
            Err(why) => {
                // Its history stays as it is kept; it is tried again after the next start.
                shared.unsealed.take(row);
                let operations = vec![Operation::Hold(
                    row,
                    format!("its history cannot be made: {why}"),
                )];
                shared.writer.write(Batch {
                    operations,
                    committed: Box::new(|| ()),
                });
            }
        }
    }
}

fn write(shared: &Arc<Shared>, row: RowId, records: &Arc<[i64]>, seal: Seal) {
    let (done, durable) = std::sync::mpsc::channel();
    shared.writer.write(Batch {
        operations: vec![Operation::Seal(Box::new(seal))],
        committed: Box::new(move || {
            // The store is being closed.
            let _ = done.send(());
        }),
    });
    if durable.recv().is_ok() {
        shared.unsealed.done(row, records);
    }
}

fn seal(
    shared: &Arc<Shared>,
    connection: &Connection,
    programs: &mut Programs,
    row: RowId,
    records: &[i64],
) -> Result<Option<Seal>, String> {
    let stored = replay::read(connection, row).map_err(|error| error.to_string())?;
    let Some(stored) = stored.filter(|stored| !stored.is_running) else {
        return Ok(None);
    };
    let program = programs
        .get(connection, stored.definition)
        .map_err(|error| error.to_string())?;
    let mut texts = Vec::new();
    let tokens = Arc::clone(&shared.tokens);
    let execution = stored.history(connection, &program, tokens, records, u64::MAX, |event| {
        texts.push(history::text(&event));
    })?;
    let chunks = texts.chunks(CHUNK).zip((1_u64..).step_by(CHUNK));
    let chunks = chunks.map(|(texts, first)| (first, packed(texts.join("\n").as_bytes())));
    let chunks = chunks.collect();
    Ok(Some(Seal {
        execution: row,
        events: execution.event_count(),
        chunks,
        keeps_snapshot: execution.can_be_redriven(),
        records: match execution.can_be_redriven() {
            true => Vec::new(),
            false => records.to_vec(),
        },
    }))
}
