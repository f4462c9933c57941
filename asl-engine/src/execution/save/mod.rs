//! Saving an execution between two calls, and going on with it in another process.
use crate::data::Data;

/// What a saved execution is read into.
#[derive(Debug)]
pub struct SavedExecution {}

/// Why a save cannot be taken up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RestoreError {
    /// x
    #[error("x")]
    X,
}
