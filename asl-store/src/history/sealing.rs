//! Histories are sealed after the fact, in threads of their own: of what ended, and of what runs with each snapshot that its
//! journal had grown long for.
use crate::database::definitions::Programs;
use crate::database::operation::Operation;
use crate::database::row::{RowId, encoded, packed};
use crate::database::sealed_history::{self, Pieces, Seal, Sealable, SealedPart};
use crate::database::stored_execution::{self, Base, HistoryPart, StoredExecution};
use crate::database::writer::Batch;
use crate::priority::lower_priority;
use crate::shared::StoreContext;
use crate::unsealed::Job;
use asl_backend::{HistoryPacker, HistoryPiece, MemoryUse};
use asl_engine::Execution;
use rusqlite::Connection;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

/// Bytes of pieces that are written at a time; as many are on their way to the disk.
const MOST_BYTES: usize = 1 << 20;
/// Operations that are.
const MOST_OPERATIONS: usize = 512;
/// Executions that are looked up at a time.
const LOOKED_UP: usize = 256;

/// Seals until it is closed.
pub(crate) fn run(shared: &Arc<StoreContext>, connection: &Connection) {
    lower_priority();
    let mut sealing = SealJob {
        shared,
        connection,
        programs: Programs::default(),
        failed: HashSet::new(),
        outbox: RefCell::default(),
    };
    while let Some(job) = shared.unsealed.next() {
        match job {
            Job::Part(row) => sealing.seal_part(row),
            Job::Ended => sealing.seal_ended(),
        }
        sealing.send();
        sealing.outbox.borrow_mut().settle();
    }
}

struct SealJob<'a> {
    shared: &'a Arc<StoreContext>,
    connection: &'a Connection,
    programs: Programs,
    /// Those whose histories cannot be made: they are tried again after the next start.
    failed: HashSet<RowId>,
    outbox: RefCell<Outbox>,
}

/// Operations to write, and operations being committed.
#[derive(Default)]
struct Outbox {
    operations: Vec<Operation>,
    bytes: usize,
    sent: Option<Receiver<bool>>,
}

impl Outbox {
    /// Waits until the sent operations are durable.
    fn settle(&mut self) {
        if let Some(sent) = self.sent.take() {
            // What was refused is not sealed: it is found again.
            let _ = sent.recv();
        }
    }
}

/// Events that were not sealed are, but for the seal.
struct RebuiltEvents {
    execution: Execution,
    /// Total number of events, including earlier ones.
    events: u64,
    /// The execution of the events.
    of: Sealable,
}

