//! State machines of CloudFormation, of SAM, and of what CDK synthesises.

mod assets;
mod evaluate;
mod for_each;
mod names;
mod references;
mod strings;

use crate::node::{Node, Template};
use crate::repository::is_of_repository;
use crate::search::plain_path;
use crate::{DefinitionText, File, Finding, FindingCode, Kind, ReadOptions, StateMachineSource};
use asl_model::{StateMachineType, Syntax, escaped_segment};
use evaluate::function;
use for_each::is_loop;
use serde_json::Value;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

pub(crate) use assets::path_of as asset_path;
pub(crate) use evaluate::Evaluator;
pub(crate) use for_each::{UnrolledTemplate, unroll};
pub(crate) use references::Names;

/// The types of resources that are state machines.
const TYPES: [&str; 2] = [
    "AWS::StepFunctions::StateMachine",
    "AWS::Serverless::StateMachine",
];

/// Returns true for the type of a state machine.
pub(crate) fn is_machine(resource_type: &str) -> bool {
    TYPES.contains(&resource_type)
}

/// Returns the state machines of a template in order, and reports those that it generates in other ways.
pub(crate) fn machines(
    template: &Template,
    kind: Kind,
    reading: &ReadOptions<'_>,
) -> (Vec<StateMachineSource>, Vec<Finding>) {
    let resources = template.root().get("Resources");
    let loops = resources.iter().flat_map(Node::fields);
    let loops = loops.filter(|(id, body)| is_loop(id) && makes_machines(body.value));
    let mut findings: Vec<Finding> = loops.map(|(id, body)| unread_loop(id, &body)).collect();
    let names = Names::from_resources(resources.as_ref());
    let mut evaluator = Evaluator::new(template, reading.given, names, None);
    let resources = resources.iter().flat_map(Node::fields);
    let machines = resources.filter(|(_, resource)| {
        let resource_type = resource.get("Type").and_then(|it| it.str());
        resource_type.is_some_and(is_machine)
    });
    let mut shared = HashMap::new();
    let machines: Vec<StateMachineSource> = machines
        .map(|(id, resource)| {
            let mut found = machine(&mut evaluator, id, &resource, kind, reading);
            share(&mut found, &mut shared);
            found
        })
        .collect();
    if !machines.is_empty() {
        findings.extend(duplicates(template, &machines));
    }
    (machines, findings)
}

/// Shares the text of a definition among all machines that have it from one file.
fn share(found: &mut StateMachineSource, shared: &mut HashMap<PathBuf, Arc<DefinitionText>>) {
    let (Some(definition), Some(file)) = (&found.definition, found.referenced.first()) else {
        return;
    };
    match shared.get(file) {
        Some(known) if known.is_same_as(definition) => found.definition = Some(Arc::clone(known)),
        _ => {
            shared.insert(file.clone(), Arc::clone(definition));
        }
    }
}

/// Warns of fields that occur twice outside of the definitions, whose duplicates are errors of their own.
fn duplicates(template: &Template, machines: &[StateMachineSource]) -> Vec<Finding> {
    let names = machines.iter().filter_map(StateMachineSource::name);
    let definitions: Vec<String> = names
        .map(|id| format!("/Resources/{}/Properties/Definition/", escaped_segment(id)))
        .collect();
    let document = &template.document;
    let outside = document.duplicates().iter().filter(|duplicate| {
        let pointer = duplicate.location.pointer();
        definitions
            .iter()
            .all(|definition| !pointer.starts_with(definition))
    });
    outside
        .map(|duplicate| {
            let pointer = duplicate.location.pointer();
            let offset = document.map().name_offset_of(pointer).unwrap_or_default();
            let place = (&template.file, offset);
            Finding::warning(
                FindingCode::DuplicateField,
                place,
                duplicate.message.clone(),
            )
            .with_hint("the last one applies: remove the others, or give each a unique name")
        })
        .collect()
}

/// Returns true if a value contains a state machine.
fn makes_machines(value: &Value) -> bool {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(elements) => open.extend(elements),
            Value::Object(fields) => {
                let resource_type = fields.get("Type").and_then(Value::as_str);
                if resource_type.is_some_and(is_machine) {
                    return true;
                }
                open.extend(fields.values());
            }
            _ => {}
        }
    }
    false
}

fn unread_loop(id: &str, body: &Node<'_>) -> Finding {
    let place = (body.file(), body.name_offset());
    let message = format!("the state machines that '{id}' generates are not checked");
    Finding::warning(FindingCode::DefinitionElsewhere, place, message).with_hint(
        "its list is not known here, or it makes too much: give a parameter with --substitute NAME=VALUE, or check what 'aws cloudformation get-template --template-stage Processed' prints",
    )
}

