//! Creation of tables, queues, topics, buckets and event buses at an endpoint that lacks them.
use asl_aws::{CallError, CallFailure, CallOptions, Caller, Target};
use asl_template::ResourceSource;
use serde_json::{Map, Value, json};

/// Names of errors that say that a resource is there.
const EXISTS: [&str; 6] = [
    "BucketAlreadyExists",
    "BucketAlreadyOwnedByYou",
    "QueueAlreadyExists",
    "QueueNameExists",
    "ResourceAlreadyExistsException",
    "ResourceInUseException",
];

/// The call that creates a resource.
#[derive(Debug, PartialEq)]
pub(crate) struct Creation {
    pub(crate) service: &'static str,
    operation: &'static str,
    parameters: Value,
}

/// Returns true if resources may be created: never at AWS itself.
pub(crate) fn may_create(caller: &Caller) -> bool {
    *caller.settings().target() != Target::Aws
}

/// Returns the call that creates a resource; None for a type that tasks need not find.
pub(crate) fn creation(resource: &ResourceSource, region: &str) -> Option<Creation> {
    let made = |service, operation, parameters| {
        Some(Creation {
            service,
            operation,
            parameters,
        })
    };
    let name = resource.name.as_str();
    let properties = &resource.properties;
    match resource.resource_type.as_str() {
        "AWS::DynamoDB::Table" | "AWS::DynamoDB::GlobalTable" => {
            made("dynamodb", "createTable", table(name, properties))
        }
        "AWS::Serverless::SimpleTable" => {
            made("dynamodb", "createTable", simple_table(name, properties))
        }
        "AWS::SQS::Queue" => made("sqs", "createQueue", queue(name, properties)),
        "AWS::SNS::Topic" => {
            let is_fifo = is_true(properties, "FifoTopic");
            let attributes = if is_fifo {
                json!({"FifoTopic": "true"})
            } else {
                json!({})
            };
            let name = with_fifo_ending(name, is_fifo);
            made(
                "sns",
                "createTopic",
                json!({"Name": name, "Attributes": attributes}),
            )
        }
        "AWS::S3::Bucket" => {
            let mut parameters = json!({"Bucket": name.to_lowercase()});
            if region != "us-east-1" {
                parameters["CreateBucketConfiguration"] = json!({"LocationConstraint": region});
            }
            made("s3", "createBucket", parameters)
        }
        "AWS::Events::EventBus" => made("events", "createEventBus", json!({"Name": name})),
        _ => None,
    }
}

/// Creates a resource, and returns whether it is new.
///
/// # Errors
/// A message for the reader.
pub(crate) async fn create(caller: &Caller, creation: &Creation) -> Result<bool, String> {
    let Creation {
        service,
        operation,
        parameters,
    } = creation;
    let options = CallOptions::default();
    match caller.call(service, operation, parameters, &options).await {
        Ok(_) => Ok(true),
        Err(CallFailure::Answered(CallError::Service(error)))
            if EXISTS.contains(&error.name.as_deref().unwrap_or(&error.code))
                || EXISTS.contains(&error.code.as_str()) =>
        {
            Ok(false)
        }
        Err(error) => Err(error.to_string()),
    }
}

fn is_true(properties: &Value, name: &str) -> bool {
    let value = properties.get(name);
    value.is_some_and(|value| *value == true || value == "true")
}

/// A name that CloudFormation makes for a FIFO queue or topic has the ending that these need.
fn with_fifo_ending(name: &str, is_fifo: bool) -> String {
    match is_fifo && !name.ends_with(".fifo") {
        true => format!("{name}.fifo"),
        false => name.to_owned(),
    }
}

/// A table is paid by request here: what a template provides for needs no numbers.
fn table(name: &str, properties: &Value) -> Value {
    let mut parameters = Map::new();
    parameters.insert("TableName".to_owned(), name.into());
    parameters.insert("BillingMode".to_owned(), "PAY_PER_REQUEST".into());
    for field in ["AttributeDefinitions", "KeySchema", "LocalSecondaryIndexes"] {
        if let Some(value) = properties.get(field) {
            parameters.insert(field.to_owned(), value.clone());
        }
    }
    if let Some(view) = properties.pointer("/StreamSpecification/StreamViewType") {
        let stream = json!({"StreamEnabled": true, "StreamViewType": view});
        parameters.insert("StreamSpecification".to_owned(), stream);
    }
    let indexes = properties.get("GlobalSecondaryIndexes");
    let indexes = indexes
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    if !indexes.is_empty() {
        let indexes = indexes.into_iter().map(|index| {
            let field = |name: &str| index.get(name).cloned().unwrap_or_default();
            let names = ["IndexName", "KeySchema", "Projection"];
            let fields = names.map(|name| (name.to_owned(), field(name)));
            Value::Object(fields.into_iter().collect())
        });
        parameters.insert("GlobalSecondaryIndexes".to_owned(), indexes.collect());
    }
    Value::Object(parameters)
}

