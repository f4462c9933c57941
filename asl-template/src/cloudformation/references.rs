//! Values of `Ref` and `Fn::GetAtt` for resources that do not exist: fixed ARNs and names.
use crate::Substitutions;
use crate::node::Node;
use std::collections::BTreeMap;

/// Names that `Ref` and `Fn::GetAtt` can use.
#[derive(Debug, Default)]
pub(crate) struct Names {
    resources: BTreeMap<String, Resource>,
    is_lenient: bool,
}

/// A resource that a template makes.
#[derive(Debug)]
pub(crate) struct Resource {
    /// Its type.
    pub(crate) resource_type: String,
    /// The name in ARNs.
    pub(crate) name: String,
}

impl Names {
    /// Those of a template of CloudFormation.
    pub(crate) fn from_resources(resources: Option<&Node<'_>>) -> Self {
        let mut names = Self::default();
        for (id, resource) in resources.into_iter().flat_map(Node::fields) {
            let resource_type = resource.get("Type").and_then(|it| it.str());
            names.add(id, resource_type.unwrap_or_default(), id);
        }
        names
    }

    /// Creates names for a tool that generates further resources: unknown names stay unchanged.
    pub(crate) fn lenient() -> Self {
        Self {
            is_lenient: true,
            ..Self::default()
        }
    }

    pub(crate) fn is_lenient(&self) -> bool {
        self.is_lenient
    }

    pub(crate) fn add(&mut self, id: &str, resource_type: &str, name: &str) {
        let resource = Resource {
            resource_type: resource_type.to_owned(),
            name: name.to_owned(),
        };
        self.resources.insert(id.to_owned(), resource);
    }

    pub(super) fn resource(&self, id: &str) -> Option<&Resource> {
        self.resources.get(id)
    }

    /// Returns true if SAM may make a resource of this name: its role of a function, say.
    pub(super) fn is_generated(&self, id: &str) -> bool {
        let is_of_sam = |beginning: &str| {
            let resource = self.resources.get(beginning);
            resource.is_some_and(|it| it.resource_type.starts_with("AWS::Serverless::"))
        };
        let mut beginnings = id.char_indices().map(|(at, _)| at).chain([id.len()]);
        id.starts_with("Serverless")
            || beginnings.any(|end| is_of_sam(id.get(..end).unwrap_or_default()))
    }
}

/// Account and region of a stack.
#[derive(Debug, Clone)]
pub(crate) struct Account {
    partition: String,
    region: String,
    id: String,
}

/// The value of a `Ref`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reference {
    Name,
    Arn,
    Url,
}

use Reference::{Arn, Name, Url};

