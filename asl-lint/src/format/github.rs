//! Annotations of GitHub Actions: lines that a step prints.
use crate::LocatedDiagnostic;
use asl_model::{Position, Severity};
use std::fmt::Write as _;
use std::path::Path;

/// Returns an annotation for each problem.
pub fn github(diagnostics: &[LocatedDiagnostic<'_>]) -> Vec<String> {
    let lines = diagnostics.iter().map(|one| {
        let place = one.place.as_ref();
        let place = place.map(|place| (place.file.path(), Some(place.position())));
        annotation(
            one.severity,
            place,
            one.rule.name(),
            &one.message_with_hint(),
        )
    });
    lines.collect()
}

/// Returns a line that shows a message at a place of a file.
///
/// ```
/// use asl_lint::format::annotation;
/// let line = annotation(asl_model::Severity::Error, Some(("a.json".as_ref(), None)), "rule", "50 %");
/// assert_eq!(line, "::error file=a.json,title=rule::50 %25");
/// ```
pub fn annotation(
    severity: Severity,
    place: Option<(&Path, Option<Position>)>,
    title: &str,
    message: &str,
) -> String {
    let mut line = match severity {
        Severity::Error => "::error ".to_owned(),
        Severity::Warning => "::warning ".to_owned(),
    };
    // Writing into a string cannot fail.
    if let Some((file, position)) = place {
        let _ = write!(line, "file={},", property(&file.display().to_string()));
        if let Some(at) = position {
            let _ = write!(line, "line={},col={},", at.line, at.column);
        }
    }
    let _ = write!(line, "title={}::{}", property(title), data(message));
    line
}

/// Returns a message on one line.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Returns the value of a property, which ends at a comma.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
