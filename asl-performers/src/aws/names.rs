//! The names that errors have for a service.
use asl_aws::services::{Service, step_functions_name};

/// Names in errors of optimized integrations, which go by the first SDK for Java: of the service in resources; before the
/// error; of the general error; in causes.
const OPTIMIZED: &[(&str, &str, &str, &str)] = &[
    ("athena", "Athena", "AmazonAthenaException", "AmazonAthena"),
    ("batch", "Batch", "AWSBatchException", "AWSBatch"),
    (
        "codebuild",
        "CodeBuild",
        "AWSCodeBuildException",
        "AWSCodeBuild",
    ),
    (
        "dynamodb",
        "DynamoDB",
        "AmazonDynamoDBException",
        "AmazonDynamoDBv2",
    ),
    ("ecs", "ECS", "AmazonECSException", "AmazonECS"),
    (
        "elasticmapreduce",
        "ElasticMapReduce",
        "AmazonElasticMapReduceException",
        "AmazonElasticMapReduce",
    ),
    (
        "events",
        "EventBridge",
        "AmazonEventBridgeException",
        "AmazonEventBridge",
    ),
    ("glue", "Glue", "AWSGlueException", "AWSGlue"),
    ("lambda", "Lambda", "AWSLambdaException", "AWSLambda"),
    (
        "sagemaker",
        "SageMaker",
        "AmazonSageMakerException",
        "AmazonSageMaker",
    ),
    ("sns", "SNS", "AmazonSNSException", "AmazonSNS"),
    ("sqs", "SQS", "AmazonSQSException", "AmazonSQS"),
];

/// The names of a service in errors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ServiceNames {
    /// Before the name of an error: `DynamoDB`, `DynamoDb`.
    pub(super) prefix: String,
    /// The error that the model does not describe.
    pub(super) general: String,
    /// In causes.
    pub(super) in_causes: String,
    /// True if causes are those of the second SDK.
    pub(super) is_of_sdk: bool,
    /// True of a service whose causes have a second request id.
    pub(super) has_extended_id: bool,
}

impl ServiceNames {
    /// Returns the names of a service, as a resource calls it.
    pub(super) fn of_service(service: &str, model: &Service) -> Self {
        let id = model.interface().map_or("", |it| it.service_id.as_str());
        let is_of_sdk = service.starts_with("aws-sdk:");
        let (prefix, general, in_causes) = match is_of_sdk {
            true => of_sdk(id),
            false => of_optimized(service, id),
        };
        Self {
            prefix,
            general,
            in_causes,
            is_of_sdk,
            has_extended_id: model.name() == "s3",
        }
    }
}

fn of_sdk(id: &str) -> (String, String, String) {
    let name = step_functions_name(id);
    (name.clone(), format!("{name}Exception"), name)
}

fn of_optimized(service: &str, id: &str) -> (String, String, String) {
    let known = OPTIMIZED.iter().find(|(own, ..)| *own == service);
    if let Some((_, prefix, general, in_causes)) = known {
        return [prefix, general, in_causes]
            .map(|it| (*it).to_owned())
            .into();
    }
    let plain: String = id.chars().filter(char::is_ascii_alphanumeric).collect();
    let amazon = format!("Amazon{plain}");
    (plain, format!("{amazon}Exception"), amazon)
}
