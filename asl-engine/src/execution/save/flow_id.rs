//! The names of flows.
use crate::execution::machine::FlowId;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Names a flow: its place and the generation of that.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedFlowId(u32, u32);

impl From<FlowId> for SavedFlowId {
    fn from(FlowId { place, generation }: FlowId) -> Self {
        Self(place, generation)
    }
}

impl From<SavedFlowId> for FlowId {
    fn from(SavedFlowId(place, generation): SavedFlowId) -> Self {
        Self { place, generation }
    }
}

impl fmt::Display for SavedFlowId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(place, generation) = self;
        write!(out, "{place} (generation {generation})")
    }
}
