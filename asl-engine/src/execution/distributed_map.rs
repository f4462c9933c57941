//! Distributed Map States: child executions, their items and their results (2022 specification, Map State).
use super::error::EvaluationFault;
use super::flow::FlowId;
use super::items::Items;
use super::machine::{Machine, Step};
use super::map::MapRequest;
use super::{EffectId, StorageResult};
use crate::program::{MapState, StateProgram};
use crate::{Outcome, Program};

/// A distributed Map State that runs.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct DistributedMap {}

impl Machine {
    pub(super) fn read_items(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        map: &MapState,
    ) -> Step {
        let _ = map;
        self.fail_state_with(program, id, state, EvaluationFault::runtime("not yet"))
    }
    pub(super) fn start_map_run(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        map: &MapState,
        request: MapRequest,
    ) -> Step {
        let _ = (map, request);
        self.fail_state_with(program, id, state, EvaluationFault::runtime("not yet"))
    }
    pub(super) fn continue_distributed_map(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        map: Box<DistributedMap>,
    ) -> Step {
        let _ = (map, program, id, state);
        Step::Stop
    }
    pub(super) fn storage_succeeded(
        &mut self,
        program: &Program,
        id: EffectId,
        result: StorageResult,
    ) {
        let _ = (program, id, result);
    }
    pub(super) fn storage_failed(&mut self, program: &Program, id: EffectId, cause: String) {
        let _ = (program, id, cause);
    }
    pub(super) fn child_execution_ended(
        &mut self,
        program: &Program,
        id: EffectId,
        outcome: Outcome,
    ) {
        let _ = (program, id, outcome);
    }
    pub(super) fn cancel_distributed_map(&mut self, map: &DistributedMap) {
        let _ = map;
    }
}
