//! A resource `aws-sdk:SERVICE:ACTION` names a service that the AWS SDK has (AWS Step Functions Developer Guide, AWS SDK service
//! integrations). CreateStateMachine: "The resource provided … is not recognized."
use super::not_recognized::{self, Meant};
use crate::lint::{Lint, LintFinding};
use crate::subject::Subject;
use asl_model::{DiagnosticRule, Severity, nearest};

pub(crate) const LINT: Lint = Lint {
    rule: DiagnosticRule::lint("unknown-sdk-service"),
    severity: Severity::Error,
    look,
};

/// Services that were closed, and taken out of the SDK (botocore 1.29 had them). Whether AWS Step Functions still takes their
/// names is not known.
const CLOSED: &[&str] = &[
    "alexaforbusiness",
    "apptest",
    "backupstorage",
    "codestar",
    "elasticinference",
    "elastictranscoder",
    "evidently",
    "finspace",
    "finspacedata",
    "gamesparks",
    "honeycode",
    "iot1clickdevices",
    "iot1clickprojects",
    "iotanalytics",
    "iotevents",
    "ioteventsdata",
    "iotfleethub",
    "iotroborunner",
    "lookoutmetrics",
    "lookoutvision",
    "macie",
    "mobile",
    "nimble",
    "opsworks",
    "opsworkscm",
    "panorama",
    "privatenetworks",
    "qldb",
    "qldbsession",
    "robomaker",
    "simspaceweaver",
    "sms",
    "tnb",
    "worklink",
];

fn look(subject: &Subject<'_>, found: &mut LintFinding) {
    let calls = subject.calls();
    for call in calls.iter().filter(|call| call.is_sdk) {
        if calls.service(call.service).is_some() || CLOSED.contains(&call.service) {
            continue;
        }
        let meant = Meant {
            part: "the service",
            written: call.service,
            meant: nearest(call.service, calls.service_names()).map(str::to_owned),
            otherwise: format!(
                "{} has no such service; service names follow the AWS SDK for Java, in lowercase: cloudwatchlogs, eventbridge, sfn",
                calls.source()
            ),
        };
        not_recognized::report(&LINT, subject, call, meant, found);
    }
}

#[cfg(test)]
mod tests {
    use crate::integrations::testing::{found_in, nothing_in};
    use serde_json::json;

    #[test]
    fn services_are_those_of_the_sdk() {
        let said = found_in("aws-sdk:nosuchservice:doIt", json!({}));
        let source = asl_services::Services::new().source().to_owned();
        let said: Vec<String> = said
            .iter()
            .map(|line| line.replace(&source, "SOURCE"))
            .collect();
        assert_eq!(
            said,
            [
                "warning: The resource provided arn:aws:states:::aws-sdk:nosuchservice:doIt is not recognized. The value is not a valid resource ARN, or the resource is not available in this region. at /States/A/Resource (SOURCE has no such service; service names follow the AWS SDK for Java, in lowercase: cloudwatchlogs, eventbridge, sfn)"
            ]
        );
        let said = found_in("aws-sdk:S3:getObject", json!({"Bucket": "b", "Key": "k"}));
        assert!(
            said[0].ends_with("at /States/A/Resource (did you mean s3?) [name the service s3!]"),
            "{said:?}"
        );
        let said = found_in("aws-sdk:dynamodbb:scan", json!({"TableName": "t"}));
        assert!(
            said[0].ends_with("(did you mean dynamodb?) [name the service dynamodb]"),
            "{said:?}"
        );
    }

    #[test]
    fn what_is_still_to_be_put_in_may_be_any() {
        nothing_in("aws-sdk:${Service}:getObject", json!({"Bucket": "b"}));
        nothing_in(
            "aws-sdk:sfn:listExecutions",
            json!({"StateMachineArn.$": "$.a"}),
        );
        nothing_in("aws-sdk:cloudwatchlogs:putLogEvents", json!("${Arguments}"));
    }
}
