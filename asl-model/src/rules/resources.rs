//! "Resource" of a Task State: for the service the ARN of a function, an activity or an integration that it has, for
//! the specification any URI (2024 specification, Task State).
use crate::advice::{advise_invalid_arn, advise_job_of_sdk};
use crate::definition::Arn;
use crate::read::{ErrorReported, Object, Place, Read, Reader};
use crate::rules::placeholders::is_placeholder;
use crate::{DiagnosticRule, Resource, ResourceKind, ResourceNames, StateMachineType};

const INVALID: &str = "Value is not a valid resource ARN";

/// The suffix of integrations that wait for a callback.
const CALLBACK: &str = ".waitForTaskToken";
const JOB: &str = ".sync";
const JOB_2: &str = ".sync:2";

/// The optimized integrations: service, actions, and the ways in which each of these actions can wait.
pub(crate) const INTEGRATIONS: &[(&str, &[&str], &[&str])] = &[
    ("apigateway", &["invoke"], &[CALLBACK]),
    ("athena", &["startQueryExecution"], &[JOB]),
    (
        "athena",
        &["stopQueryExecution", "getQueryExecution", "getQueryResults"],
        &[],
    ),
    ("batch", &["submitJob"], &[JOB]),
    ("bedrock", &["invokeModel"], &[CALLBACK]),
    ("bedrock", &["createModelCustomizationJob"], &[JOB]),
    (
        "codebuild",
        &["startBuild", "startBuildBatch", "retryBuildBatch"],
        &[JOB],
    ),
    (
        "codebuild",
        &[
            "stopBuild",
            "stopBuildBatch",
            "deleteBuildBatch",
            "batchDeleteBuilds",
            "batchGetReports",
        ],
        &[],
    ),
    ("databrew", &["startJobRun"], &[JOB]),
    (
        "dynamodb",
        &["getItem", "putItem", "updateItem", "deleteItem"],
        &[],
    ),
    ("ecs", &["runTask"], &[JOB, CALLBACK]),
    (
        "eks",
        &[
            "createCluster",
            "deleteCluster",
            "createFargateProfile",
            "deleteFargateProfile",
            "createNodegroup",
            "deleteNodegroup",
            "runJob",
        ],
        &[JOB, CALLBACK],
    ),
    ("eks", &["call"], &[CALLBACK]),
    (
        "elasticmapreduce",
        &["createCluster", "terminateCluster", "addStep"],
        &[JOB],
    ),
    (
        "elasticmapreduce",
        &[
            "setClusterTerminationProtection",
            "cancelStep",
            "modifyInstanceFleetByName",
            "modifyInstanceGroupByName",
        ],
        &[],
    ),
    ("emr-containers", &["createVirtualCluster"], &[]),
    (
        "emr-containers",
        &["deleteVirtualCluster", "startJobRun"],
        &[JOB],
    ),
    (
        "emr-serverless",
        &[
            "createApplication",
            "startApplication",
            "stopApplication",
            "deleteApplication",
            "startJobRun",
            "cancelJobRun",
        ],
        &[JOB],
    ),
    ("events", &["putEvents"], &[CALLBACK]),
    ("glue", &["startJobRun"], &[JOB]),
    ("http", &["invoke"], &[]),
    ("lambda", &["invoke"], &[CALLBACK]),
    ("mediaconvert", &["createJob"], &[JOB]),
    (
        "sagemaker",
        &[
            "createHyperParameterTuningJob",
            "createLabelingJob",
            "createProcessingJob",
            "createTrainingJob",
            "createTransformJob",
        ],
        &[JOB],
    ),
    (
        "sagemaker",
        &[
            "createEndpoint",
            "createEndpointConfig",
            "createModel",
            "updateEndpoint",
        ],
        &[],
    ),
    ("sns", &["publish"], &[CALLBACK]),
    ("sqs", &["sendMessage"], &[CALLBACK]),
    ("states", &["startExecution"], &[JOB, JOB_2, CALLBACK]),
];

/// Services whose actions are all accepted: names of SDK actions and of newer services are not listed here, and examples of
/// the specification use `task`.
pub(crate) const OPEN: &[&str] = &["aws-sdk", "bedrock-agentcore", "task"];

