//! Starts of executions, converted for the core.
use super::StartExecution;
use asl_engine::model::StateMachineType;
use asl_engine::{Identity, Limits, Program, Start, Timestamp};
use asl_performers::{MockConfiguration, MockHandler};
use std::sync::Arc;

impl StartExecution {
    /// Returns the start for the core. `max_execution_bytes` replaces the limit of the profile.
    pub fn begin(
        &self,
        now: Timestamp,
        program: &Program,
        max_execution_bytes: Option<u64>,
    ) -> Start {
        let mut limits = Limits::from_profile(program.profile());
        if let Some(bytes) = max_execution_bytes {
            limits.max_execution_bytes = Some(bytes);
        }
        let (identity, input) = (Arc::new(self.identity()), Arc::clone(self.input.value()));
        Start::from_identity(identity, input, now)
            .with_input_text(Arc::clone(self.input.text()))
            .with_limits(limits)
            .with_state_machine_type(match self.express_arn {
                Some(_) => StateMachineType::Express,
                None => StateMachineType::Standard,
            })
            .with_absent_activities(self.absent_activities.clone())
    }

    /// Returns the mocks of the test case that the execution was started with, if it exists.
    pub fn test_case(&self, mocks: Option<&MockConfiguration>) -> Option<MockHandler> {
        let name = self.mock_test_case.as_deref()?;
        mocks?.test_case(Some(&self.state_machine.name), name).ok()
    }

    /// Returns the identity of the execution.
    pub fn identity(&self) -> Identity {
        let (machine, name) = (Arc::clone(&self.state_machine), Arc::clone(&self.name));
        let identity = Identity::from_state_machine(machine, name);
        match &self.express_arn {
            Some(arn) => identity.with_express_id(arn.rsplit(':').next().unwrap_or_default()),
            None => identity,
        }
    }
}
