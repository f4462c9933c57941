//! A resource `aws-sdk:SERVICE:ACTION` names an action of the service, in camel case (AWS Step Functions Developer Guide, AWS SDK
//! service integrations). CreateStateMachine: "The resource provided … is not recognized."
use super::calls::{Call, Calls};
use super::not_recognized::{self, Meant};
use crate::lint::{Lint, LintFinding};
use crate::subject::Subject;
use asl_model::{DiagnosticRule, Severity, nearest};
use asl_services::Service;

pub(crate) const LINT: Lint = Lint {
    rule: DiagnosticRule::lint("unknown-sdk-action"),
    severity: Severity::Error,
    look,
};

fn look(subject: &Subject<'_>, found: &mut LintFinding) {
    let calls = subject.calls();
    for call in calls.iter().filter(|call| call.is_sdk) {
        let Some(service) = service_without(calls, call) else {
            continue;
        };
        let names: Vec<String> = service.operations().map(|it| action(it.name())).collect();
        let meant = nearest(call.action, names.iter().map(String::as_str));
        let meant = Meant {
            part: "the action",
            written: call.action,
            meant: meant.map(str::to_owned),
            otherwise: format!(
                "{} has no such action; write an action like the API operation, with a lowercase first letter",
                calls.source()
            ),
        };
        not_recognized::report(&LINT, subject, call, meant, found);
    }
}

/// Returns the service of a call, if known and has no such action.
fn service_without<'c>(calls: &'c Calls<'_>, call: &Call<'_>) -> Option<&'c Service> {
    let service = calls.service(call.service)?;
    let mut names = service.operations().map(asl_services::Operation::name);
    let is_known = names.any(|name| is_action(name, call.action));
    (!is_known).then_some(service)
}

/// Returns true if an operation goes by the name. Of one that begins with an acronym it is not known how much of that is
/// small.
fn is_action(operation: &str, name: &str) -> bool {
    let mut capitals = operation.bytes().take_while(u8::is_ascii_uppercase);
    let has_acronym = capitals.nth(1).is_some();
    let begins_small = name.starts_with(|c: char| c.is_ascii_lowercase());
    let same_rest = operation.get(1..) == name.get(1..);
    operation.eq_ignore_ascii_case(name) && begins_small && (same_rest || has_acronym)
}

/// Returns an operation's name as an action.
fn action(operation: &str) -> String {
    let mut characters = operation.chars();
    let first = characters.next().map(|c| c.to_ascii_lowercase());
    first.into_iter().chain(characters).collect()
}

#[cfg(test)]
mod tests {
    use crate::integrations::testing::{found_in, nothing_in};
    use serde_json::json;

    #[test]
    fn actions_are_those_of_the_service() {
        let arguments = || json!({"Bucket": "b", "Key": "k"});
        let said = found_in("aws-sdk:s3:getObjekt", arguments());
        assert_eq!(
            said,
            [
                "error: The resource provided arn:aws:states:::aws-sdk:s3:getObjekt is not recognized. The value is not a valid resource ARN, or the resource is not available in this region. at /States/A/Resource (did you mean getObject?) [name the action getObject]"
            ]
        );
        let said = found_in("aws-sdk:s3:GetObject", arguments());
        assert!(
            said[0].ends_with("(did you mean getObject?) [name the action getObject!]"),
            "{said:?}"
        );
        let said = found_in("aws-sdk:s3:listObjectsV3", arguments());
        assert!(said[0].starts_with("warning: "), "{said:?}");
        let said = found_in("aws-sdk:s3:teleport", arguments());
        assert!(
            said[0].ends_with("with a lowercase first letter)"),
            "{said:?}"
        );
    }

    #[test]
    fn actions_with_acronyms_and_ways_to_wait_are_known() {
        nothing_in("aws-sdk:s3:getObject", json!({"Bucket": "b", "Key": "k"}));
        nothing_in("aws-sdk:rds:describeDBInstances", json!({}));
        nothing_in("aws-sdk:s3:listBuckets.waitForTaskToken", json!({}));
        nothing_in("aws-sdk:s3:${Action}", json!({"A": "b"}));
    }
}