fn machine<'t>(
    evaluator: &mut Evaluator<'t>,
    id: &str,
    resource: &Node<'t>,
    kind: Kind,
    reading: &ReadOptions<'_>,
) -> StateMachineSource {
    let mut found = StateMachineSource::new(&resource.template.file, id, kind);
    found.resource_name = Some(evaluator.physical_name(id));
    let Some(properties) = resource.get("Properties") else {
        found.findings.push(missing(resource, id));
        return found;
    };
    let of = properties
        .get("StateMachineType")
        .or_else(|| properties.get("Type"));
    found.machine_type = of.and_then(|of| match evaluator.text(&of).as_str() {
        "EXPRESS" => Some(StateMachineType::Express),
        "STANDARD" => Some(StateMachineType::Standard),
        _ => None,
    });
    let fields = properties.get("DefinitionSubstitutions");
    let fields = fields.iter().flat_map(Node::fields);
    let values: BTreeMap<String, String> = fields
        .map(|(name, value)| (name.to_owned(), evaluator.text(&value).as_str().to_owned()))
        .collect();
    let definition = definition(evaluator, &properties, &mut found, reading);
    found.findings.extend(evaluator.take_findings());
    match definition {
        Some(text) => found.define(reading.given.replace(text, &values), values.keys()),
        None if found.findings.is_empty() => found.findings.push(missing(resource, id)),
        None => {}
    }
    found
}

fn missing(resource: &Node<'_>, id: &str) -> Finding {
    let message = format!(
        "state machine '{id}' has no definition: expected Definition, DefinitionString or DefinitionUri in its Properties"
    );
    Finding::error(FindingCode::MissingDefinition, resource.place(), message)
}

/// Returns the text of a definition, before placeholders in it are replaced.
fn definition<'t>(
    evaluator: &mut Evaluator<'t>,
    properties: &Node<'t>,
    found: &mut StateMachineSource,
    reading: &ReadOptions<'_>,
) -> Option<DefinitionText> {
    if let Some(string) = properties.get("DefinitionString") {
        return Some(evaluator.text(&string));
    }
    if let Some(definition) = properties.get("Definition") {
        if let Some(("Fn::Transform", included)) = function(&definition) {
            let place = included.at(&["Parameters", "Location"])?;
            return elsewhere(evaluator, &place, found, reading);
        }
        let mut text = DefinitionText::default();
        evaluator.write_json(&definition, &mut text);
        found.add_duplicates(&definition);
        found.add_differences(&definition);
        return Some(text);
    }
    let place = properties
        .get("DefinitionUri")
        .or_else(|| properties.get("DefinitionS3Location"))?;
    elsewhere(evaluator, &place, found, reading)
}

/// Returns a definition in a file of its own.
fn elsewhere<'t>(
    evaluator: &mut Evaluator<'t>,
    place: &Node<'t>,
    found: &mut StateMachineSource,
    reading: &ReadOptions<'_>,
) -> Option<DefinitionText> {
    if let Some(key) = place.get("Key") {
        let key = evaluator.text(&key);
        let bucket = place.get("Bucket").map(|it| evaluator.text(&it));
        let bucket = bucket.unwrap_or_default();
        if let Some(path) = assets::path_of(place.file(), key.as_str(), reading) {
            return found.read_beside(place, &path, reading);
        }
        found.refuse_elsewhere(place, &format!("s3://{}/{}", bucket.as_str(), key.as_str()));
        return None;
    }
    let uri = evaluator.text(place);
    if uri.as_str().contains("://") {
        found.refuse_elsewhere(place, uri.as_str());
        return None;
    }
    found.read_beside(place, uri.as_str(), reading)
}

impl StateMachineSource {
    /// Says that a definition is not on this machine.
    fn refuse_elsewhere(&mut self, place: &Node<'_>, uri: &str) {
        let message = format!("the definition is in {uri}, which is not on this machine");
        let code = FindingCode::DefinitionElsewhere;
        self.findings
            .push(Finding::warning(code, place.place(), message));
    }

    /// Reads a file whose path is relative to the template.
    pub(crate) fn read_beside(
        &mut self,
        place: &Node<'_>,
        path: &str,
        reading: &ReadOptions<'_>,
    ) -> Option<DefinitionText> {
        let file = reading.read_beside(place, place, path);
        match file {
            Ok(file) => {
                self.syntax = Syntax::CloudFormation;
                self.add_differences_of_file(&file);
                self.referenced.push(plain_path(file.path()));
                Some(DefinitionText::from_file(&file))
            }
            Err(finding) => {
                self.findings.push(finding);
                None
            }
        }
    }
}

impl ReadOptions<'_> {
    /// Reads a file that `place` names by a path from where `template` lies.
    pub(crate) fn read_beside(
        &self,
        template: &Node<'_>,
        place: &Node<'_>,
        path: &str,
    ) -> Result<Arc<File>, Finding> {
        let refuse = |message: String| {
            Finding::error(FindingCode::MissingDefinition, place.place(), message)
        };
        let is_absolute = path.starts_with(['/', '\\']) || path.contains(':');
        if is_absolute || path.trim().is_empty() {
            return Err(refuse(format!(
                "expected a file path relative to the template, found '{path}'"
            )));
        }
        let path = template.file().resolve(path);
        if !self.reads_anywhere && !is_of_repository(template.file().path(), &path) {
            let refused = refuse(format!(
                "{} is outside the repository, and is not read",
                path.display()
            ));
            return Err(refused.with_hint(
                "move the file into the repository, or allow all files with --files-anywhere"
                    .to_owned(),
            ));
        }
        let text = self
            .files
            .read(&path)
            .map_err(|error| refuse(format!("cannot read {}: {error}", path.display())))?;
        Ok(Arc::new(File::new(path, text)))
    }
}