/// A table of SAM has one key, `id` by default (AWS SAM Developer Guide, AWS::Serverless::SimpleTable).
fn simple_table(name: &str, properties: &Value) -> Value {
    let key = |field: &str, default: &'static str| {
        let given = properties.pointer(&format!("/PrimaryKey/{field}"));
        given.and_then(Value::as_str).unwrap_or(default).to_owned()
    };
    let key_type = match key("Type", "String").as_str() {
        "Number" => "N",
        "Binary" => "B",
        _ => "S",
    };
    let key = key("Name", "id");
    let properties = json!({
        "AttributeDefinitions": [{"AttributeName": key, "AttributeType": key_type}],
        "KeySchema": [{"AttributeName": key, "KeyType": "HASH"}],
    });
    table(name, &properties)
}

fn queue(name: &str, properties: &Value) -> Value {
    let is_fifo = is_true(properties, "FifoQueue");
    let mut attributes = Map::new();
    let fields = [
        "ContentBasedDeduplication",
        "DelaySeconds",
        "MaximumMessageSize",
        "MessageRetentionPeriod",
        "ReceiveMessageWaitTimeSeconds",
        "VisibilityTimeout",
    ];
    for field in fields {
        let value = match properties.get(field) {
            Some(Value::String(text)) => text.clone(),
            Some(value @ (Value::Number(_) | Value::Bool(_))) => value.to_string(),
            _ => continue,
        };
        attributes.insert(field.to_owned(), value.into());
    }
    if is_fifo {
        attributes.insert("FifoQueue".to_owned(), "true".into());
    }
    json!({"QueueName": with_fifo_ending(name, is_fifo), "Attributes": attributes})
}

#[cfg(test)]
mod tests {
    use super::*;
    use asl_template::{File, FileSystem, ReadOptions, Substitutions, read_application};

    fn creations(resources: &str) -> Vec<(&'static str, Value)> {
        let text = format!("AWSTemplateFormatVersion: '2010-09-09'\nResources:\n{resources}");
        let given = Substitutions::default();
        let reading = ReadOptions::new(&FileSystem, &given);
        let application = read_application(File::new("template.yaml", text), &reading);
        let resources = application.resources.iter();
        let creations = resources.filter_map(|it| creation(it, "eu-west-1"));
        creations.map(|it| (it.operation, it.parameters)).collect()
    }

    #[test]
    fn each_kind_of_resource_has_a_call() {
        let made = creations(
            "  T: {Type: AWS::Serverless::SimpleTable, Properties: {TableName: t, PrimaryKey: {Name: Id, Type: Number}}}
  G: {Type: AWS::DynamoDB::Table, Properties: {AttributeDefinitions: [{AttributeName: a, AttributeType: S}], KeySchema: [{AttributeName: a, KeyType: HASH}], ProvisionedThroughput: {ReadCapacityUnits: 1, WriteCapacityUnits: 1}, GlobalSecondaryIndexes: [{IndexName: i, KeySchema: [{AttributeName: a, KeyType: HASH}], Projection: {ProjectionType: ALL}, ProvisionedThroughput: {ReadCapacityUnits: 1, WriteCapacityUnits: 1}}]}}
  Q: {Type: AWS::SQS::Queue, Properties: {FifoQueue: true, VisibilityTimeout: 30}}
  N: {Type: AWS::SNS::Topic, Properties: {TopicName: alerts}}
  B: {Type: AWS::S3::Bucket}
  E: {Type: AWS::Events::EventBus, Properties: {Name: bus}}
  R: {Type: AWS::IAM::Role}
",
        );
        let key = json!([{"AttributeName": "a", "KeyType": "HASH"}]);
        let expected = [
            (
                "createTable",
                json!({"TableName": "t", "BillingMode": "PAY_PER_REQUEST",
                "AttributeDefinitions": [{"AttributeName": "Id", "AttributeType": "N"}], "KeySchema": [{"AttributeName": "Id", "KeyType": "HASH"}]}),
            ),
            (
                "createTable",
                json!({"TableName": "G", "BillingMode": "PAY_PER_REQUEST",
                "AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}], "KeySchema": key,
                "GlobalSecondaryIndexes": [{"IndexName": "i", "KeySchema": key, "Projection": {"ProjectionType": "ALL"}}]}),
            ),
            (
                "createQueue",
                json!({"QueueName": "Q.fifo", "Attributes": {"VisibilityTimeout": "30", "FifoQueue": "true"}}),
            ),
            ("createTopic", json!({"Name": "alerts", "Attributes": {}})),
            (
                "createBucket",
                json!({"Bucket": "b", "CreateBucketConfiguration": {"LocationConstraint": "eu-west-1"}}),
            ),
            ("createEventBus", json!({"Name": "bus"})),
        ];
        assert_eq!(made, expected);
    }
}
