//! Errors of restoring a save.
use crate::execution::version::{CORE_VERSION, SAVE_FORMAT};

/// The reason why a save cannot be restored.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// A save of a format that this version cannot read.
    #[error("expected a save of format {SAVE_FORMAT}, found one of format {found}")]
    Format {
        /// Format version of the save.
        found: u32,
    },
    /// A save of a later version of the core, which may hold what this one would pass over.
    #[error(
        "expected a save of core version {CORE_VERSION} or before, found one of version {found}"
    )]
    Core {
        /// Core version of the save.
        found: u32,
    },
    /// A save of an execution of another definition, or of the same read by another profile.
    #[error(
        "expected the program that the execution was saved with, of fingerprint {expected:016x}, found another, of {found:016x}"
    )]
    OtherProgram {
        /// [`Program::fingerprint`](crate::Program::fingerprint) as the save says.
        expected: u64,
        /// Fingerprint of the given program.
        found: u64,
    },
    /// The tokens of the execution's tasks were made with another key; None is the execution's own.
    #[error(
        "expected the maker of task tokens that the execution was saved with, {}, found {}",
        key(.expected.as_deref()), key(.found.as_deref())
    )]
    OtherTokenKey {
        /// The name of the key as the save says.
        expected: Option<String>,
        /// The name of the given key.
        found: Option<String>,
    },
    /// The save was changed or damaged after it was written: the location, and the expected and actual content.
    #[error("the save is damaged at {0}")]
    Damaged(String),
}

debug_as_display!(RestoreError);

fn key(name: Option<&str>) -> String {
    match name {
        Some(name) => format!("of key '{name}'"),
        None => "none".to_owned(),
    }
}