/// By type of resource: the service and the resource of its ARN, `*` for its logical ID, and what `Ref` gives.
const TYPES: [(&str, &str, &str, Reference); 34] = [
    (
        "AWS::Batch::ComputeEnvironment",
        "batch",
        "compute-environment/*",
        Arn,
    ),
    (
        "AWS::Batch::JobDefinition",
        "batch",
        "job-definition/*:1",
        Arn,
    ),
    ("AWS::Batch::JobQueue", "batch", "job-queue/*", Arn),
    ("AWS::CodeBuild::Project", "codebuild", "project/*", Name),
    ("AWS::DynamoDB::GlobalTable", "dynamodb", "table/*", Name),
    ("AWS::DynamoDB::Table", "dynamodb", "table/*", Name),
    ("AWS::ECR::Repository", "ecr", "repository/*", Name),
    ("AWS::ECS::Cluster", "ecs", "cluster/*", Name),
    ("AWS::ECS::Service", "ecs", "service/*", Arn),
    (
        "AWS::ECS::TaskDefinition",
        "ecs",
        "task-definition/*:1",
        Arn,
    ),
    (
        "AWS::Events::ApiDestination",
        "events",
        "api-destination/*/00000000-0000-0000-0000-000000000000",
        Name,
    ),
    (
        "AWS::Events::Connection",
        "events",
        "connection/*/00000000-0000-0000-0000-000000000000",
        Name,
    ),
    ("AWS::Events::EventBus", "events", "event-bus/*", Name),
    ("AWS::Events::Rule", "events", "rule/*", Name),
    ("AWS::Glue::Crawler", "glue", "crawler/*", Name),
    ("AWS::Glue::Job", "glue", "job/*", Name),
    ("AWS::IAM::Role", "iam", "role/*", Name),
    ("AWS::KMS::Key", "kms", "key/*", Name),
    ("AWS::Kinesis::Stream", "kinesis", "stream/*", Name),
    (
        "AWS::KinesisFirehose::DeliveryStream",
        "firehose",
        "deliverystream/*",
        Name,
    ),
    ("AWS::Lambda::Alias", "lambda", "function:*", Arn),
    ("AWS::Lambda::Function", "lambda", "function:*", Name),
    ("AWS::Lambda::Version", "lambda", "function:*:1", Arn),
    ("AWS::Logs::LogGroup", "logs", "log-group:*", Name),
    ("AWS::S3::Bucket", "s3", "*", Name),
    ("AWS::SNS::Topic", "sns", "*", Arn),
    ("AWS::SQS::Queue", "sqs", "*", Url),
    ("AWS::SSM::Parameter", "ssm", "parameter/*", Name),
    (
        "AWS::SecretsManager::Secret",
        "secretsmanager",
        "secret:*",
        Arn,
    ),
    ("AWS::Serverless::Function", "lambda", "function:*", Name),
    ("AWS::Serverless::SimpleTable", "dynamodb", "table/*", Name),
    (
        "AWS::Serverless::StateMachine",
        "states",
        "stateMachine:*",
        Arn,
    ),
    ("AWS::StepFunctions::Activity", "states", "activity:*", Arn),
    (
        "AWS::StepFunctions::StateMachine",
        "states",
        "stateMachine:*",
        Arn,
    ),
];

/// Returns the property that gives a resource its name.
pub(super) fn name_property(resource_type: &str) -> Option<&'static str> {
    Some(match resource_type {
        "AWS::Batch::JobDefinition" => "JobDefinitionName",
        "AWS::Batch::JobQueue" => "JobQueueName",
        "AWS::DynamoDB::GlobalTable" | "AWS::DynamoDB::Table" | "AWS::Serverless::SimpleTable" => {
            "TableName"
        }
        "AWS::ECR::Repository" => "RepositoryName",
        "AWS::ECS::Cluster" => "ClusterName",
        "AWS::IAM::Role" => "RoleName",
        "AWS::KinesisFirehose::DeliveryStream" => "DeliveryStreamName",
        "AWS::Lambda::Alias"
        | "AWS::Lambda::Function"
        | "AWS::Lambda::Version"
        | "AWS::Serverless::Function" => "FunctionName",
        "AWS::Logs::LogGroup" => "LogGroupName",
        "AWS::S3::Bucket" => "BucketName",
        "AWS::SNS::Topic" => "TopicName",
        "AWS::SQS::Queue" => "QueueName",
        "AWS::StepFunctions::StateMachine" => "StateMachineName",
        "AWS::CodeBuild::Project"
        | "AWS::Events::Connection"
        | "AWS::Events::EventBus"
        | "AWS::Events::Rule"
        | "AWS::Glue::Crawler"
        | "AWS::Glue::Job"
        | "AWS::Kinesis::Stream"
        | "AWS::SSM::Parameter"
        | "AWS::SecretsManager::Secret"
        | "AWS::Serverless::StateMachine"
        | "AWS::StepFunctions::Activity" => "Name",
        _ => return None,
    })
}

impl Account {
    /// Creates the account from values given for pseudo parameters. The defaults are `us-east-1` and an account of zeros.
    pub(crate) fn new(given: &Substitutions) -> Self {
        let value = |name: &str, default: &str| given.value_of(name).unwrap_or(default).to_owned();
        Self {
            partition: value("AWS::Partition", "aws"),
            region: value("AWS::Region", "us-east-1"),
            id: value("AWS::AccountId", "000000000000"),
        }
    }

    /// Returns a pseudo parameter.
    pub(crate) fn pseudo(&self, name: &str) -> Option<String> {
        let Self {
            partition,
            region,
            id,
        } = self;
        Some(match name {
            "AWS::Partition" => partition.clone(),
            "AWS::Region" => region.clone(),
            "AWS::AccountId" => id.clone(),
            "AWS::StackName" => "stack".to_owned(),
            "AWS::StackId" => format!(
                "arn:{partition}:cloudformation:{region}:{id}:stack/stack/00000000-0000-0000-0000-000000000000"
            ),
            "AWS::URLSuffix" => "amazonaws.com".to_owned(),
            _ => return None,
        })
    }

