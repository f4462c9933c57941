//! A call has no arguments but those of its operation, in Pascal case. CreateStateMachine: `The field "Foo" is not supported
//! by Step Functions`. A warning where a path gives the value, of which nothing is said before it runs (reported by a user
//! of the service: `TaskToken.$` next to the payload of a function), and of calls by the SDK, whose later versions have more
//! fields.
use super::arguments::{AcceptedType, Content, Field, VisitedPart, Walk, is_open, written};
use super::calls::Call;
use super::structure::Structure;
use crate::lint::{Lint, LintFinding};
use crate::subject::Subject;
use asl_model::{Change, DiagnosticRule, Fix, Severity, escaped_segment};

pub(crate) const LINT: Lint = Lint {
    rule: DiagnosticRule::lint("unknown-argument"),
    severity: Severity::Error,
    look,
};

/// Maximum number of listed names if none is close.
const TOLD: usize = 12;

/// Fields of one object that are reported: more are of something else altogether.
const REPORTED: usize = 32;

fn look(subject: &Subject<'_>, found: &mut LintFinding) {
    subject.calls().each_part(|call, walk, visited| {
        let (Content::Object(fields), AcceptedType::Structure(taken)) =
            (&visited.content, visited.taken)
        else {
            return;
        };
        let here = Here {
            subject,
            call,
            walk,
            visited,
        };
        let unknown = fields.iter().filter(|field| is_unknown(field, &taken));
        for field in unknown.take(REPORTED) {
            report(&here, &taken, field, found);
        }
    });
}

fn is_unknown(field: &Field<'_>, taken: &Structure<'_>) -> bool {
    taken.field(field.name).is_none() && !is_open(field.name)
}

/// The object that has the field.
struct Here<'h, 'm> {
    subject: &'h Subject<'m>,
    call: &'h Call<'m>,
    walk: &'h Walk<'m, 'h>,
    visited: &'h VisitedPart<'m, 'h>,
}

fn report(here: &Here<'_, '_>, taken: &Structure<'_>, field: &Field<'_>, found: &mut LintFinding) {
    let arguments = here.call.arguments_location(here.subject);
    let location = here.walk.location(arguments, here.visited.place);
    let exact = taken.in_another_case(field.name);
    let is_sure = exact.is_some();
    let meant = exact.or_else(|| taken.nearest(field.name));
    let hint = match &meant {
        Some(meant) => format!("did you mean {meant}?"),
        None if field.name == "TaskToken" => "pass the token inside the data that the task sends: the Payload of a function, or the body of a message".to_owned(),
        None => list_arguments(here.call, taken),
    };
    let message = format!(
        "The field \"{}\" is not supported by Step Functions",
        field.name
    );
    let pointer = format!(
        "{}/{}",
        location.pointer(),
        escaped_segment(&field.written())
    );
    let mut reported = found
        .report(&LINT, location, message, hint)
        .with_field(field.written());
    if here.call.is_sdk || field.has_suffix || !field.is_literal {
        reported = reported.with_warning_only();
    }
    if let Some(meant) = meant {
        let name = written(&meant, field.has_suffix);
        reported.with_fix(Fix {
            title: format!("rename the field to '{name}'"),
            is_sure,
            changes: vec![Change::Rename { pointer, name }],
        });
    }
}

