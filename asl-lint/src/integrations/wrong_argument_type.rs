//! An argument that is a list is an array, one that has fields is no array, and one that has no parts is neither. Texts stand for
//! numbers and the like, and for objects too: attributes of DynamoDB are written so in definitions that are deployed.
use super::arguments::{AcceptedType, Content};
use crate::lint::{Lint, LintFinding};
use crate::subject::Subject;
use asl_model::{DiagnosticRule, Severity};
use asl_services::Kind;

pub(crate) const LINT: Lint = Lint {
    rule: DiagnosticRule::lint("wrong-argument-type"),
    severity: Severity::Warning,
    look,
};

fn look(subject: &Subject<'_>, found: &mut LintFinding) {
    subject.calls().each_part(|call, walk, visited| {
        let kind = match visited.taken {
            AcceptedType::Structure(_) => Kind::Structure,
            AcceptedType::Other(shape) => shape.kind(),
        };
        let Some(expected) = expected(kind, &visited.content) else {
            return;
        };
        let location = walk.location(call.arguments_location(subject), visited.place);
        let message = format!("expected {expected}, found {}", word(&visited.content));
        let hint = format!("{} accepts {expected} here", call.name());
        found.report(&LINT, location, message, hint);
    });
}

/// Returns the expected type, if the content cannot have it.
fn expected(kind: Kind<'_>, content: &Content<'_>) -> Option<&'static str> {
    let is_plain = matches!(
        content,
        Content::Text(_) | Content::Number | Content::Boolean
    );
    match (kind, content) {
        (Kind::Structure | Kind::Map { .. }, Content::Array) => Some("an object"),
        (Kind::Map { .. }, _) if is_plain => Some("an object"),
        (Kind::List(_), Content::Object(_)) => Some("an array"),
        (Kind::List(_), _) if is_plain => Some("an array"),
        (
            Kind::Integer | Kind::Long | Kind::Float | Kind::Double,
            Content::Object(_) | Content::Array,
        ) => Some("a number"),
        (Kind::Boolean, Content::Object(_) | Content::Array) => Some("true or false"),
        _ => None,
    }
}

fn word(content: &Content<'_>) -> &'static str {
    match content {
        Content::Object(_) => "an object",
        Content::Array => "an array",
        Content::Text(_) => "a text",
        Content::Number => "a number",
        Content::Boolean => "a boolean",
        Content::Null | Content::Unknown => "nothing",
    }
}

#[cfg(test)]
mod tests {
    use crate::integrations::testing::{found_in, nothing_in};
    use serde_json::json;

    #[test]
    fn parts_are_where_there_are_parts() {
        for (resource, arguments, expected) in [
            (
                "events:putEvents",
                json!({"Entries": {"Source": "s"}}),
                "expected an array, found an object at /States/A/Parameters/Entries (events:putEvents accepts an array here)",
            ),
            (
                "glue:startJobRun",
                json!({"JobName": "j", "Timeout": {"a": 1}}),
                "expected a number, found an object at /States/A/Parameters/Timeout (glue:startJobRun accepts a number here)",
            ),
            (
                "dynamodb:getItem",
                json!({"TableName": "t", "Key": "a"}),
                "expected an object, found a text at /States/A/Parameters/Key (dynamodb:getItem accepts an object here)",
            ),
        ] {
            assert_eq!(
                found_in(resource, arguments),
                [format!("warning: {expected}")]
            );
        }
    }

    #[test]
    fn texts_and_numbers_stand_for_each_other() {
        nothing_in(
            "glue:startJobRun",
            json!({"JobName": 1, "Timeout": "5", "AllocatedCapacity": null}),
        );
        nothing_in(
            "dynamodb:getItem",
            json!({"TableName": "t", "Key": {"id": "a"}}),
        );
        nothing_in(
            "events:putEvents",
            json!({"Entries": [{"Detail": {"a": 1}, "Source": "s"}]}),
        );
        nothing_in(
            "ecs:runTask",
            json!({"TaskDefinition": "t", "Overrides": "${Overrides}"}),
        );
        nothing_in(
            "ecs:runTask",
            json!({"TaskDefinition": "t", "Overrides": {"Fn::GetAtt": ["A", "B"]}}),
        );
    }
}
