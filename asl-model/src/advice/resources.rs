//! Invalid resources, and integrations that the service does not have.
use super::{Advice, is_same_word, listed, replaced};
use crate::read::{Place, Reader};
use crate::rules::resources::{INTEGRATIONS, OPEN};
use crate::{Change, Fix, Resource};
use serde_json::Value;

impl Reader<'_> {
    /// Returns advice for the ARN of an unknown integration.
    pub(crate) fn advise_unknown_integration(&mut self, place: &Place<'_>, text: &str) -> Advice {
        let Some((begin, resource)) = text.split_once(":states:::") else {
            return Advice::default();
        };
        let begin = format!("{begin}:states:::");
        let (service, rest) = resource.split_once(':').unwrap_or((resource, ""));
        let known = || {
            INTEGRATIONS
                .iter()
                .filter(move |(name, ..)| *name == service)
        };
        if known().next().is_none() {
            let services = INTEGRATIONS
                .iter()
                .map(|(name, ..)| *name)
                .chain(OPEN.iter().copied());
            return match self.comparisons.nearest(service, services) {
                Some(meant) => {
                    suggest_name(place, service, meant, &format!("{begin}{meant}:{rest}"))
                }
                None => Advice::new(format!(
                    "{service} has no optimized integration; use aws-sdk:{service}:ACTION to call its API"
                )),
            };
        }
        let (action, way) = rest.split_once('.').unwrap_or((rest, ""));
        let actions = || known().flat_map(|(_, actions, _)| actions.iter().copied());
        let Some((_, _, ways)) = known().find(|(_, actions, _)| actions.contains(&action)) else {
            return match self.comparisons.nearest(action, actions()) {
                Some(meant) => {
                    let rest = rest.strip_prefix(action).unwrap_or_default();
                    suggest_name(
                        place,
                        action,
                        meant,
                        &format!("{begin}{service}:{meant}{rest}"),
                    )
                }
                None => Advice::new(format!(
                    "the optimized actions of {service} are {}; use aws-sdk:{service}:ACTION for other actions",
                    listed(actions(), "and")
                )),
            };
        };
        if let Some(meant) = ways
            .iter()
            .find(|known| is_same_word(known, &format!(".{way}")))
        {
            return suggest_name(
                place,
                way,
                meant,
                &format!("{begin}{service}:{action}{meant}"),
            );
        }
        Advice::new(match ways {
            [] => format!(
                "{service}:{action} is a request-response integration: it does not wait for a job or callback"
            ),
            ways => format!(
                "{service}:{action} supports {}",
                listed(ways.iter().copied(), "or")
            ),
        })
    }
}

fn suggest_name(place: &Place<'_>, name: &str, meant: &str, whole: &str) -> Advice {
    Advice::new(format!("did you mean `{meant}`?")).with_fix(replaced(
        is_same_word(name, meant),
        place,
        whole,
    ))
}

/// Services of the SDK by their names in optimized integrations.
const OPTIMIZED: &[(&str, &str)] = &[
    ("emr", "elasticmapreduce"),
    ("emrcontainers", "emr-containers"),
    ("emrserverless", "emr-serverless"),
    ("sfn", "states"),
];

/// Advises on an action of the SDK with `.sync`.
pub(crate) fn advise_job_of_sdk(place: &Place<'_>, text: &str) -> Advice {
    let Some(uri) = optimized(text) else {
        return Advice::new("an AWS SDK integration returns immediately: poll in a loop of states until the work is done".to_owned());
    };
    let pointer = place.location().pointer().to_owned();
    // Its result is another: the job's, in place of the answer to the request.
    let fix = Fix::offered(
        "use the optimized integration",
        Change::Replace {
            pointer,
            value: Value::String(uri.clone()),
        },
    );
    Advice::new(format!("{uri} waits until the work is done")).with_fix(fix)
}

/// Returns the optimized integration that does the same and waits for it.
fn optimized(text: &str) -> Option<String> {
    let (before, after) = text.split_once("aws-sdk:")?;
    let (service, action) = after.split_once(':')?;
    let mut renamed = OPTIMIZED.iter();
    let renamed = renamed.find(|(of_sdk, _)| *of_sdk == service);
    let service = renamed.map_or(service, |(_, name)| name);
    let uri = format!("{before}{service}:{action}");
    Resource::parse(&uri)
        .is_optimized_integration()
        .then_some(uri)
}

/// Returns advice for a text that is not the ARN of a task resource.
pub(crate) fn advise_invalid_arn(text: &str) -> Advice {
    let parts = text.split(':').count();
    Advice::new(match text.contains(":lambda:") {
        true => "the ARN of a function is arn:aws:lambda:REGION:ACCOUNT:function:NAME, with :VERSION or :ALIAS at most".to_owned(),
        false if parts < 6 => format!(
            "an ARN has six parts, arn:PARTITION:SERVICE:REGION:ACCOUNT:RESOURCE; this has {parts}"
        ),
        false => "an ARN is arn:PARTITION:SERVICE:REGION:ACCOUNT:RESOURCE; service and resource are not empty".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::{advice, machine};
    use serde_json::json;

    #[test]
    fn integrations_are_corrected() {
        for (resource, told) in [
            (
                "lamda:invoke",
                "did you mean `lambda`? (write \"arn:aws:states:::lambda:invoke\"?)",
            ),
            (
                "sqs:sendmessage.waitForTaskToken",
                "did you mean `sendMessage`? (write \"arn:aws:states:::sqs:sendMessage.waitForTaskToken\")",
            ),
            (
                "glue:startJobRun.Sync",
                "did you mean `.sync`? (write \"arn:aws:states:::glue:startJobRun.sync\"?)",
            ),
            (
                "sqs:sendMessage.sync",
                "sqs:sendMessage supports .waitForTaskToken",
            ),
            (
                "dynamodb:getItem.sync",
                "dynamodb:getItem is a request-response integration: it does not wait for a job or callback",
            ),
            (
                "aws-sdk:glue:startJobRun.sync",
                "arn:aws:states:::glue:startJobRun.sync waits until the work is done (use the optimized integration?)",
            ),
            (
                "aws-sdk:sfn:startExecution.sync:2",
                "arn:aws:states:::states:startExecution.sync:2 waits until the work is done (use the optimized integration?)",
            ),
            (
                "aws-sdk:s3:getObject.sync",
                "an AWS SDK integration returns immediately: poll in a loop of states until the work is done",
            ),
            (
                "s3:getObject",
                "s3 has no optimized integration; use aws-sdk:s3:ACTION to call its API",
            ),
            (
                "dynamodb:query",
                "the optimized actions of dynamodb are getItem, putItem, updateItem and deleteItem; use aws-sdk:dynamodb:ACTION for other actions",
            ),
        ] {
            let resource = format!("arn:aws:states:::{resource}");
            let state = json!({"Type": "Task", "Resource": resource, "End": true});
            assert_eq!(advice(&machine(state)), [told]);
        }
    }

    #[test]
    fn parts_of_arns_are_named() {
        let state = |resource| json!({"Type": "Task", "Resource": resource, "End": true});
        assert_eq!(
            advice(&machine(state("arn:aws:lambda:f"))),
            [
                "the ARN of a function is arn:aws:lambda:REGION:ACCOUNT:function:NAME, with :VERSION or :ALIAS at most"
            ]
        );
        assert_eq!(
            advice(&machine(state("arn:aws:states:x"))),
            ["an ARN has six parts, arn:PARTITION:SERVICE:REGION:ACCOUNT:RESOURCE; this has 4"]
        );
    }
}
