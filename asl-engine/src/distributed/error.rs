//! Errors of datasets.
use super::csv::CsvError;
use super::room::TooHeavy;

/// The reason why items cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ItemReaderError {
    /// The cause of a States.ItemReaderFailed.
    #[error("{0}")]
    Failed(String),
    /// They weigh more than the execution has room for.
    #[error(transparent)]
    TooHeavy(#[from] TooHeavy),
}

pub(super) fn not_understood(field: &str, found: &str, expected: &str) -> ItemReaderError {
    ItemReaderError::Failed(format!("{field}: expected {expected}, found {found}"))
}

/// An error in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FileFault {
    /// A whole cause, as the service writes it.
    Service(String),
    /// An error to be reported with the file's name.
    File(String),
    /// Too many, or too large, for the execution.
    TooHeavy(TooHeavy),
}

impl From<TooHeavy> for FileFault {
    fn from(error: TooHeavy) -> Self {
        Self::TooHeavy(error)
    }
}

impl From<String> for FileFault {
    fn from(fault: String) -> Self {
        Self::File(fault)
    }
}

impl From<CsvError> for FileFault {
    fn from(error: CsvError) -> Self {
        let cause = error.to_string();
        match error {
            CsvError::DuplicateHeader => Self::Service(cause),
            CsvError::TooHeavy(error) => Self::TooHeavy(error),
            _ => Self::File(cause),
        }
    }
}
