//! Reports of a store to its operator.
use asl_backend::ExecutionStatus;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// A report of a store to its operator, for a log.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreNotice {
    /// Writes fail: the disk is full, or the database is missing or damaged. Requests are rejected until
    /// [`WritingGoesOn`](Self::WritingGoesOn).
    WritingFails {
        /// The fault, for people.
        why: String,
    },
    /// Writing works again; delayed changes are written.
    WritingGoesOn,
    /// The database cannot be read: it is damaged.
    Damage {
        /// Message of SQLite.
        why: String,
    },
    /// The log of the database was damaged when the store was opened: the data after the damage is lost.
    LogDamaged {
        /// The number of batches of acknowledged changes that may be lost, at most.
        lost: u64,
        /// The copy of the log.
        copy: PathBuf,
    },
    /// An execution failed, timed out or was aborted; reported once that is durable.
    ExecutionEnded {
        /// ARN of the execution.
        arn: Arc<str>,
        /// The ARN of its state machine.
        state_machine_arn: String,
        /// The final status.
        status: ExecutionStatus,
        /// The error name, if there is one.
        error: Option<String>,
        /// The cause, if there is one.
        cause: Option<String>,
    },
}

type Receive = dyn Fn(&StoreNotice) + Send + Sync;

/// The receiver of notices.
#[derive(Clone, Default)]
pub struct Notices(Option<Arc<Receive>>);

impl Notices {
    /// Notices go to a function, which is called by the threads of the store and must not block.
    pub fn new(send: impl Fn(&StoreNotice) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(send)))
    }

    pub(crate) fn is_wanted(&self) -> bool {
        self.0.is_some()
    }

    pub(crate) fn send(&self, notice: &StoreNotice) {
        if let Some(send) = &self.0 {
            send(notice);
        }
    }
}

impl fmt::Debug for Notices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Notices").field(&self.is_wanted()).finish()
    }
}
