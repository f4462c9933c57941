//! `--format github`.
use asl_lint::format::annotation;
use asl_model::Severity;
use asl_test::SuiteReport;

/// Returns an annotation for each difference from what a case expects, and for each fault of a test file.
pub(super) fn lines(report: &SuiteReport) -> Vec<String> {
    let mut lines = Vec::new();
    for error in &report.refused {
        let file = error.path.as_deref();
        for fault in &error.faults {
            let place = file.map(|file| (file, fault.position));
            let line = annotation(Severity::Error, place, "asl test", &fault.message);
            lines.push(line);
        }
    }
    for case in &report.cases {
        let file = case.file.as_deref();
        for difference in &case.differences {
            let place = file.map(|file| (file, difference.position));
            let message = difference.to_string();
            lines.push(annotation(Severity::Error, place, &case.name, &message));
        }
    }
    lines
}