impl<'v> Reader<'v> {
    /// "Resource".
    pub(crate) fn resource(&mut self, state: Object<'v, '_>) -> Read<Resource> {
        self.required(state, &["Resource"])?;
        let Some(text) = self.text(state, "Resource")? else {
            return Err(ErrorReported);
        };
        let place = state.at("Resource");
        let resource = Resource::parse(text);
        if self.options.state_machine_type == StateMachineType::Express {
            self.express(&resource, &place)?;
        }
        match (self.options.resources, self.options.profile) {
            _ if is_placeholder(text) => {}
            (ResourceNames::Any, _) => self.any_resource(text, &place)?,
            (ResourceNames::Known, profile) if profile.requires_known_resources() => {
                self.service_resource(text, &place)?;
            }
            (ResourceNames::Known, _) => self.uri(text, &place)?,
        }
        Ok(resource)
    }

    /// A handler goes by any name but none.
    fn any_resource(&mut self, text: &str, place: &Place<'_>) -> Read<()> {
        if !text.is_empty() {
            return Ok(());
        }
        let hint = "a resource is a URI or the name of a task handler";
        Err(self.fault_with_hint(place, DiagnosticRule::INVALID_RESOURCE, INVALID, hint))
    }

    /// A URI has a scheme (RFC 3986, section 3).
    fn uri(&mut self, text: &str, place: &Place<'_>) -> Read<()> {
        if scheme(text).is_some() {
            return Ok(());
        }
        let hint = "a resource is a URI, such as arn:aws:lambda:us-east-1:123456789012:function:NAME; with the setting \
            resources = \"any\" it may be any name";
        Err(self.fault_with_hint(place, DiagnosticRule::INVALID_RESOURCE, INVALID, hint))
    }

    /// The service takes ARNs; another URI can only mean something to another interpreter.
    fn service_resource(&mut self, text: &str, place: &Place<'_>) -> Read<()> {
        self.uri(text, place)?;
        if scheme(text) == Some("arn") {
            return self.arn(text, place);
        }
        self.warn(
            place,
            DiagnosticRule::RESOURCE_NOT_OF_SERVICE,
            format!("'{text}' is not an ARN: AWS Step Functions does not accept it"),
            "use the ARN of a function, an activity or a service integration to deploy it",
        );
        Ok(())
    }

    fn arn(&mut self, text: &str, place: &Place<'_>) -> Read<()> {
        let Some(arn) = Arn::parse(text).filter(is_sound) else {
            let reported = self.fault(place, DiagnosticRule::INVALID_RESOURCE, INVALID);
            return Err(reported.with_advice(self, advise_invalid_arn(text)));
        };
        if arn.is_integration() && !is_integration(arn.resource) {
            let message = format!(
                "The resource provided {text} is not recognized. The value is not a valid resource ARN, or the resource is not available in this region."
            );
            if is_job_of_sdk(arn.resource) {
                let reported = self.fault(place, DiagnosticRule::SYNC_OF_SDK_ACTION, message);
                return Err(reported.with_advice(self, advise_job_of_sdk(place, text)));
            }
            let reported = self.fault(place, DiagnosticRule::UNKNOWN_INTEGRATION, message);
            let advice = self.advise_unknown_integration(place, text);
            return Err(reported.with_advice(self, advice));
        }
        Ok(())
    }

    /// Returns an Express machine waits for nothing outside it.
    fn express(&mut self, resource: &Resource, place: &Place<'_>) -> Read<()> {
        let text = &resource.uri;
        // The service writes the space at the end of the first of these.
        let (message, hint) = if text.ends_with(CALLBACK) {
            (
                "Express state machine does not support '.waitForTaskToken' service integration ",
                "an Express state machine does not wait for callbacks: remove the suffix, or use a Standard state machine",
            )
        } else if text.ends_with(JOB) || text.ends_with(JOB_2) {
            (
                "Express state machine does not support '.sync' service integration",
                "an Express state machine does not wait for jobs: remove `.sync`, or use a Standard state machine",
            )
        } else if resource.kind == ResourceKind::Activity {
            (
                "Express state machine does not support Activity ARN",
                "an Express state machine does not wait for workers: call a function, or use a Standard state machine",
            )
        } else {
            return Ok(());
        };
        Err(self.fault_with_hint(place, DiagnosticRule::NOT_IN_EXPRESS, message, hint))
    }
}

