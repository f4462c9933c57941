//! Annotations, as GitHub Actions reads them from what a step prints.
use super::checked::Checked;
use asl_model::Severity;
use std::fmt::Write as _;

/// A line for each diagnostic.
pub(super) fn lines(checked: &Checked) -> Vec<String> {
    let told = checked.told();
    let lines = told.iter().map(|told| {
        let mut line = match told.severity {
            Severity::Error => "::error ".to_owned(),
            Severity::Warning => "::warning ".to_owned(),
        };
        if let Some(place) = told.place {
            let at = place.position();
            let file = property(&place.file.path().display().to_string());
            // Writing into a string cannot fail.
            let _ = write!(line, "file={file},line={},col={},", at.line, at.column);
        }
        let hint = told.hint.iter().map(|hint| format!("\nhint: {hint}"));
        let message = told.message.clone() + &hint.collect::<String>();
        format!("{line}title={}::{}", told.rule, data(&message))
    });
    lines.collect()
}

/// A message on one line.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// The value of a property, which ends at a comma.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
