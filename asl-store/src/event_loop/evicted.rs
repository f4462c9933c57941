//! Large executions are evicted when memory is short, in any state, and loaded again when there is memory.
//!
//! In the database they are stored as if they were in memory, with a snapshot: after the end of the process they are
//! recovered in the same way. Work for an evicted execution waits until it is loaded. The first one with work is always
//! loaded if no other large execution is running.
use super::computing::{ComputingExecution, DeferredWork, Work};
use super::job::{Job, Load, LoadedExecution, Purpose, Redrive};
use super::link::Link;
use super::loading;
use super::recovery;
use super::resident::Resident;
use super::{EventLoop, EventLoops, EvictingExecution};
use crate::database::operation::Operation;
use crate::database::row::RowId;
use crate::database::stored_execution;
use asl_backend::MemoryUse;
use asl_engine::{EffectId, Timestamp};
use std::sync::Arc;
use std::time::Duration;

/// Large executions that are sent away in one round.
const MOST_IN_A_ROUND: usize = 64;
/// Factor from packed to unpacked bytes.
const UNPACKED: u64 = 8;
/// Pause before work that waits for memory is tried again.
pub(super) const PAUSE: Duration = Duration::from_millis(50);

/// An execution that left memory for want of it.
pub(super) struct EvictedExecution {
    root: RowId,
    arn: Arc<str>,
    pub(super) records: Vec<i64>,
    pub(super) events: u64,
    /// Links to the performers of its effects.
    links: Vec<(EffectId, Arc<Link>)>,
    waiting: Vec<DeferredWork>,
    /// True if it is among those that are to come back.
    is_resumable: bool,
    /// Size in memory.
    bytes: u64,
    /// True for a recovery after a start of the process, which requests pending effects again.
    pub(super) is_recovery: bool,
}

impl Load {
    /// Reads an execution, and replays the records after its snapshot.
    pub(super) fn load(self, loops: &EventLoops) -> LoadedExecution {
        let result = loops.shared.read(|connection| {
            let stored = match loading::readable(connection, self.row)? {
                Ok(stored) => stored.filter(|stored| stored.is_running != self.is_redrive()),
                Err(why) => return Ok(Err(why)),
            };
            let Some(mut stored) = stored else {
                return Ok(Err("it was replaced in the meantime".to_owned()));
            };
            if !self.is_redrive() {
                stored.add_records(&self.records);
            }
            let program = loops.shared.program(connection, stored.definition);
            Ok(loading::revive(loops, connection, program, stored))
        });
        let result = match result {
            Ok(result) => result,
            Err(error) => Err(format!("its stored state cannot be read: {error}")),
        };
        LoadedExecution { load: self, result }
    }

    fn is_redrive(&self) -> bool {
        matches!(self.purpose, Purpose::Redrive(_))
    }
}

impl EventLoop {
    /// Evicts large executions when memory is short, and loads them again otherwise.
    pub(super) fn relieve(&mut self) {
        let is_short = self.shared.memory.is_short();
        if is_short && !self.was_short {
            self.loops.send_to_others(self.index);
        }
        self.was_short = is_short;
        if self.shared.memory.is_to_be_released() {
            self.send_large_away();
        }
        while !self.residents.resumable.is_empty()
            && (self.shared.memory.is_ample() || !self.residents.has_large_at_work())
        {
            let Some(row) = self.residents.resumable.pop_front() else {
                return;
            };
            self.start_load(row);
        }
    }

    fn send_large_away(&mut self) {
        // One stays and gets on with what it does.
        let mut may_stay = !self.residents.has_large_at_work();
        let rows: Vec<RowId> = self.residents.large.iter().copied().collect();
        let mut count = 0;
        for row in rows {
            if count == MOST_IN_A_ROUND || !self.shared.memory.is_to_be_released() {
                return;
            }
            let Some(resident) = self.residents.by_row.get(&row) else {
                continue;
            };
            let stays = resident.has_turn || may_stay;
            if resident.is_ready && stays {
                may_stay = false;
                continue;
            }
            if resident.is_journaled() && self.outbox.is_durable(resident.batch) {
                self.pack(row);
                count += 1;
            }
        }
    }

    /// Has a large execution packed, to leave memory then.
    pub(super) fn pack(&mut self, row: RowId) {
        let Some(mut resident) = self.residents.by_row.remove(&row) else {
            return;
        };
        self.residents.leave_idle(&mut resident);
        resident.is_ready = false;
        resident.memory.set_leaving(true);
        let computing = ComputingExecution::of(&resident, Work::Packing);
        self.residents.computing.insert(row, computing);
        self.loops.pool.push(Job::Pack(resident));
    }

    /// A large execution is packed: it leaves memory, unless something came for it meanwhile.
    pub(super) fn packed(&mut self, mut resident: Box<Resident>, save: Vec<u8>, now: Timestamp) {
        let row = resident.id;
        let computing = self.residents.computing.remove(&row);
        resident.memory.set_leaving(false);
        if computing.as_ref().is_some_and(|it| !it.waiting.is_empty()) {
            self.put_resident(resident);
            return self.apply_deferred(row, computing, now);
        }
        // Its history is sealed once its journal has grown long, or it has ended.
        self.write_save(&mut resident, save);
        self.trees.count(&resident);
        self.loops.directory.remove(&resident.arn, row);
        resident.is_listed = false;
        resident.memory.set_leaving(true);
        self.residents.large.remove(&row);
        let leaving = (self.outbox.batch, EvictingExecution::Evicted(resident));
        self.residents.leaving.insert(row, leaving);
    }