impl Resource {
    /// Returns true if it is an optimized integration that the service has, with the way in which it waits.
    ///
    /// ```
    /// use asl_model::Resource;
    /// assert!(Resource::parse("arn:aws:states:::glue:startJobRun.sync").is_optimized_integration());
    /// assert!(!Resource::parse("arn:aws:states:::sqs:sendMessage.sync").is_optimized_integration());
    /// assert!(!Resource::parse("arn:aws:states:::aws-sdk:glue:startJobRun").is_optimized_integration());
    /// ```
    pub fn is_optimized_integration(&self) -> bool {
        self.integration().is_some_and(|integration| {
            let service = integration.service.split(':').next().unwrap_or_default();
            let resource = format!("{}:{}", integration.service, integration.action);
            !OPEN.contains(&service) && is_integration(&resource)
        })
    }
}

/// Returns true if an ARN has the required parts of every ARN, and for a function the parts of its ARN.
fn is_sound(arn: &Arn<'_>) -> bool {
    match arn.service {
        "lambda" => is_function(arn.resource),
        service => !service.is_empty() && !arn.resource.is_empty(),
    }
}

/// Returns the text before the first colon of a URI.
fn scheme(text: &str) -> Option<&str> {
    let (scheme, rest) = text.split_once(':')?;
    let mut bytes = scheme.bytes();
    let letter = bytes.next()?.is_ascii_alphabetic();
    let plain = bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
    (letter && plain && !rest.is_empty()).then_some(scheme)
}

/// `function:NAME` with a version or an alias, perhaps.
fn is_function(resource: &str) -> bool {
    // Next to what names are made of: the brackets of placeholders, `<name>` and `${name}`.
    let plain = |part: &str| {
        let in_name = |b: u8| b.is_ascii_alphanumeric() || b"-_$.<>{}".contains(&b);
        !part.is_empty() && part.bytes().all(in_name)
    };
    match resource.split(':').collect::<Vec<_>>()[..] {
        ["function", name] => plain(name),
        ["function", name, qualifier] => plain(name) && plain(qualifier),
        _ => false,
    }
}

/// Returns true for an action of the SDK that asks to be waited for, which only optimized integrations support.
fn is_job_of_sdk(resource: &str) -> bool {
    resource.starts_with("aws-sdk:") && (resource.ends_with(JOB) || resource.ends_with(JOB_2))
}