    /// Returns the value of `Ref` for a resource.
    pub(crate) fn reference(&self, resource_type: &str, id: &str) -> String {
        let known = TYPES.iter().find(|(name, ..)| *name == resource_type);
        match known.map_or(Name, |(.., reference)| *reference) {
            Arn => self.arn(resource_type, id),
            Url => format!("https://sqs.{}.amazonaws.com/{}/{id}", self.region, self.id),
            Name if resource_type == "AWS::S3::Bucket" => id.to_lowercase(),
            Name => id.to_owned(),
        }
    }

    /// Returns the value of `Fn::GetAtt` for a resource.
    pub(crate) fn attribute(&self, resource_type: &str, id: &str, attribute: &str) -> String {
        let is_arn = attribute.ends_with("Arn") || attribute.ends_with("ARN");
        match attribute {
            _ if is_arn => self.arn(resource_type, id),
            "QueueUrl" => self.reference(resource_type, id),
            _ if attribute.ends_with("Name") => id.to_owned(),
            _ => format!("{id}.{attribute}"),
        }
    }

    fn arn(&self, resource_type: &str, id: &str) -> String {
        let Self {
            partition,
            region,
            id: account,
        } = self;
        let known = TYPES.iter().find(|(name, ..)| *name == resource_type);
        match known.map(|(_, service, resource, _)| (*service, resource.replace('*', id))) {
            Some(("s3", bucket)) => format!("arn:{partition}:s3:::{}", bucket.to_lowercase()),
            Some(("iam", role)) => format!("arn:{partition}:iam::{account}:{role}"),
            Some((service, resource)) => {
                format!("arn:{partition}:{service}:{region}:{account}:{resource}")
            }
            None => {
                // `AWS::Bedrock::Agent`: the service, and what it is of it.
                let mut words = resource_type.split("::").skip(1).map(str::to_lowercase);
                let service = words.next().unwrap_or_else(|| "cloudformation".to_owned());
                let kind = words.next().unwrap_or_else(|| "resource".to_owned());
                format!("arn:{partition}:{service}:{region}:{account}:{kind}/{id}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_those_of_the_type() {
        let account = Account::new(&Substitutions::default());
        for (resource_type, reference, arn) in [
            (
                "AWS::Serverless::Function",
                "X",
                "arn:aws:lambda:us-east-1:000000000000:function:X",
            ),
            (
                "AWS::SNS::Topic",
                "arn:aws:sns:us-east-1:000000000000:X",
                "arn:aws:sns:us-east-1:000000000000:X",
            ),
            (
                "AWS::SQS::Queue",
                "https://sqs.us-east-1.amazonaws.com/000000000000/X",
                "arn:aws:sqs:us-east-1:000000000000:X",
            ),
            ("AWS::S3::Bucket", "x", "arn:aws:s3:::x"),
            ("AWS::IAM::Role", "X", "arn:aws:iam::000000000000:role/X"),
            (
                "AWS::Bedrock::Agent",
                "X",
                "arn:aws:bedrock:us-east-1:000000000000:agent/X",
            ),
        ] {
            assert_eq!(account.reference(resource_type, "X"), reference);
            assert_eq!(account.attribute(resource_type, "X", "Arn"), arn);
        }
        assert_eq!(account.attribute("AWS::SNS::Topic", "X", "TopicName"), "X");
        assert_eq!(
            account.attribute("AWS::EC2::Subnet", "X", "AvailabilityZone"),
            "X.AvailabilityZone"
        );
        let given = Account::new(&Substitutions::from_iter([
            ("AWS::Region", "eu-west-1"),
            ("AWS::AccountId", "1"),
        ]));
        assert_eq!(
            given.reference("AWS::StepFunctions::Activity", "X"),
            "arn:aws:states:eu-west-1:1:activity:X"
        );
        assert!(TYPES.is_sorted_by_key(|(name, ..)| *name));
    }
}
