//! "Resource" of a Task State: for the service the ARN of a function, an activity or an integration that it has, for
//! the specification any URI (specification, Task State).
use crate::read::{Object, Place, Read, Reader, Reported};
use crate::rules::placeholders::is_placeholder;
use crate::{Profile, StateMachineType};

/// How an integration waits for its work besides not at all.
const CALLBACK: &str = ".waitForTaskToken";
const JOB: &str = ".sync";
const JOB_2: &str = ".sync:2";

/// The optimized integrations: service, actions, and the ways in which each of these actions can wait.
const INTEGRATIONS: &[(&str, &[&str], &[&str])] = &[
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

/// Services of which every action is taken: the names of SDK actions and of newer services are not listed here, and
/// `task` stands in the specification's own examples.
const OPEN: &[&str] = &["aws-sdk", "bedrock-agentcore", "task"];

impl<'v> Reader<'v> {
    /// "Resource".
    pub(crate) fn resource(&mut self, state: Object<'v, '_>) -> Read<String> {
        self.required(state, &["Resource"])?;
        let Some(text) = self.text(state, "Resource")? else {
            return Err(Reported);
        };
        let place = state.at("Resource");
        if self.options.state_machine_type == StateMachineType::Express {
            self.express(text, &place)?;
        }
        let sound = match self.options.profile {
            _ if is_placeholder(text) => Ok(()),
            Profile::Aws => self.arn(text, &place),
            Profile::Spec if text.is_empty() => Err(self.schema(&place, "Value cannot be empty")),
            Profile::Spec => Ok(()),
        };
        sound.map(|()| text.to_owned())
    }

    fn arn(&mut self, text: &str, place: &Place<'_>) -> Read<()> {
        let parts: Vec<&str> = text.splitn(6, ':').collect();
        let ["arn", _partition, service, region, account, resource] = *parts else {
            return Err(self.schema(place, "Value is not a valid resource ARN"));
        };
        if resource.is_empty() || service.is_empty() {
            return Err(self.schema(place, "Value is not a valid resource ARN"));
        }
        let integration = service == "states" && region.is_empty() && account.is_empty();
        if integration && !is_integration(resource) {
            let message = format!(
                "The resource provided {text} is not recognized. The value is not a valid resource ARN, or the resource is not available in this region."
            );
            return Err(self.schema(place, message));
        }
        Ok(())
    }

    /// An Express machine waits for nothing outside it.
    fn express(&mut self, text: &str, place: &Place<'_>) -> Read<()> {
        // The service writes the space at the end of the first of these.
        let message = if text.ends_with(CALLBACK) {
            "Express state machine does not support '.waitForTaskToken' service integration "
        } else if text.ends_with(JOB) || text.ends_with(JOB_2) {
            "Express state machine does not support '.sync' service integration"
        } else if is_activity(text) {
            "Express state machine does not support Activity ARN"
        } else {
            return Ok(());
        };
        Err(self.schema(place, message))
    }
}

/// `arn:PARTITION:states:REGION:ACCOUNT:activity:NAME`.
fn is_activity(text: &str) -> bool {
    let mut parts = text.splitn(7, ':');
    parts.next() == Some("arn")
        && parts.nth(1) == Some("states")
        && parts.nth(2) == Some("activity")
}

/// `SERVICE:ACTION` with a way to wait, perhaps.
fn is_integration(resource: &str) -> bool {
    let Some((service, rest)) = resource.split_once(':') else {
        return false;
    };
    if OPEN.contains(&service) {
        return !rest.is_empty();
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
        ] {
            assert!(!is_integration(resource), "{resource}");
        }
    }

    #[test]
    fn knows_activities() {
        assert!(is_activity(
            "arn:aws:states:eu-west-1:123456789012:activity:A"
        ));
        assert!(!is_activity("arn:aws:states:::lambda:invoke"));
        assert!(!is_activity(
            "arn:aws:lambda:eu-west-1:123456789012:function:activity"
        ));
    }
}
