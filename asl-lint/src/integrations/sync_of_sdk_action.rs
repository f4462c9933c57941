//! Actions of the AWS SDK are not waited for with `.sync`: only optimized integrations are (AWS Step Functions Developer Guide,
//! AWS SDK service integrations). CreateStateMachine: "The resource provided … is not recognized."
use super::calls::Call;
use super::not_recognized::message;
use crate::lint::{Found, Lint};
use crate::subject::Subject;
use asl_model::{Change, DiagnosticRule, Fix, IntegrationPattern, Location, Resource, Severity};
use serde_json::Value;

pub(crate) const LINT: Lint = Lint {
    rule: DiagnosticRule::lint("sync-of-sdk-action"),
    severity: Severity::Error,
    look,
};

/// What optimized integrations call services of the SDK.
const OPTIMIZED: &[(&str, &str)] = &[
    ("emr", "elasticmapreduce"),
    ("emrcontainers", "emr-containers"),
    ("emrserverless", "emr-serverless"),
    ("sfn", "states"),
];

fn look(subject: &Subject<'_>, found: &mut Found) {
    for call in subject.calls().iter() {
        if call.is_sdk && call.pattern == IntegrationPattern::Sync {
            let location = call.location(subject).field("Resource");
            report(call, location, found);
        }
    }
}

fn report(call: &Call<'_>, location: Location, found: &mut Found) {
    let Some(uri) = optimized(call) else {
        let hint = "an action of the AWS SDK is asked for and answers at once: ask in a loop of states until the work is done";
        found.report(&LINT, location, message(call), hint);
        return;
    };
    let hint = format!("{uri} waits until the work is done");
    let pointer = location.pointer().to_owned();
    let reported = found.report(&LINT, location, message(call), hint);
    // Its result is another: what the job came to, in place of the answer.
    reported.with_fix(Fix::offered(
        "take the optimized integration",
        Change::Replace {
            pointer,
            value: Value::String(uri),
        },
    ));
}

/// The optimized integration that does the same and waits for it.
fn optimized(call: &Call<'_>) -> Option<String> {
    let mut renamed = OPTIMIZED.iter();
    let renamed = renamed.find(|(service, _)| *service == call.service);
    let service = renamed.map_or(call.service, |(_, name)| name);
    let (before, after) = call.uri.split_once("aws-sdk:")?;
    let rest = after.strip_prefix(call.service)?;
    let uri = format!("{before}{service}{rest}");
    let is_known = Resource::parse(&uri).is_optimized_integration();
    is_known.then_some(uri)
}

#[cfg(test)]
mod tests {
    use crate::integrations::testing::{found_in, nothing_in};
    use serde_json::json;

    #[test]
    fn actions_of_the_sdk_are_not_waited_for() {
        for way in [".sync", ".sync:2"] {
            let resource = format!("aws-sdk:glue:startJobRun{way}");
            let said = found_in(&resource, json!({"JobName": "j"}));
            assert_eq!(said.len(), 1);
            assert!(
                said[0].starts_with(&format!(
                    "error: The resource provided arn:aws:states:::{resource} is not"
                )),
                "{said:?}"
            );
        }
        let said = found_in("aws-sdk:glue:startJobRun.sync", json!({"JobName": "j"}));
        assert!(said[0].ends_with("(arn:aws:states:::glue:startJobRun.sync waits until the work is done) [take the optimized integration]"), "{said:?}");
        let said = found_in(
            "aws-sdk:sfn:startExecution.sync:2",
            json!({"StateMachineArn": "a"}),
        );
        assert!(
            said[0].contains("(arn:aws:states:::states:startExecution.sync:2 waits"),
            "{said:?}"
        );
        let said = found_in(
            "aws-sdk:s3:getObject.sync",
            json!({"Bucket": "b", "Key": "k"}),
        );
        assert!(
            said[0].ends_with("ask in a loop of states until the work is done)"),
            "{said:?}"
        );
        nothing_in("glue:startJobRun.sync", json!({"JobName": "j"}));
        nothing_in("aws-sdk:glue:startJobRun", json!({"JobName": "j"}));
    }
}
