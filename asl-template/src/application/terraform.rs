//! Functions and resources of a Terraform plan or state.
use super::cloudformation::path_beside;
use super::{ApplicationSource, CodeSource, FunctionSource, ResourceSource};
use crate::node::{Node, Template};
use crate::terraform::resources;
use crate::{Kind, ReadOptions};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

pub(super) fn read(
    template: &Template,
    kind: Kind,
    reading: &ReadOptions<'_>,
    application: &mut ApplicationSource,
) {
    let archives = archives(template, kind);
    for resource in resources(&template.root(), kind) {
        let is_managed = resource
            .get("mode")
            .is_none_or(|it| it.str() == Some("managed"));
        let resource_type = resource.get("type").and_then(|it| it.str());
        match resource_type.filter(|_| is_managed) {
            Some("aws_lambda_function") => {
                let function = function(template, &resource, &archives, reading);
                application.functions.push(function);
            }
            None | Some("aws_sfn_state_machine") => {}
            Some(resource_type) => application
                .resources
                .extend(other(resource_type, &resource)),
        }
    }
}

/// Returns the sources of archives by their files: what `archive_file` packs.
fn archives(template: &Template, kind: Kind) -> BTreeMap<String, String> {
    let root = template.root();
    let earlier = root
        .get("prior_state")
        .filter(|_| kind == Kind::TerraformPlan);
    let all = resources(&root, kind);
    let earlier = earlier.map(|it| resources(&it, Kind::TerraformState));
    let all = all.into_iter().chain(earlier.into_iter().flatten());
    let archives = all.filter(|it| it.get("type").and_then(|it| it.str()) == Some("archive_file"));
    archives
        .filter_map(|archive| {
            let value = |name| archive.at(&["values", name])?.str();
            let source = value("source_dir").or_else(|| value("source_file"))?;
            Some((value("output_path")?.to_owned(), source.to_owned()))
        })
        .collect()
}

fn function(
    template: &Template,
    resource: &Node<'_>,
    archives: &BTreeMap<String, String>,
    reading: &ReadOptions<'_>,
) -> FunctionSource {
    let value = |name: &str| resource.at(&["values", name]);
    let text = |name: &str| Some(value(name)?.str()?.to_owned());
    let id = resource.get("address").and_then(|it| it.str());
    let id = id.unwrap_or_default();
    let name = text("function_name").unwrap_or_else(|| label(id));
    let mut function = FunctionSource::new(resource, id, name);
    function.runtime = text("runtime");
    function.handler = text("handler");
    function.timeout = value("timeout").and_then(|it| it.value.as_u64());
    function.memory = value("memory_size").and_then(|it| it.value.as_u64());
    let variables = value("environment").and_then(|it| it.elements().next()?.get("variables"));
    let variables = variables.iter().flat_map(Node::fields);
    let variables =
        variables.filter_map(|(name, value)| Some((name.to_owned(), value.str()?.to_owned())));
    function.environment = variables.collect();
    function.code = code(template, resource, archives, reading);
    let layers = value("layers");
    let layers = layers.iter().flat_map(Node::elements);
    let layers = layers.filter_map(|it| Some(CodeSource::Elsewhere(it.str()?.to_owned())));
    function.layers = layers.collect();
    function
}

fn code(
    template: &Template,
    resource: &Node<'_>,
    archives: &BTreeMap<String, String>,
    reading: &ReadOptions<'_>,
) -> CodeSource {
    let text = |name: &str| resource.at(&["values", name])?.str();
    if let Some(file) = text("filename") {
        let source = archives.get(file).map_or(file, String::as_str);
        return path_beside(template, source, reading);
    }
    let elsewhere = text("image_uri").or_else(|| text("s3_key"));
    match elsewhere {
        Some(place) => CodeSource::Elsewhere(place.to_owned()),
        None => CodeSource::Unknown,
    }
}

/// Returns the label of an address: `orders` of `module.a.aws_sqs_queue.orders`.
fn label(address: &str) -> String {
    address.rsplit('.').next().unwrap_or_default().to_owned()
}

/// Returns a resource with the properties of CloudFormation, as far as they are known here.
fn other(resource_type: &str, resource: &Node<'_>) -> Option<ResourceSource> {
    let id = resource.get("address")?.str()?;
    let values = resource.get("values")?.value;
    let text = |name: &str| values.get(name).and_then(Value::as_str);
    let (named, properties) = match resource_type {
        "aws_dynamodb_table" => ("AWS::DynamoDB::Table", table(values)),
        "aws_sqs_queue" => (
            "AWS::SQS::Queue",
            json!({"FifoQueue": values.get("fifo_queue")}),
        ),
        "aws_sns_topic" => (
            "AWS::SNS::Topic",
            json!({"FifoTopic": values.get("fifo_topic")}),
        ),
        "aws_s3_bucket" => ("AWS::S3::Bucket", json!({})),
        "aws_cloudwatch_event_bus" => ("AWS::Events::EventBus", json!({})),
        other => (other, values.clone()),
    };
    let name = text("name").or_else(|| text("bucket"));
    Some(ResourceSource {
        id: id.to_owned(),
        resource_type: named.to_owned(),
        name: name.map_or_else(|| label(id), str::to_owned),
        properties,
    })
}

fn table(values: &Value) -> Value {
    let attributes = values.get("attribute").and_then(Value::as_array);
    let attributes = attributes.into_iter().flatten().map(|attribute| {
        json!({"AttributeName": attribute.get("name"), "AttributeType": attribute.get("type")})
    });
    let keys = [("hash_key", "HASH"), ("range_key", "RANGE")];
    let keys = keys.iter().filter_map(|(name, role)| {
        let key = values.get(*name)?.as_str()?;
        Some(json!({"AttributeName": key, "KeyType": role}))
    });
    let mut properties = Map::new();
    properties.insert("AttributeDefinitions".to_owned(), attributes.collect());
    properties.insert("KeySchema".to_owned(), keys.collect());
    Value::Object(properties)
}
