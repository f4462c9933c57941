//! Histories, packed: of what ended, and of what runs with each snapshot that its journal had grown long for. It is done in a
//! thread of its own, after the fact.
use crate::definitions::Programs;
use crate::operation::Operation;
use crate::replay;
use crate::replay::{Base, StoredExecution};
use crate::row::{RowId, encoded, packed};
use crate::sealed::{Seal, SealedPart};
use crate::shared::Shared;
use crate::writer::Batch;
use asl_engine::Execution;
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Events in one packed piece.
pub(crate) const CHUNK: usize = 1_000;

/// Executions that are to be sealed.
#[derive(Clone, Default)]
pub(crate) struct Unsealed(Arc<Inner>);

#[derive(Default)]
struct Inner {
    waiting: Mutex<Waiting>,
    arrived: Condvar,
}

#[derive(Default)]
struct Waiting {
    /// Those that ended, with the records of their histories.
    executions: BTreeMap<RowId, Arc<[i64]>>,
    /// Those that run, of which there is a new snapshot.
    parts: BTreeSet<RowId>,
    is_closed: bool,
}

/// What is to be done.
enum Job {
    Part(RowId),
    Whole(RowId, Arc<[i64]>),
}

impl Unsealed {
    pub(crate) fn add(&self, row: RowId, records: Vec<i64>) {
        self.waiting().executions.insert(row, records.into());
        self.0.arrived.notify_one();
    }

    /// There is a new snapshot of one that runs.
    pub(crate) fn add_part(&self, row: RowId) {
        self.waiting().parts.insert(row);
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

    /// The next to be sealed, which stays where it ended; None once it is closed.
    fn next(&self, after: RowId) -> Option<Job> {
        let mut waiting = self.waiting();
        loop {
            if waiting.is_closed {
                return None;
            }
            if let Some(row) = waiting.parts.pop_first() {
                return Some(Job::Part(row));
            }
            let next = waiting.executions.range(after + 1..).next();
            if let Some((row, records)) = next.or_else(|| waiting.executions.first_key_value()) {
                return Some(Job::Whole(*row, Arc::clone(records)));
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

/// Seals one after the other.
pub(crate) fn run(shared: &Arc<Shared>, connection: &Connection) {
    let mut sealing = Sealing {
        shared,
        connection,
        programs: Programs::default(),
    };
    let mut last = 0;
    while let Some(job) = shared.unsealed.next(last) {
        match job {
            Job::Part(row) => sealing.seal_part(row),
            Job::Whole(row, records) => {
                last = row;
                sealing.seal_whole(row, &records);
            }
        }
    }
}

struct Sealing<'a> {
    shared: &'a Arc<Shared>,
    connection: &'a Connection,
    programs: Programs,
}

/// Events that were not sealed, and the execution after them.
struct Replayed {
    chunks: Vec<(u64, Vec<u8>)>,
    /// How many there are in all, those before included.
    events: u64,
    execution: Execution,
    /// Whether these are all events.
    is_whole: bool,
}

impl Sealing<'_> {
    /// Seals what an execution that runs has done before its snapshot. Where it cannot, a later snapshot tries again, or the
    /// end.
    fn seal_part(&mut self, row: RowId) {
        if let Ok(Some(part)) = self.part(row) {
            self.write(Operation::SealPart(Box::new(part)));
        }
    }

    fn part(&mut self, row: RowId) -> Result<Option<SealedPart>, String> {
        let told = |error: rusqlite::Error| error.to_string();
        let stored = replay::read(self.connection, row).map_err(told)?;
        let Some(stored) = stored.filter(|stored| stored.is_running) else {
            return Ok(None);
        };
        let base = replay::base(self.connection, row).map_err(told)?;
        let (last, records) = (stored.last(), stored.records.clone());
        let after = base.as_ref().map(|base| base.last);
        if after.is_some_and(|after| after >= last) {
            return Ok(None);
        }
        let known = &records[..records.partition_point(|id| *id <= last)];
        let replayed = self.replay(stored, base.as_ref(), known, None)?;
        Ok(Some(SealedPart {
            execution: row,
            chunks: replayed.chunks,
            after,
            data: packed(&encoded(&replayed.execution.save())),
            last,
            events: replayed.events,
        }))
    }

    fn seal_whole(&mut self, row: RowId, records: &Arc<[i64]>) {
        match self.whole(row, records) {
            Ok(Some(seal)) => {
                if self.write(Operation::Seal(Box::new(seal))) {
                    self.shared.unsealed.done(row, records);
                }
            }
            // It is not durable yet that it ended, or it went on.
            Ok(None) => std::thread::sleep(std::time::Duration::from_millis(2)),
            Err(why) => {
                // Its history stays as it is kept; it is tried again after the next start.
                self.shared.unsealed.take(row);
                let why = format!("its history cannot be made: {why}");
                self.write(Operation::Hold(row, why));
            }
        }
    }

    fn whole(&mut self, row: RowId, records: &[i64]) -> Result<Option<Seal>, String> {
        let told = |error: rusqlite::Error| error.to_string();
        let stored = replay::read(self.connection, row).map_err(told)?;
        let Some(stored) = stored.filter(|stored| !stored.is_running) else {
            return Ok(None);
        };
        let base = replay::base(self.connection, row).map_err(told)?;
        let all = Some(u64::MAX);
        let replayed = match self.replay(stored, base.as_ref(), records, all) {
            Err(_) if base.is_some() => {
                let stored = replay::read(self.connection, row).map_err(told)?;
                let stored = stored.ok_or("it is not there any more")?;
                self.replay(stored, None, records, all)?
            }
            replayed => replayed?,
        };
        let keeps_snapshot = replayed.execution.can_be_redriven();
        Ok(Some(Seal {
            execution: row,
            events: replayed.events,
            chunks: replayed.chunks,
            is_whole: replayed.is_whole,
            keeps_snapshot,
            records: match keeps_snapshot {
                true => Vec::new(),
                false => records.to_vec(),
            },
        }))
    }

    /// Makes the events that come after a base, until there are so many in all, or it ended, or the last record is taken in.
    fn replay(
        &mut self,
        stored: StoredExecution,
        base: Option<&Base>,
        records: &[i64],
        until: Option<u64>,
    ) -> Result<Replayed, String> {
        let program = self.programs.get(self.connection, stored.definition);
        let program = program.map_err(|error| error.to_string())?;
        let mut texts = Vec::new();
        let tokens = Arc::clone(&self.shared.tokens);
        let recorder = |event| texts.push(asl_host::engine::event_text(&event));
        let known = (base, records);
        let execution =
            stored.history(self.connection, &program, tokens, known, until, recorder)?;
        let before = base.map_or(0, |base| base.events);
        let (first, events) = (before + 1, before + texts.len() as u64);
        let chunks = texts.chunks(CHUNK).zip((first..).step_by(CHUNK));
        let chunks = chunks.map(|(texts, first)| (first, packed(texts.join("\n").as_bytes())));
        Ok(Replayed {
            chunks: chunks.collect(),
            events,
            execution,
            is_whole: base.is_none(),
        })
    }

    /// Writes, and waits until it is durable; false where nothing is written any more.
    fn write(&self, operation: Operation) -> bool {
        let (done, durable) = std::sync::mpsc::channel();
        self.shared.writer.write(Batch {
            operations: vec![operation],
            told: Box::new(move |is_durable| {
                // It is waited for just below.
                let _ = done.send(is_durable);
            }),
        });
        durable.recv().unwrap_or(false)
    }
}
