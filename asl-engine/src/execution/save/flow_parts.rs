//! Parts of a flow that are needed to read its phase.
use super::damage::Damage;
use crate::execution::machine::FlowId;
use crate::program::StateProgram;
use std::sync::Arc;

/// Parts of a flow that are needed to read its phase.
pub(super) struct FlowParts<'p> {
    pub(super) id: FlowId,
    pub(super) state: &'p StateProgram,
    pub(super) retry_count: u64,
    pub(super) task_token: Option<Arc<str>>,
}

impl FlowParts<'_> {
    /// The phase is one of another type of state.
    pub(super) fn not_of(&self, expected: &str) -> Damage {
        let StateProgram {
            name, state_type, ..
        } = self.state;
        Damage::unexpected(expected, format_args!("{state_type:?} State {name}"))
    }
}
