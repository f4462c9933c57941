//! Errors of reading cases.

/// The reason why cases cannot be judged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CasesError {
    /// The folder does not exist.
    #[error("{0} is not a folder of cases")]
    NoFolder(String),
    /// A file cannot be read, or does not have the format of its kind.
    #[error("{path}: {reason}")]
    Unreadable {
        /// The file.
        path: String,
        /// The reason.
        reason: String,
    },
    /// No case is selected.
    #[error("no case of {folders} has \"{filter}\" in its name or area")]
    NoCase {
        /// The folders.
        folders: String,
        /// The text that was searched for.
        filter: String,
    },
    /// The command of an interpreter does not start.
    #[error("the command does not start: {0}")]
    Command(String),
}

impl CasesError {
    pub(crate) fn unreadable(path: &std::path::Path, reason: &dyn std::fmt::Display) -> Self {
        Self::Unreadable {
            path: path.display().to_string(),
            reason: reason.to_string(),
        }
    }
}
