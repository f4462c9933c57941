//! Identifiers of executions in a runtime.
use crate::Identity;
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

/// The number of an execution within its runtime. Numbers grow, and none is used twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExecutionId(u64);

impl ExecutionId {
    /// Creates the execution of this number, among those of one host.
    pub fn new(number: u64) -> Self {
        Self(number)
    }

    /// Returns its number.
    pub fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for ExecutionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// An execution that a runtime runs, as handlers and observers are reported it.
#[derive(Debug, Clone)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct RunningExecution {
    /// Id of this execution.
    pub id: ExecutionId,
    /// The execution that someone started: itself, or for a child of a distributed Map the outermost parent.
    pub root: ExecutionId,
    /// Names and ARNs.
    pub identity: Arc<Identity>,
    /// The parent of a child execution of a distributed Map. A runtime sets it; other hosts need not.
    pub child: Option<Arc<ChildOf>>,
}

/// The parent of a child execution.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChildOf {
    /// The execution that started it.
    pub parent: ExecutionId,
    /// The distributed Map.
    pub state: Arc<str>,
    /// The flow of the parent that is in that state.
    pub flow: u64,
    /// Index of the child, from 0: the index of its item or batch.
    pub index: u64,
}

impl RunningExecution {
    /// Returns true if it is a child of a distributed Map.
    pub fn is_child(&self) -> bool {
        self.id != self.root
    }
}

/// Something of each execution. Numbers that a runtime itself gives out need no hashing against an adversary.
pub(super) type ByExecution<T> = HashMap<ExecutionId, T, BuildHasherDefault<NumberHasher>>;

/// Spreads a number over all bits.
#[derive(Debug, Default)]
pub(super) struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let mixed = (self.0 ^ number).wrapping_mul(ODD);
        self.0 = mixed ^ (mixed >> 32);
    }
}
