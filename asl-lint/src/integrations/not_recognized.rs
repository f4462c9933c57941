//! Reports of AWS SDK resources that do not exist.
use super::calls::Call;
use super::slip::is_slip;
use crate::lint::{Lint, LintFinding};
use crate::subject::Subject;
use asl_model::{Change, Fix};
use serde_json::Value;

/// Suggestions for a part of a resource.
pub(super) struct Meant<'c> {
    /// Description of the part: `the service`.
    pub(super) part: &'static str,
    pub(super) written: &'c str,
    pub(super) meant: Option<String>,
    /// Hint if no candidate is close.
    pub(super) otherwise: String,
}

/// In the words of the service.
pub(super) fn message(call: &Call<'_>) -> String {
    format!(
        "The resource provided {} is not recognized. The value is not a valid resource ARN, or the resource is not available in this region.",
        call.uri
    )
}

/// Reports the resource of a call. It is a warning if the resource may be newer than the service data.
pub(super) fn report(
    lint: &Lint,
    subject: &Subject<'_>,
    call: &Call<'_>,
    meant: Meant<'_>,
    found: &mut LintFinding,
) {
    let location = call.location(subject).field("Resource");
    let pointer = location.pointer().to_owned();
    let Some(name) = meant.meant else {
        let reported = found.report(lint, location, message(call), meant.otherwise);
        reported.with_warning_only();
        return;
    };
    let is_sure = name.eq_ignore_ascii_case(meant.written);
    let is_slip = is_slip(meant.written, &name);
    let uri = replaced(call.uri, meant.written, &name);
    let hint = format!("did you mean {name}?");
    let reported = found.report(lint, location, message(call), hint);
    let reported = reported.with_fix(Fix {
        title: format!("name {} {name}", meant.part),
        is_sure,
        changes: vec![Change::Replace {
            pointer,
            value: Value::String(uri),
        }],
    });
    if !is_slip {
        reported.with_warning_only();
    }
}

/// Returns a resource with another name in the place of the last that is written so: ARNs begin with others.
fn replaced(uri: &str, written: &str, name: &str) -> String {
    match uri.rsplit_once(&format!(":{written}")) {
        Some((before, after)) => format!("{before}:{name}{after}"),
        None => uri.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::replaced;

    #[test]
    fn the_part_that_is_meant_is_replaced() {
        for (uri, written, name, expected) in [
            (
                "arn:aws:states:::aws-sdk:S3:getObject",
                "S3",
                "s3",
                "arn:aws:states:::aws-sdk:s3:getObject",
            ),
            (
                "arn:aws:states:::aws-sdk:sns:Publish.waitForTaskToken",
                "Publish",
                "publish",
                "arn:aws:states:::aws-sdk:sns:publish.waitForTaskToken",
            ),
            (
                "arn:aws:states:::aws-sdk:states:startExecution",
                "states",
                "sfn",
                "arn:aws:states:::aws-sdk:sfn:startExecution",
            ),
        ] {
            assert_eq!(replaced(uri, written, name), expected);
        }
    }
}
