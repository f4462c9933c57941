//! Actions of the AWS SDK are not waited for with `.sync`: only optimized integrations are (AWS Step Functions Developer Guide,
//! AWS SDK service integrations). CreateStateMachine: "The resource provided … is not recognized."
use super::not_recognized::message;
use crate::lint::{Found, Lint};
use crate::subject::Subject;
use asl_model::{DiagnosticRule, IntegrationPattern, Severity};

pub(crate) const LINT: Lint = Lint {
    rule: DiagnosticRule::lint("sync-of-sdk-action"),
    severity: Severity::Error,
    look,
};

fn look(subject: &Subject<'_>, found: &mut Found) {
    for call in subject.calls().iter() {
        if call.is_sdk && call.pattern == IntegrationPattern::Sync {
            let hint = "an action of the AWS SDK is asked for and answers at once: wait in a loop of states until the work is done, or take an optimized integration of the service, if there is one";
            let location = call.location(subject).field("Resource");
            found.report(&LINT, location, message(call), hint);
        }
    }
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
        nothing_in("glue:startJobRun.sync", json!({"JobName": "j"}));
        nothing_in("aws-sdk:glue:startJobRun", json!({"JobName": "j"}));
    }
}
