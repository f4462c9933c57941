//! Functions and resources of the Serverless Framework.
use super::cloudformation::path_beside;
use super::function::{evaluated, number, text, texts};
use super::{ApplicationSource, CodeSource, EventSource, FunctionSource, ResourceSource};
use crate::ReadOptions;
use crate::cloudformation::Evaluator;
use crate::node::{Node, Template};
use crate::serverless::{function_name, names};
use crate::shelf::Shelf;
use crate::variables::Variables;
use serde_json::{Value, json};

/// The framework's defaults (Serverless Framework documentation, AWS Lambda Functions): seconds, and MB.
const DEFAULTS: (u64, u64) = (6, 1024);

pub(super) fn read(
    template: Template,
    reading: &ReadOptions<'_>,
    application: &mut ApplicationSource,
) {
    let shelf = Shelf::default();
    let Some(template) = shelf.add(template) else {
        return;
    };
    let variables = Variables::new(template, &shelf, *reading);
    let names = names(&variables, template);
    let root = template.root();
    let resources = variables.resolved(&root, &["resources", "Resources"]);
    let mut evaluator = Evaluator::new(template, reading.given, names, Some(&variables))
        .with_resources(resources.clone());
    let functions = variables.resolved(&root, &["functions"]);
    for (id, node) in functions.iter().flat_map(Node::fields) {
        let node = variables.resolve(&node);
        let function = function(&mut evaluator, &variables, reading, (template, id), &node);
        application.functions.push(function);
    }
    for (id, resource) in resources.iter().flat_map(Node::fields) {
        let resource_type = resource.get("Type").and_then(|it| it.str());
        let properties = resource.get("Properties");
        let properties = properties.map(|node| evaluated(&mut evaluator, &node));
        application.resources.push(ResourceSource {
            id: id.to_owned(),
            resource_type: resource_type.unwrap_or_default().to_owned(),
            name: evaluator.physical_name(id),
            properties: properties.unwrap_or_default(),
        });
    }
    let machines = variables.resolved(&root, &["stepFunctions", "stateMachines"]);
    for (id, machine) in machines.iter().flat_map(Node::fields) {
        let machine = variables.resolve(&machine);
        application
            .events
            .extend(events(&mut evaluator, id, machine.get("events")));
    }
}

fn function<'t>(
    evaluator: &mut Evaluator<'t>,
    variables: &Variables<'t>,
    reading: &ReadOptions<'_>,
    (template, id): (&'t Template, &str),
    node: &Node<'t>,
) -> FunctionSource {
    let root = template.root();
    let provider = |name: &str| variables.resolved(&root, &["provider", name]);
    let property = |name: &str| node.get(name).or_else(|| provider(name));
    let mut function = FunctionSource::new(node, id, function_name(variables, template, id));
    function.runtime = text(evaluator, property("runtime"));
    function.handler = text(evaluator, node.get("handler"));
    function.timeout = number(evaluator, property("timeout")).or(Some(DEFAULTS.0));
    function.memory = number(evaluator, property("memorySize")).or(Some(DEFAULTS.1));
    function.environment = texts(evaluator, provider("environment"));
    function
        .environment
        .extend(texts(evaluator, node.get("environment")));
    function.code = match text(evaluator, node.get("image")) {
        Some(image) => CodeSource::Elsewhere(image),
        None => path_beside(template, ".", reading),
    };
    let layers = property("layers");
    let layers = layers.iter().flat_map(Node::elements);
    let layers: Vec<CodeSource> = layers
        .map(|layer| self_made_layer(evaluator, template, reading, &layer))
        .collect();
    function.layers = layers;
    function.events = events(evaluator, id, node.get("events"));
    function
}

/// Returns the code of a layer, which a function names by the logical ID that the framework makes.
fn self_made_layer<'t>(
    evaluator: &mut Evaluator<'t>,
    template: &'t Template,
    reading: &ReadOptions<'_>,
    layer: &Node<'t>,
) -> CodeSource {
    let named = layer.get("Ref").and_then(|it| it.str());
    let layers = template.root().get("layers");
    let mut layers = layers.iter().flat_map(Node::fields);
    let own = layers.find(|(name, _)| {
        let id = format!("{name}LambdaLayer");
        named.is_some_and(|named| named.eq_ignore_ascii_case(&id))
    });
    let path = own.and_then(|(_, layer)| text(evaluator, layer.get("path")));
    match path {
        Some(path) => path_beside(template, &path, reading),
        None => {
            let arn = text(evaluator, Some(layer.clone()));
            arn.map_or(CodeSource::Unknown, CodeSource::Elsewhere)
        }
    }
}

/// Returns events as SAM names them.
fn events<'t>(
    evaluator: &mut Evaluator<'t>,
    target: &str,
    events: Option<Node<'t>>,
) -> Vec<EventSource> {
    let events = events.iter().flat_map(Node::elements);
    let fields = events.enumerate().flat_map(|(index, event)| {
        let fields: Vec<(&str, Node<'_>)> = event.fields().collect();
        fields
            .into_iter()
            .map(move |(name, value)| (index, name, value))
    });
    fields
        .map(|(index, name, value)| {
            let value = evaluated(evaluator, &value);
            let (event_type, properties) = as_of_sam(name, value);
            EventSource {
                target: target.to_owned(),
                id: format!("{name}{index}"),
                event_type,
                properties,
            }
        })
        .collect()
}

fn as_of_sam(name: &str, value: Value) -> (String, Value) {
    let named = match name {
        "http" => "Api",
        "httpApi" => "HttpApi",
        "schedule" => "Schedule",
        "eventBridge" | "cloudwatchEvent" => "EventBridgeRule",
        "sqs" => "SQS",
        "sns" => "SNS",
        "s3" => "S3",
        "stream" => "DynamoDB",
        other => other,
    };
    let properties = match (name, value) {
        // `GET /orders`
        ("http" | "httpApi", Value::String(text)) => match text.split_once(' ') {
            Some((method, path)) => json!({"Method": method, "Path": slashed(path)}),
            None => json!({"Method": "*", "Path": slashed(&text)}),
        },
        ("http" | "httpApi", value) => {
            let text = |name: &str| value.get(name).and_then(Value::as_str);
            let path = slashed(text("path").unwrap_or_default());
            json!({"Method": text("method").unwrap_or("*"), "Path": path})
        }
        ("schedule", Value::String(rate)) => json!({"Schedule": rate}),
        ("schedule", value) => {
            let rate = value.get("rate").cloned().unwrap_or_default();
            json!({"Schedule": rate, "Input": value.get("input")})
        }
        (_, value) => value,
    };
    (named.to_owned(), properties)
}

/// Returns a path with a slash at its start.
fn slashed(path: &str) -> String {
    format!("/{}", path.trim_start_matches('/'))
}