    /// The snapshot of an execution that leaves memory is durable.
    pub(super) fn evict(&mut self, mut resident: Box<Resident>) {
        let evicted = EvictedExecution {
            root: resident.root(),
            arn: Arc::clone(&resident.arn),
            records: resident.records.clone(),
            events: resident.execution.event_count(),
            links: resident.effects.take_links(|_| true),
            waiting: Vec::new(),
            is_resumable: resident.execution.has_yielded(),
            bytes: resident.memory.bytes(),
            is_recovery: false,
        };
        if evicted.is_resumable {
            self.residents.resumable.push_back(resident.id);
        }
        self.residents.evicted.insert(resident.id, evicted);
        self.loops.pool.push(Job::Drop(resident));
    }

    /// Defers work for an evicted execution, or rejects it immediately if it cannot wait.
    pub(super) fn wait_for_evicted(&mut self, row: RowId, waiting: DeferredWork, is_urgent: bool) {
        let Some(evicted) = self.residents.evicted.get_mut(&row) else {
            return;
        };
        evicted.waiting.push(waiting);
        if !std::mem::replace(&mut evicted.is_resumable, true) && !is_urgent {
            self.residents.resumable.push_back(row);
        }
        if is_urgent {
            self.start_load(row);
        }
    }

    /// Begins to bring an execution back into memory.
    fn start_load(&mut self, row: RowId) {
        let Some(evicted) = self.residents.evicted.remove(&row) else {
            return;
        };
        let computing = ComputingExecution {
            root: evicted.root,
            arn: evicted.arn,
            work: Work::Loading,
            is_large: true,
            waiting: evicted.waiting,
        };
        self.residents.computing.insert(row, computing);
        self.loops.pool.push(Job::Load(Box::new(Load {
            row,
            root: evicted.root,
            records: match evicted.is_recovery {
                true => evicted.records,
                // The snapshot knows them.
                false => Vec::new(),
            },
            links: evicted.links,
            purpose: match evicted.is_recovery {
                true => Purpose::Recovery,
                false => Purpose::Resumption,
            },
            _memory: (self.shared.memory).take(MemoryUse::Executions, evicted.bytes),
        })));
    }

    /// Recovers an execution outside the loop when there is memory for it; `snapshot` is the size of its snapshot, and
    /// `records` came after it.
    pub(super) fn recover_later(&mut self, row: RowId, records: &[i64], snapshot: u64) {
        self.loops.loading.start();
        self.residents.resumable.push_back(row);
        self.residents.evicted.insert(
            row,
            EvictedExecution {
                root: row,
                arn: "".into(),
                records: records.to_vec(),
                events: 0,
                links: Vec::new(),
                waiting: Vec::new(),
                is_resumable: true,
                bytes: snapshot.saturating_mul(UNPACKED),
                is_recovery: true,
            },
        );
    }

    /// Begins to bring an execution back that ended and is to continue, where that may take long; gives the request back
    /// otherwise.
    pub(super) fn start_redrive(&mut self, row: RowId, redrive: Redrive) -> Option<Redrive> {
        let snapshot = stored_execution::snapshot_bytes(&self.connection, row).unwrap_or_default();
        let records = stored_execution::record_count(&self.connection, row).unwrap_or_default();
        if !recovery::may_take_long(records, snapshot) {
            return Some(redrive);
        }
        let computing = ComputingExecution {
            root: row,
            arn: "".into(),
            work: Work::Loading,
            is_large: true,
            waiting: Vec::new(),
        };
        self.residents.computing.insert(row, computing);
        let bytes = snapshot.saturating_mul(UNPACKED);
        self.loops.pool.push(Job::Load(Box::new(Load {
            row,
            root: row,
            records: Vec::new(),
            links: Vec::new(),
            purpose: Purpose::Redrive(redrive),
            _memory: (self.shared.memory).take(MemoryUse::Executions, bytes),
        })));
        None
    }

    /// An execution came into memory, or cannot.
    pub(super) fn loaded(&mut self, loaded: LoadedExecution, now: Timestamp) {
        let LoadedExecution { load, result } = loaded;
        let (row, links) = (load.row, load.links);
        let computing = self.residents.computing.remove(&row);
        match (load.purpose, result) {
            (Purpose::Redrive(redrive), result) => self.finish_redrive(redrive, result, now),
            (Purpose::Resumption, Ok(revived)) => {
                let mut resident = self.admit(*revived);
                resident.has_turn = true;
                for (id, link) in links {
                    resident.effects.start(id, link);
                }
                self.put_resident(resident);
            }
            (Purpose::Recovery, result) => {
                match result {
                    Ok(revived) => self.resume(*revived),
                    Err(why) => self.suspend_unrecoverable(row, why, &load.records),
                }
                let loops = Arc::clone(&self.loops);
                self.outbox.notify(move || loops.loading.end());
            }
            (Purpose::Resumption, Err(why)) => self.suspend_unrecoverable(row, why, &load.records),
        }
        self.apply_deferred(row, computing, now);
    }

    fn write_save(&mut self, resident: &mut Resident, save: Vec<u8>) {
        resident.note_save(save.len());
        let snapshot = super::parking::snapshot_of(resident, save, None);
        self.outbox
            .operations
            .push(Operation::Snapshot(Box::new(snapshot)));
    }

    /// Writes an execution as it is: what happened before can be sealed once that is there.
    pub(super) fn write_snapshot(&mut self, resident: &mut Resident, save: Vec<u8>) {
        self.write_save(resident, save);
        let (unsealed, row) = (self.shared.unsealed.clone(), resident.id);
        self.outbox.notify(move || unsealed.add_part(row));
    }
}
