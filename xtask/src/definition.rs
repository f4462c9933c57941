//! Definitions that are refused.
use asl_model::{Diagnostics, Severity};

/// Returns the first problem of an invalid definition, in one line.
pub(crate) fn refused(diagnostics: &Diagnostics) -> String {
    let first = diagnostics
        .iter()
        .find(|found| found.severity == Severity::Error);
    first.map_or_else(
        || "the definition is refused".to_owned(),
        |found| {
            format!(
                "the definition is refused: {}: {}",
                found.location, found.message
            )
        },
    )
}
