//! Why a dataset cannot be read.
use super::csv::CsvError;

/// The cause of a States.ItemReaderFailed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct ItemReaderError(pub(super) String);

pub(super) fn not_understood(field: &str, found: &str, expected: &str) -> ItemReaderError {
    ItemReaderError(format!("{field}: expected {expected}, found {found}"))
}

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FileFault {
    /// A whole cause, as the service writes it.
    Service(String),
    /// To be told with the file's name.
    File(String),
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
            _ => Self::File(cause),
        }
    }
}
