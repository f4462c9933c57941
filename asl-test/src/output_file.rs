//! Outputs that are recorded in files of their own.
use crate::judge::plain;
use crate::{Case, CaseRun, Difference};
use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};

/// A file that holds the output that is expected.
#[derive(Debug, Clone)]
pub(crate) struct OutputFile {
    pub(crate) path: PathBuf,
    /// None if it was not recorded yet.
    pub(crate) recorded: Option<Value>,
}

impl Case {
    /// Writes the output of a run to the file that `outputFile` names, if it differs. Returns the file if it was written.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn record_output(&self, run: &CaseRun) -> io::Result<Option<&Path>> {
        let (Some(file), Some(output)) = (&self.output_file, run.outcome.output()) else {
            return Ok(None);
        };
        if file.recorded.as_ref() == Some(output) {
            return Ok(None);
        }
        std::fs::write(&file.path, format!("{output:#}\n"))?;
        Ok(Some(&file.path))
    }

    /// Returns the difference for a file that does not exist.
    pub(crate) fn not_recorded(&self) -> Option<Difference> {
        let file = self
            .output_file
            .as_ref()
            .filter(|file| file.recorded.is_none())?;
        let path = file.path.display();
        let message = format!("{path} does not exist: asl test --update writes the output to it");
        Some(plain("outputFile", message))
    }
}
