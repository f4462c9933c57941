//! A call has the arguments that its operation requires. CreateStateMachine: "The field 'TableName' is required but was missing".
use super::arguments::{AcceptedType, Content, Field, VisitedPart, Walk, is_open};
use super::calls::Call;
use super::structure::Structure;
use crate::lint::{Lint, LintFinding};
use crate::subject::Subject;
use asl_model::{DiagnosticRule, Severity};

pub(crate) const LINT: Lint = Lint {
    rule: DiagnosticRule::lint("missing-argument"),
    severity: Severity::Error,
    look,
};

/// Arguments that the SDK generates.
const MADE: &[&str] = &[
    "ClientRequestToken",
    "ClientToken",
    "IdempotencyToken",
    "RequestToken",
];

fn look(subject: &Subject<'_>, found: &mut LintFinding) {
    subject.calls().each_part(|call, walk, visited| {
        if let (Content::Object(fields), AcceptedType::Structure(taken)) =
            (&visited.content, visited.taken)
        {
            for name in missing(fields, &taken) {
                report(subject, call, walk, visited, &name, found);
            }
        }
    });
}

/// Returns the missing required fields, without those that are present in another case, which are reported separately.
fn missing(fields: &[Field<'_>], taken: &Structure<'_>) -> Vec<String> {
    if fields.iter().any(|field| is_open(field.name)) {
        return Vec::new();
    }
    let is_there = |name: &String| {
        let mut names = fields.iter().map(|field| field.name);
        // Either way to write acronyms is taken, and each way to write them differs in case alone.
        names.any(|field| field.eq_ignore_ascii_case(name))
    };
    let either = taken.either().iter().map(|name| (*name).to_owned());
    let either: Vec<String> = either.collect();
    let has_either = either.iter().any(is_there);
    let usual = either.into_iter().next().filter(|_| !has_either);
    let required = taken.required().chain(usual);
    required.filter(|name| !is_there(name)).collect()
}

fn report(
    subject: &Subject<'_>,
    call: &Call<'_>,
    walk: &Walk<'_, '_>,
    visited: &VisitedPart<'_, '_>,
    name: &str,
    found: &mut LintFinding,
) {
    let location = walk.location(call.arguments_location(subject), visited.place);
    let message = format!("The field '{name}' is required but was missing");
    let is_whole = visited.place == 0;
    let hint = match is_whole {
        true => format!("{} requires {name}", call.name()),
        false => format!("{} requires {name} here", call.name()),
    };
    let reported = found.report(&LINT, location, message, hint);
    // That the service looks below the arguments themselves, too, is not known; nor that it makes no token if there is none.
    if !is_whole || MADE.contains(&name) {
        reported.with_warning_only();
    }
}

#[cfg(test)]
mod tests {
    use crate::integrations::testing::{found_in, found_in_jsonata, found_in_map, nothing_in};
    use serde_json::json;

    #[test]
    fn what_an_operation_requires_is_there() {
        let key = json!({"a": {"S": "b"}});
        assert_eq!(
            found_in("dynamodb:deleteItem", json!({"Key": key})),
            [
                "error: The field 'TableName' is required but was missing at /States/A/Parameters (dynamodb:deleteItem requires TableName)"
            ]
        );
        for (resource, arguments, name) in [
            ("aws-sdk:s3:getObject", json!({"Bucket": "b"}), "Key"),
            (
                "batch:submitJob",
                json!({"JobDefinition.$": "$.d", "JobQueue": "q"}),
                "JobName",
            ),
            (
                "http:invoke",
                json!({"Method": "GET", "Authentication": {"ConnectionArn": "a"}}),
                "ApiEndpoint",
            ),
            (
                "elasticmapreduce:addStep.sync",
                json!({"ClusterId": "c"}),
                "Step",
            ),
            (
                "eks:call",
                json!({"ClusterName": "c", "CertificateAuthority": "a", "Endpoint": "e", "Method": "GET"}),
                "Path",
            ),
        ] {
            let said = found_in(resource, arguments);
            assert_eq!(said.len(), 1, "{said:?}");
            assert!(
                said[0].starts_with(&format!("error: The field '{name}' is required")),
                "{said:?}"
            );
        }
        let said = found_in_jsonata("aws-sdk:s3:getObject", json!({"Bucket": "b"}));
        assert!(
            said[0].contains("'Key' is required but was missing at /States/A/Arguments"),
            "{said:?}"
        );
    }

    #[test]
    fn a_path_an_expression_and_a_placeholder_may_be_it() {
        nothing_in(
            "dynamodb:getItem",
            json!({"TableName.$": "$.t", "Key.$": "$.k"}),
        );
        nothing_in(
            "dynamodb:getItem",
            json!({"TableName": "${Table}", "Key.$": "${Key}"}),
        );
        nothing_in("dynamodb:getItem", json!({"${Names}": "a"}));
        nothing_in("dynamodb:getItem", json!("${Arguments}"));
        nothing_in("aws-sdk:s3:listBuckets", json!({}));
        assert_eq!(
            found_in_jsonata("dynamodb:getItem", json!("{% $states.input %}")),
            [""; 0]
        );
    }

    #[test]
    fn what_an_integration_sees_to_itself_is_not_required() {
        nothing_in(
            "emr-serverless:startJobRun.sync",
            json!({"ApplicationId": "a", "ExecutionRoleArn": "r"}),
        );
        nothing_in(
            "aws-sdk:s3:copyObject",
            json!({"SourceBucket": "b", "SourceKey": "k", "DestinationBucket": "c", "DestinationKey": "k"}),
        );
        nothing_in(
            "bedrock:invokeModel",
            json!({"ModelId": "m", "Input": {"S3Uri": "s3://b/k"}}),
        );
    }

    #[test]
    fn one_of_several_is_there() {
        let endpoint = |field: &str| json!({"ApiEndpoint": "https://a.example", "Method": "GET", field: {"ConnectionArn": "c"}});
        nothing_in("http:invoke", endpoint("Authentication"));
        nothing_in("http:invoke", endpoint("InvocationConfig"));
        let said = found_in(
            "http:invoke",
            json!({"ApiEndpoint": "https://a.example", "Method": "GET"}),
        );
        assert_eq!(
            said,
            [
                "error: The field 'Authentication' is required but was missing at /States/A/Parameters (http:invoke requires Authentication)"
            ]
        );
        let said = found_in("bedrock:invokeModel", json!({"ModelId": "m"}));
        assert!(said[0].contains("'Body' is required"), "{said:?}");
    }

    #[test]
    fn a_token_that_is_made_is_a_warning() {
        let job = json!({"ApplicationId": "a", "ExecutionRoleArn": "r"});
        let said = found_in("aws-sdk:emrserverless:startJobRun", job);
        assert_eq!(said.len(), 1);
        assert!(
            said[0].starts_with("warning: The field 'ClientToken'"),
            "{said:?}"
        );
    }

    #[test]
    fn below_the_arguments_it_is_a_warning() {
        let arguments = json!({"BackupPlan": {"BackupPlanName": "n"}});
        let said = found_in("aws-sdk:backup:createBackupPlan", arguments);
        assert_eq!(
            said,
            [
                "warning: The field 'Rules' is required but was missing at /States/A/Parameters/BackupPlan (backup:createBackupPlan requires Rules here)"
            ]
        );
    }

    #[test]
    fn what_a_map_reads_and_writes_is_named() {
        let reader = json!({"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {"InputType": "JSON"},
            "Parameters": {"Bucket": "b"}});
        let said = found_in_map(json!({"ItemReader": reader}));
        assert!(
            said[0]
                .contains("'Key' is required but was missing at /States/A/ItemReader/Parameters"),
            "{said:?}"
        );
        let list =
            json!({"Resource": "arn:aws:states:::s3:listObjectsV2", "Parameters": {"Prefix": "p"}});
        let said = found_in_map(json!({"ItemReader": list}));
        assert!(said[0].contains("'Bucket' is required"), "{said:?}");
        let writer =
            json!({"Resource": "arn:aws:states:::s3:putObject", "Parameters": {"Prefix": "p"}});
        let said = found_in_map(json!({"ResultWriter": writer}));
        assert!(
            said[0].contains(
                "'Bucket' is required but was missing at /States/A/ResultWriter/Parameters"
            ),
            "{said:?}"
        );
    }
}
