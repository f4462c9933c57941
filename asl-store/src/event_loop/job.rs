//! Jobs of the pool, and their results.
use super::link::Link;
use super::resident::Resident;
use crate::database::row::RowId;
use asl_backend::{MemoryReservation, RedriveError};
use asl_engine::{EffectId, Step, Timestamp};
use std::sync::Arc;
use tokio::sync::oneshot;

/// A job of a thread.
pub(super) enum Job {
    /// A turn of an execution.
    Turn(Box<Resident>),
    /// An execution is saved, so that it can leave memory.
    Pack(Box<Resident>),
    /// An execution comes back into memory.
    Load(Box<Load>),
    /// An execution that is not needed any more is dropped.
    Drop(Box<Resident>),
}

impl Job {
    /// Returns the root execution, which determines the order of turns.
    pub(super) fn root(&self) -> RowId {
        match self {
            Self::Turn(resident) | Self::Pack(resident) | Self::Drop(resident) => resident.root(),
            Self::Load(load) => load.root,
        }
    }

    /// Returns the execution.
    pub(super) fn row(&self) -> RowId {
        match self {
            Self::Turn(resident) | Self::Pack(resident) | Self::Drop(resident) => resident.id,
            Self::Load(load) => load.row,
        }
    }
}

/// An execution after a turn in the pool.
pub(crate) struct ComputedTurn {
    pub(crate) resident: Box<Resident>,
    /// Time of the start of the turn.
    pub(crate) now: Timestamp,
    /// The record to journal.
    pub(crate) record: Option<Vec<u8>>,
    pub(crate) step: Step,
    /// The execution as it is, packed, where its journal has grown long.
    pub(crate) save: Option<Vec<u8>>,
}

/// An execution that comes into memory.
pub(crate) struct Load {
    pub(super) row: RowId,
    pub(super) root: RowId,
    /// Records that came after its snapshot.
    pub(super) records: Vec<i64>,
    pub(super) links: Vec<(EffectId, Arc<Link>)>,
    pub(super) purpose: Purpose,
    /// Reserved memory.
    pub(super) _memory: MemoryReservation,
}

/// Reasons to load an execution.
pub(super) enum Purpose {
    /// It left for want of memory.
    Resumption,
    /// Recovery after a start of the process.
    Recovery,
    /// It ended, and is to continue.
    Redrive(Redrive),
}

/// A request to let an execution continue that ended.
pub(super) struct Redrive {
    /// The client token and ARN that identify a repeated request.
    pub(super) key: Option<(Arc<str>, Arc<str>)>,
    pub(super) told: oneshot::Sender<Result<Timestamp, RedriveError>>,
}

/// An execution that came into memory, or why it cannot.
pub(crate) struct LoadedExecution {
    pub(super) load: Load,
    pub(super) result: Result<Box<RecoveredExecution>, String>,
}

/// An execution restored from its stored data.
pub(super) struct RecoveredExecution {
    pub(super) resident: Box<Resident>,
    /// Due time of an execution that was parked.
    pub(super) due: Option<Timestamp>,
    pub(super) was_held: bool,
    /// True if records came after its snapshot.
    pub(super) has_new_records: bool,
}
