//! An argument with a value outside the API's list of values. CreateStateMachine: "The value for 'X' must be one of the
//! values: […] but was 'y'" (reported by users of the service). It is a warning, because later versions of the API may have
//! further values.
use super::arguments::{AcceptedType, Content};
use crate::lint::{Lint, LintFinding};
use crate::subject::Subject;
use asl_model::{Change, DiagnosticRule, Fix, Severity, nearest};
use asl_services::{Kind, Shape};
use serde_json::Value;

pub(crate) const LINT: Lint = Lint {
    rule: DiagnosticRule::lint("unknown-argument-value"),
    severity: Severity::Warning,
    look,
};

/// Maximum number of listed values if none is close.
const TOLD: usize = 12;

fn look(subject: &Subject<'_>, found: &mut LintFinding) {
    subject.calls().each_part(|call, walk, visited| {
        let (Content::Text(text), AcceptedType::Other(shape)) = (&visited.content, visited.taken)
        else {
            return;
        };
        if is_unknown(text, shape) {
            let location = walk.location(call.arguments_location(subject), visited.place);
            report(location, text, shape.values(), found);
        }
    });
}

fn is_unknown(text: &str, shape: Shape<'_>) -> bool {
    let values = shape.values();
    let is_text = matches!(shape.kind(), Kind::String);
    is_text && !values.is_empty() && !values.iter().any(|value| value == text)
}

fn report(location: asl_model::Location, text: &str, values: &[String], found: &mut LintFinding) {
    let meant = nearest(text, values.iter().map(String::as_str));
    let hint = match meant {
        Some(meant) => format!("did you mean {meant}?"),
        None => "newer versions of the API may accept other values".to_owned(),
    };
    let told = values.get(..TOLD).map(|told| told.join(", ") + ", …");
    let told = told.unwrap_or_else(|| values.join(", "));
    let message = format!("The value must be one of the values: [{told}] but was '{text}'");
    let pointer = location.pointer().to_owned();
    let reported = found.report(&LINT, location, message, hint);
    if let Some(meant) = meant {
        reported.with_fix(Fix {
            title: format!("replace the value by {meant}"),
            is_sure: false,
            changes: vec![Change::Replace {
                pointer,
                value: Value::String(meant.to_owned()),
            }],
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::integrations::testing::{found_in, nothing_in};
    use serde_json::json;

    #[test]
    fn a_value_that_is_none_is_pointed_out() {
        let task = |kind: &str| json!({"TaskDefinition": "t", "LaunchType": kind});
        assert_eq!(
            found_in("ecs:runTask", task("FARGTE")),
            [
                "warning: The value must be one of the values: [EC2, FARGATE, EXTERNAL, MANAGED_INSTANCES] but was 'FARGTE' at /States/A/Parameters/LaunchType (did you mean FARGATE?) [replace the value by FARGATE]"
            ]
        );
        let said = found_in("ecs:runTask", task("CLOUD"));
        assert!(
            said[0].ends_with("(newer versions of the API may accept other values)"),
            "{said:?}"
        );
    }

    #[test]
    fn what_is_replaced_later_may_be_any() {
        nothing_in(
            "ecs:runTask",
            json!({"TaskDefinition": "t", "LaunchType": "${Kind}"}),
        );
        nothing_in(
            "ecs:runTask",
            json!({"TaskDefinition": "t", "LaunchType.$": "$.k"}),
        );
        nothing_in(
            "ecs:runTask",
            json!({"TaskDefinition": "t", "LaunchType": "FARGATE"}),
        );
    }
}
