//! Parts that are needed to read the stage of a Map Run.
use super::damage::Read;
use super::restoring::RestoreContext;
use crate::execution::evaluate::MapRequest;
use crate::execution::machine::FlowId;
use crate::execution::output::EffectId;
use crate::program::MapState;

/// Parts that are needed to read the stage of a Map Run.
pub(super) struct StageParts<'s, 'p> {
    pub(super) map: &'s MapState,
    pub(super) request: &'s MapRequest,
    pub(super) arn: &'s str,
    pub(super) flow: FlowId,
    pub(super) live: bool,
    pub(super) save: &'s mut RestoreContext<'p>,
}

impl StageParts<'_, '_> {
    /// An effect that is waited for, where the state runs.
    pub(super) fn effect(&mut self, id: u64) -> Read<EffectId> {
        match self.live {
            true => self.save.claim_effect(id, self.flow),
            false => self.save.effect(id),
        }
    }
}
