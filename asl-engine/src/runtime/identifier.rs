//! What a runtime calls its executions.
use crate::Identity;
use std::fmt;
use std::sync::Arc;

/// Names one execution within its runtime; never given twice, and growing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExecutionId(pub(super) u64);

impl fmt::Display for ExecutionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// An execution that a runtime runs, as handlers and observers are told of it.
#[derive(Debug, Clone)]
pub struct RunningExecution {
    /// This execution.
    pub id: ExecutionId,
    /// The execution that someone started: itself, or for a child of a distributed Map the outermost parent.
    pub root: ExecutionId,
    /// Names and ARNs.
    pub identity: Arc<Identity>,
}

impl RunningExecution {
    /// Whether it is a child of a distributed Map.
    pub fn is_child(&self) -> bool {
        self.id != self.root
    }
}
