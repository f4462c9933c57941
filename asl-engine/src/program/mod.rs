//! Programs: definitions made ready to run.
use asl_model::{Profile, StateMachine};

/// A compiled definition: immutable, shared by all its executions.
#[derive(Debug)]
pub struct Program {
    profile: Profile,
}

/// Why a definition cannot be compiled; none that validation accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CompileError(pub(crate) String);

impl Program {
    /// Makes a definition ready to run.
    pub fn compile(machine: &StateMachine, profile: Profile) -> Result<Self, CompileError> {
        let _ = machine;
        Ok(Self { profile })
    }
    /// Whose rules it follows.
    pub fn profile(&self) -> Profile {
        self.profile
    }
}
