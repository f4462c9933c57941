//! `--format github`.
use super::checked::CheckReport;
use crate::annotation::annotation;

/// Returns an annotation for each diagnostic.
pub(super) fn lines(checked: &CheckReport) -> Vec<String> {
    let told = checked.locate_all_findings();
    let lines = told.iter().map(|told| {
        let place = told.place.as_ref();
        let place = place.map(|place| (place.file.path(), Some(place.position())));
        let hint = told.hint.iter().map(|hint| format!("\nhint: {hint}"));
        let message = told.message.clone() + &hint.collect::<String>();
        annotation(told.severity, place, &told.rule.to_string(), &message)
    });
    lines.collect()
}