/// Lists the existing names.
fn list_arguments(call: &Call<'_>, taken: &Structure<'_>) -> String {
    let mut names: Vec<String> = taken.names().take(TOLD + 1).collect();
    let more = if names.len() > TOLD { ", …" } else { "" };
    names.truncate(TOLD);
    match names.as_slice() {
        [] => format!("{} accepts no fields here", call.name()),
        names => format!("{} accepts {}{more} here", call.name(), names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use crate::integrations::testing::{found_in, found_in_jsonata, nothing_in};
    use serde_json::json;

    #[test]
    fn there_are_the_arguments_of_the_operation() {
        let message = json!({"QueueUrl": "u", "MessageBody": "b", "Foo": 1});
        assert_eq!(
            found_in("sqs:sendMessage", message),
            [
                "error: The field \"Foo\" is not supported by Step Functions at /States/A/Parameters Foo (sqs:sendMessage accepts MessageBody, QueueUrl, DelaySeconds, MessageAttributes, MessageSystemAttributes, MessageDeduplicationId, MessageGroupId here)"
            ]
        );
        let said = found_in("aws-sdk:s3:getObject", json!({"Bucket": "b", "Keyy": "k"}));
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(
            said[1].ends_with("(did you mean Key?) [rename the field to 'Key']"),
            "{said:?}"
        );
    }

    #[test]
    fn another_case_is_mended() {
        let said = found_in("lambda:invoke", json!({"functionName": "f"}));
        assert_eq!(
            said,
            [
                "error: The field \"functionName\" is not supported by Step Functions at /States/A/Parameters functionName (did you mean FunctionName?) [rename the field to 'FunctionName'!]"
            ]
        );
        let said = found_in(
            "aws-sdk:s3:getObject",
            json!({"bucket.$": "$.b", "Key": "k"}),
        );
        assert!(said[0].starts_with("warning: "), "{said:?}");
        assert!(
            said[0].ends_with("[rename the field to 'Bucket.$'!]"),
            "{said:?}"
        );
    }

    #[test]
    fn fields_within_are_looked_at() {
        let network = json!({"awsVpcConfiguration": {"Subnets": ["s"]}});
        let said = found_in(
            "ecs:runTask.sync",
            json!({"TaskDefinition": "t", "NetworkConfiguration": network}),
        );
        assert!(said[0].contains("at /States/A/Parameters/NetworkConfiguration awsVpcConfiguration (did you mean AwsvpcConfiguration?)"), "{said:?}");
        let environment =
            json!([{"Name": "n", "Value": "v"}, {"Name": "n", "Value.$": "$.v", "Comment": "why"}]);
        let arguments = json!({"JobName": "j", "JobQueue": "q", "JobDefinition": "d", "ContainerOverrides": {"Environment": environment}});
        let said = found_in("batch:submitJob.sync", arguments);
        assert_eq!(said.len(), 1);
        assert!(said[0].contains("\"Comment\" is not supported by Step Functions at /States/A/Parameters/ContainerOverrides/Environment[1] Comment"), "{said:?}");
    }

    #[test]
    fn objects_of_an_integrations_own_are_looked_at() {
        let said = found_in(
            "http:invoke",
            json!({"ApiEndpoint": "https://a.example", "Method": "GET", "Authentication": {"Connection": "c"}}),
        );
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(
            said[1].contains("at /States/A/Parameters/Authentication Connection ("),
            "{said:?}"
        );
    }

    #[test]
    fn acronyms_are_taken_in_any_case() {
        for name in ["DBInstanceIdentifier", "DbInstanceIdentifier"] {
            nothing_in("aws-sdk:rds:deleteDBInstance", json!({name: "d"}));
        }
        let said = found_in(
            "aws-sdk:rds:deleteDBInstance",
            json!({"dbInstanceIdentifier": "d"}),
        );
        assert!(
            said[0].ends_with("[rename the field to 'DbInstanceIdentifier'!]"),
            "{said:?}"
        );
        let policy =
            json!({"PolicyStoreId": "p", "Definition": {"StaticValue": {"Statement": "permit"}}});
        nothing_in("aws-sdk:verifiedpermissions:createPolicy", policy);
    }

    #[test]
    fn what_an_execution_puts_there_is_a_warning() {
        let token = json!({"FunctionName": "f", "Payload": {}, "TaskToken.$": "$$.Task.Token"});
        let said = found_in("lambda:invoke.waitForTaskToken", token);
        assert_eq!(
            said,
            [
                "warning: The field \"TaskToken\" is not supported by Step Functions at /States/A/Parameters TaskToken.$ (pass the token inside the data that the task sends: the Payload of a function, or the body of a message)"
            ]
        );
        let said = found_in_jsonata(
            "sns:publish",
            json!({"TopicArn": "t", "Message": "m", "Foo": "{% 1 %}"}),
        );
        assert!(
            said[0].starts_with("warning: The field \"Foo\""),
            "{said:?}"
        );
    }

    #[test]
    fn names_that_are_free_are_any() {
        let item = json!({"id": {"S": "a"}, "n": {"NULL": true}, "b": {"BOOL": true}});
        nothing_in("dynamodb:putItem", json!({"TableName": "t", "Item": item}));
        let item = json!({"id": {"S": "a"}, "n": {"Nul": true}, "b": {"Bool": true}});
        nothing_in(
            "aws-sdk:dynamodb:putItem",
            json!({"TableName": "t", "Item": item}),
        );
        nothing_in(
            "lambda:invoke",
            json!({"FunctionName": "f", "Payload": {"any": {"thing": 1}}}),
        );
        nothing_in(
            "glue:startJobRun",
            json!({"JobName": "j", "Arguments": {"--x": "y"}}),
        );
        nothing_in("sns:publish", json!({"TopicArn": "t", "Message": {"a": 1}}));
        nothing_in(
            "sqs:sendMessage",
            json!({"QueueUrl": "q", "MessageBody": "b", "${Field}": 1}),
        );
    }

    #[test]
    fn arguments_nest_as_deep_as_the_text() {
        let mut filter = json!({"Or": []});
        for _ in 0..60 {
            filter = json!({"Or": [filter], "Nott": 1});
        }
        let arguments = json!({"TimePeriod": {"Start": "a", "End": "b"}, "Granularity": "DAILY", "Metrics": [], "Filter": filter});
        let said = found_in("aws-sdk:costexplorer:getCostAndUsage", arguments);
        assert_eq!(said.len(), 60);
    }
}