impl SealJob<'_> {
    /// Seals those that ended, in their order.
    fn seal_ended(&mut self) {
        let mut last = 0;
        loop {
            let rows = sealed_history::unsealed_after(self.connection, last, LOOKED_UP);
            let Ok(rows) = rows else {
                return;
            };
            let Some(end) = rows.last() else {
                return;
            };
            last = *end;
            for row in rows {
                if self.shared.unsealed.is_closed() {
                    return;
                }
                if !self.failed.contains(&row) {
                    self.seal_whole(row);
                }
            }
        }
    }

    /// Seals the events of a running execution before its snapshot. If that fails, a later snapshot tries again, or the end.
    fn seal_part(&mut self, row: RowId) {
        if let Ok(Some(part)) = self.part(row) {
            let bytes = part.data.len();
            self.write(Operation::SealPart(Box::new(part)), bytes);
        }
    }

    fn part(&mut self, row: RowId) -> Result<Option<SealedPart>, String> {
        let told = |error: rusqlite::Error| error.to_string();
        let stored = stored_execution::read(self.connection, row).map_err(told)?;
        let Some(stored) = stored.filter(|stored| stored.is_running) else {
            return Ok(None);
        };
        let base = stored_execution::base(self.connection, row).map_err(told)?;
        let last = stored.last();
        let after = base.as_ref().map(|base| base.last);
        if after.is_some_and(|after| after >= last) {
            return Ok(None);
        }
        let known = stored.records.partition_point(|id| *id <= last);
        let records = stored.records[..known].to_vec();
        let made = self.make(stored, base.as_ref(), &records, Some(after))?;
        Ok(Some(SealedPart {
            of: made.of,
            data: packed(&encoded(&made.execution.save())),
            last,
            events: made.events,
        }))
    }

    fn seal_whole(&mut self, row: RowId) {
        match self.seal_all(row) {
            Ok(Some(seal)) => self.write(Operation::Seal(Box::new(seal)), 0),
            // It continued.
            Ok(None) => {}
            Err(_) if self.shared.unsealed.is_closed() => {}
            Err(why) => {
                // Its history stays as it is kept.
                self.failed.insert(row);
                let why = format!("its history cannot be rebuilt: {why}");
                self.write(Operation::Hold(row, why), 0);
            }
        }
    }

    fn seal_all(&mut self, row: RowId) -> Result<Option<Seal>, String> {
        let told = |error: rusqlite::Error| error.to_string();
        let read = || stored_execution::read(self.connection, row).map_err(told);
        let Some(stored) = read()?.filter(|stored| !stored.is_running) else {
            return Ok(None);
        };
        let base = stored_execution::base(self.connection, row).map_err(told)?;
        let records = stored.records.clone();
        let made = match self.make(stored, base.as_ref(), &records, None) {
            Err(_) if base.is_some() => {
                let stored = read()?.ok_or("it no longer exists")?;
                self.make(stored, None, &records, None)?
            }
            made => made?,
        };
        Ok(Some(Seal {
            of: made.of,
            events: made.events,
            keeps_records: made.execution.can_be_redriven(),
        }))
    }

    /// Makes the events that come after a base, and writes them in pieces: all, or of one that runs those before the last
    /// record was taken in.
    fn make(
        &mut self,
        stored: StoredExecution,
        base: Option<&Base>,
        records: &[i64],
        after: Option<Option<i64>>,
    ) -> Result<RebuiltEvents, String> {
        let program = self.programs.get(self.connection, stored.definition);
        let program = program.map_err(|error| error.to_string())?;
        let bytes = super::bytes_of_replay(self.connection, stored.id);
        let bytes = bytes.map_err(|error| error.to_string())?;
        let _taken = self.shared.memory.take(MemoryUse::Histories, bytes);
        let of = Sealable {
            execution: stored.id,
            redrives: stored.redrives,
            after,
            before: base.map_or(0, |base| base.events),
        };
        let mut packer = HistoryPacker::new(of.before + 1);
        let is_over = Cell::new(false);
        let recorder = |event| {
            if let Some(piece) = packer.push(&asl_backend::event_text(&event)) {
                self.write_piece(of, piece);
                is_over.set(self.shared.unsealed.is_closed());
            }
        };
        let tokens = Arc::clone(&self.shared.tokens);
        let until = after.is_none().then_some(u64::MAX);
        let part = HistoryPart {
            base,
            records,
            events: until,
            is_over: &is_over,
        };
        let execution = stored.history(self.connection, &program, tokens, part, recorder)?;
        if is_over.get() {
            return Err("the store is being closed".to_owned());
        }
        let events = packer.next_id() - 1;
        if let Some(piece) = packer.finish() {
            self.write_piece(of, piece);
        }
        Ok(RebuiltEvents {
            execution,
            events,
            of,
        })
    }

    fn write_piece(&self, of: Sealable, piece: HistoryPiece) {
        let bytes = piece.packed.len();
        let pieces = vec![piece];
        self.write(Operation::Pieces(Box::new(Pieces { of, pieces })), bytes);
    }

    /// Writes with others; waits while there is too much on its way to the disk.
    fn write(&self, operation: Operation, bytes: usize) {
        let is_full = {
            let mut outbox = self.outbox.borrow_mut();
            outbox.operations.push(operation);
            outbox.bytes += bytes;
            outbox.bytes >= MOST_BYTES || outbox.operations.len() >= MOST_OPERATIONS
        };
        if is_full {
            self.send();
        }
    }

    /// Sends the pending operations after the earlier ones are durable.
    fn send(&self) {
        let mut outbox = self.outbox.borrow_mut();
        if outbox.operations.is_empty() {
            return;
        }
        outbox.settle();
        outbox.bytes = 0;
        let (done, durable) = std::sync::mpsc::channel();
        self.shared.writer.write(Batch {
            operations: std::mem::take(&mut outbox.operations),
            told: Box::new(move |is_durable| {
                // Nobody waits for it any more where the store is closed.
                let _ = done.send(is_durable);
            }),
        });
        outbox.sent = Some(durable);
    }
}
