//! State machines of the plugin serverless-step-functions in a `serverless.yml`.

use crate::cloudformation::{Evaluator, Names};
use crate::node::{Node, Template};
use crate::shelf::Shelf;
use crate::variables::Variables;
use crate::{DefinitionText, Finding, FindingCode, Kind, ReadOptions, StateMachineSource};
use asl_model::StateMachineType;
use std::collections::BTreeMap;

/// Returns the state machines of a configuration, in its order.
pub(crate) fn machines(template: Template, reading: &ReadOptions<'_>) -> Vec<StateMachineSource> {
    let shelf = Shelf::default();
    let Some(template) = shelf.add(template) else {
        return Vec::new();
    };
    let variables = Variables::new(template, &shelf, *reading);
    let machines = variables.resolved(&template.root(), &["stepFunctions", "stateMachines"]);
    let Some(machines) = machines else {
        return Vec::new();
    };
    let names = names(&variables, template);
    let resources = variables.resolved(&template.root(), &["resources", "Resources"]);
    let mut evaluator =
        Evaluator::new(template, reading.given, names, Some(&variables)).with_resources(resources);
    // Several files of them are an array.
    let several = machines.elements().map(|node| variables.resolve(&node));
    let all: Vec<Node<'_>> = several.chain([machines.clone()]).collect();
    let fields = all.iter().flat_map(Node::fields);
    fields
        .map(|(name, machine)| {
            let machine = variables.resolve(&machine);
            let file = &template.file;
            let mut found = StateMachineSource::new(file, name, Kind::Serverless);
            define(&mut evaluator, &variables, &machine, &mut found, reading);
            found
        })
        .collect()
}

fn define<'t>(
    evaluator: &mut Evaluator<'t>,
    variables: &Variables<'t>,
    machine: &Node<'t>,
    found: &mut StateMachineSource,
    reading: &ReadOptions<'_>,
) {
    found.resource_name = machine
        .get("name")
        .map(|name| evaluator.text(&name).as_str().to_owned());
    let of = machine.get("type").map(|of| evaluator.text(&of));
    found.machine_type = match of.as_ref().map(DefinitionText::as_str) {
        Some("EXPRESS") => Some(StateMachineType::Express),
        Some("STANDARD") => Some(StateMachineType::Standard),
        _ => None,
    };
    let definition = machine.get("definition").map(|it| variables.resolve(&it));
    let Some(definition) = definition.filter(|it| !it.value.is_null()) else {
        let name = found.name().unwrap_or_default();
        let message = format!("state machine '{name}' has no definition");
        let code = FindingCode::MissingDefinition;
        let findings = variables.take_findings();
        found.findings.extend(findings);
        found
            .findings
            .push(Finding::error(code, machine.place(), message));
        return;
    };
    let text = match definition.str() {
        Some(_) => evaluator.text(&definition),
        None => {
            let mut text = DefinitionText::default();
            evaluator.write_json(&definition, &mut text);
            found.add_duplicates(&definition);
            text
        }
    };
    found.findings.extend(variables.take_findings());
    found.findings.extend(evaluator.take_findings());
    found.referenced.extend(variables.referenced());
    found.define(
        reading.given.replace(text, &BTreeMap::new()),
        std::iter::empty(),
    );
}

/// Returns the names of functions, activities and resources for `Ref` and `Fn::GetAtt`.
pub(crate) fn names<'t>(variables: &Variables<'t>, template: &'t Template) -> Names {
    let mut names = Names::lenient();
    let root = template.root();
    let functions = variables.resolved(&root, &["functions"]);
    for (name, _) in functions.iter().flat_map(Node::fields) {
        // The plugin takes both, the name and the logical ID that is made of it.
        let physical = function_name(variables, template, name);
        names.add(name, "AWS::Lambda::Function", &physical);
        names.add(&logical_id(name), "AWS::Lambda::Function", &physical);
    }
    let activities = variables.resolved(&root, &["stepFunctions", "activities"]);
    for activity in activities.iter().flat_map(Node::elements) {
        let name = activity.str().unwrap_or_default();
        names.add(name, "AWS::StepFunctions::Activity", name);
    }
    let resources = variables.resolved(&root, &["resources", "Resources"]);
    for (id, resource) in resources.iter().flat_map(Node::fields) {
        let of = resource.get("Type").and_then(|it| it.str());
        names.add(id, of.unwrap_or_default(), id);
    }
    names
}

/// Returns the name that a function has: its own, else its key. (A deployment puts the service and the stage before it.)
pub(crate) fn function_name<'t>(
    variables: &Variables<'t>,
    template: &'t Template,
    key: &str,
) -> String {
    let own = variables.resolved(&template.root(), &["functions", key, "name"]);
    let own = own.and_then(|node| Some(variables.text(&node, node.str()?)));
    let own = own.filter(|name| !name.as_str().contains("${"));
    own.map_or_else(|| key.to_owned(), |name| name.as_str().to_owned())
}

/// As the framework makes it of the name of a function: `pay-out` is `PayDashoutLambdaFunction`.
fn logical_id(name: &str) -> String {
    let name = name.replace('-', "Dash").replace('_', "Underscore");
    let mut characters = name.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    let first = first.map(String::from).unwrap_or_default();
    format!("{first}{}LambdaFunction", characters.as_str())
}