/// `SERVICE:ACTION` with a way to wait, perhaps.
fn is_integration(resource: &str) -> bool {
    let Some((service, rest)) = resource.split_once(':') else {
        return false;
    };
    if OPEN.contains(&service) {
        return !rest.is_empty() && !is_job_of_sdk(resource);
    }
    INTEGRATIONS.iter().any(|(known, actions, ways)| {
        *known == service
            && actions.iter().any(|action| {
                rest.strip_prefix(action)
                    .is_some_and(|way| way.is_empty() || ways.contains(&way))
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{accepted, express_errors, refused, spec_errors, task, warnings};
    use crate::{Options, Profile, parse_value};
    use serde_json::json;

    #[test]
    fn knows_the_integrations() {
        for resource in [
            "dynamodb:getItem",
            "lambda:invoke.waitForTaskToken",
            "states:startExecution.sync:2",
            "athena:startQueryExecution.sync",
            "athena:getQueryResults",
            "aws-sdk:s3:listBuckets",
        ] {
            assert!(is_integration(resource), "{resource}");
        }
        for resource in [
            "dynamodb:query",
            "dynamodb:getItem.sync",
            "lambda:invoke.sync",
            "sqs:sendMessage.sync:2",
            "athena:getQueryResults.sync",
            "nothing:invoke",
            "lambda",
            "aws-sdk:",
            "aws-sdk:s3:listBuckets.sync",
            "aws-sdk:sfn:startExecution.sync:2",
        ] {
            assert!(!is_integration(resource), "{resource}");
        }
    }

    #[test]
    fn knows_functions() {
        for resource in [
            "function:A",
            "function:A-b_c:$LATEST",
            "function:A:7",
            "function:<name>",
        ] {
            assert!(is_function(resource), "{resource}");
        }
        for resource in [
            "function:",
            "function:A:",
            "function:A:$*#",
            "layer:A",
            "function:A:1:2",
        ] {
            assert!(!is_function(resource), "{resource}");
        }
    }

    #[test]
    fn knows_schemes() {
        assert_eq!(scheme("docker://hello-world"), Some("docker"));
        assert_eq!(scheme("foo:bar"), Some("foo"));
        for text in ["foo", ":bar", "foo:", "1:2", "a b:c", ""] {
            assert_eq!(scheme(text), None, "{text}");
        }
    }

    #[test]
    fn only_known_integrations_are_taken() {
        let query = |resource: &str| task(json!({"Resource": resource}));
        refused(
            &query("arn:aws:states:::dynamodb:query"),
            "The resource provided arn:aws:states:::dynamodb:query is not recognized. The value is not a valid resource ARN, or the resource is not available in this region. at /States/A/Resource",
        );
        for resource in [
            "",
            "Lambda",
            "arn:",
            "arn:aws:lambda",
            "arn:aws:lambda:r:1:function:A:",
        ] {
            let definition = query(resource);
            refused(
                &definition,
                "Value is not a valid resource ARN at /States/A/Resource",
            );
        }
        for resource in [
            "arn:aws:states:eu-west-1:123456789012:activity:A",
            "arn:aws-cn:states:::sns:publish",
            "${Function}",
            "arn:${Partition}:states:::nothing:known",
        ] {
            let parameters = json!({"Message": "m"});
            accepted(&task(
                json!({"Resource": resource, "Parameters": parameters}),
            ));
        }
    }

    #[test]
    fn a_uri_that_is_no_arn_is_for_other_interpreters() {
        let definition = task(json!({"Resource": "docker://hello-world"}));
        let text = "INVALID_RESOURCE: 'docker://hello-world' is not an ARN: AWS Step Functions does not accept it at /States/A/Resource";
        assert_eq!(warnings(&definition), [text]);
        assert_eq!(spec_errors(&definition), [""; 0]);
        let unknown = task(json!({"Resource": "arn:aws:states:::dynamodb:query"}));
        assert_eq!(spec_errors(&unknown), [""; 0]);
    }

    #[test]
    fn an_express_machine_waits_for_nothing() {
        for (resource, message) in [
            (
                "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
                "'.waitForTaskToken' service integration ",
            ),
            (
                "arn:aws:states:::states:startExecution.sync",
                "'.sync' service integration",
            ),
            (
                "arn:aws:states:::states:startExecution.sync:2",
                "'.sync' service integration",
            ),
            (
                "arn:aws:states:eu-west-1:123456789012:activity:A",
                "Activity ARN",
            ),
        ] {
            let request = json!({"QueueUrl": "q", "MessageBody": "m", "StateMachineArn": "s"});
            let definition = task(json!({"Resource": resource, "Parameters": request}));
            accepted(&definition);
            let text = format!(
                "SCHEMA_VALIDATION_FAILED: Express state machine does not support {message} at /States/A/Resource"
            );
            assert_eq!(express_errors(&definition), [text]);
        }
    }

    #[test]
    fn an_embedding_program_names_its_resources_as_it_likes() {
        let errors = |resource: &str, profile, state_machine_type| {
            let options = Options::default()
                .with_profile(profile)
                .with_state_machine_type(state_machine_type)
                .with_resources(ResourceNames::Any);
            let read = parse_value(&task(json!({"Resource": resource})), options);
            read.map_or_else(|found| found.to_string(), |(_, found)| found.to_string())
        };
        let standard = StateMachineType::Standard;
        for profile in [Profile::Aws, Profile::Spec] {
            for resource in ["charge", "charge card", "docker://hello", "arn:aws:lambda"] {
                assert_eq!(errors(resource, profile, standard), "", "{resource}");
            }
            let text =
                "SCHEMA_VALIDATION_FAILED: Value is not a valid resource ARN at /States/A/Resource";
            assert_eq!(errors("", profile, standard), text);
        }
        let job = "arn:aws:states:::batch:submitJob.sync";
        assert!(errors(job, Profile::Aws, StateMachineType::Express).contains("'.sync'"));
    }
}
