//! Saving an execution between two calls, and going on with it in another process.
use super::Execution;
use crate::Program;

/// What a saved execution is read into.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub struct SavedExecution {}

impl Execution {
    /// x
    pub fn save(&self) -> SavedExecution {
        SavedExecution {}
    }
}
impl SavedExecution {
    /// x
    pub fn restore(self, _program: impl Into<Program>) -> Result<Execution, RestoreError> {
        Err(RestoreError::X)
    }
}
/// Why a save cannot be taken up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RestoreError {
    /// x
    #[error("x")]
    X,
}
