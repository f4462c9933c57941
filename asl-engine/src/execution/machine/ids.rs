//! Names of flows.

/// Names a flow; a place that is used again has another generation, so stale names find nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FlowId {
    pub(crate) place: u32,
    pub(crate) generation: u32,
}

impl FlowId {
    /// The same as one number.
    pub(crate) fn number(self) -> u64 {
        (u64::from(self.generation) << 32) | u64::from(self.place)
    }
}

/// The Parallel or Map State that a flow is a branch or an iteration of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Owner {
    pub(crate) flow: FlowId,
    /// Index of the branch or iteration.
    pub(crate) index: u32,
}
