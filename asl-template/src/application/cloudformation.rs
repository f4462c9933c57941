//! Functions and resources of CloudFormation, SAM and CDK.
use super::function::{evaluated, number, text, texts};
use super::nested::NestedStack;
use super::{ApplicationSource, CodeSource, EventSource, FunctionSource, ResourceSource};
use crate::cloudformation::{Evaluator, Names, asset_path, is_machine};
use crate::node::{Node, Template};
use crate::repository::is_of_repository;
use crate::{Finding, FindingCode, Kind, ReadOptions};
use std::path::PathBuf;
use std::sync::Arc;

/// Types of functions.
const FUNCTIONS: [&str; 2] = ["AWS::Serverless::Function", "AWS::Lambda::Function"];
/// Types of nested stacks.
const STACKS: [&str; 2] = ["AWS::CloudFormation::Stack", "AWS::Serverless::Application"];
/// Types of layers.
const LAYERS: [&str; 2] = ["AWS::Serverless::LayerVersion", "AWS::Lambda::LayerVersion"];

pub(super) fn read(
    template: &Template,
    kind: Kind,
    reading: &ReadOptions<'_>,
    application: &mut ApplicationSource,
) {
    let resources = template.root().get("Resources");
    let names = Names::from_resources(resources.as_ref());
    let evaluator = Evaluator::new(template, reading.given, names, None);
    let globals = template.root().at(&["Globals", "Function"]);
    let mut reader = Reader {
        evaluator,
        globals: globals.filter(|_| kind == Kind::Sam),
        reading,
        template,
    };
    for (id, resource) in resources.iter().flat_map(Node::fields) {
        reader.read(id, &resource, application);
    }
    let outputs = template.root().get("Outputs");
    for (name, output) in outputs.iter().flat_map(Node::fields) {
        application.outputs.extend(reader.output(name, &output));
    }
}

struct Reader<'t, 'r> {
    evaluator: Evaluator<'t>,
    /// The globals of SAM for each function.
    globals: Option<Node<'t>>,
    reading: &'r ReadOptions<'r>,
    template: &'t Template,
}

impl<'t> Reader<'t, '_> {
    fn read(&mut self, id: &'t str, resource: &Node<'t>, application: &mut ApplicationSource) {
        let resource_type = resource.get("Type").and_then(|it| it.str());
        let condition = resource.get("Condition").and_then(|it| it.str());
        let is_there = condition.is_none_or(|name| self.evaluator.is_condition_met(name));
        let Some(resource_type) = resource_type.filter(|_| is_there) else {
            return;
        };
        if FUNCTIONS.contains(&resource_type) {
            let function = self.function(id, resource);
            application.functions.push(function);
        } else if is_machine(resource_type) {
            let events = self.events(id, resource.at(&["Properties", "Events"]));
            application.events.extend(events);
        } else if STACKS.contains(&resource_type) {
            self.stack(id, resource, application);
        } else {
            let properties = resource.get("Properties");
            let properties = properties.map(|node| evaluated(&mut self.evaluator, &node));
            application.resources.push(ResourceSource {
                id: id.to_owned(),
                resource_type: resource_type.to_owned(),
                name: self.evaluator.physical_name(id),
                properties: properties.unwrap_or_default(),
            });
        }
    }

    /// Adds a nested stack whose template is on this machine.
    fn stack(&mut self, id: &str, resource: &Node<'t>, application: &mut ApplicationSource) {
        let properties = resource.get("Properties");
        let asset = resource.at(&["Metadata", "aws:asset:path"]);
        let named = asset.or_else(|| {
            let properties = properties.as_ref()?;
            let place = properties.get("TemplateURL");
            place.or_else(|| properties.get("Location"))
        });
        let named = named.filter(|place| place.value.get("ApplicationId").is_none());
        let path = text(&mut self.evaluator, named.clone()).unwrap_or_default();
        let place = named.unwrap_or_else(|| resource.clone());
        let refusal = match self.path(&path) {
            _ if path.is_empty() || path.contains("://") || path.contains("${") => {
                "is not on this machine"
            }
            CodeSource::Path(template) => {
                let parameters = properties.and_then(|it| it.get("Parameters"));
                let mut parameters = texts(&mut self.evaluator, parameters);
                parameters.retain(|_, value| !value.contains("${"));
                application.stacks.push(NestedStack {
                    id: id.to_owned(),
                    template,
                    parameters,
                    place: (Arc::clone(&self.template.file), place.offset()),
                });
                return;
            }
            _ => "is outside the repository",
        };
        let message =
            format!("the template of the nested stack '{id}' {refusal}: its parts are left out");
        let code = FindingCode::DefinitionElsewhere;
        let finding = Finding::warning(code, place.place(), message);
        application.findings.push(finding);
    }

    /// Returns an output whose value is known.
    fn output(&mut self, name: &str, output: &Node<'t>) -> Option<(String, String)> {
        let condition = output.get("Condition").and_then(|it| it.str());
        let is_there = condition.is_none_or(|name| self.evaluator.is_condition_met(name));
        let value = output.get("Value").filter(|_| is_there);
        let value = text(&mut self.evaluator, value).filter(|value| !value.contains("${"));
        Some((name.to_owned(), value?))
    }

    /// Returns a property of a function, or what SAM's globals say of it.
    fn property(&self, properties: Option<&Node<'t>>, name: &str) -> Option<Node<'t>> {
        let own = properties.and_then(|it| it.get(name));
        own.or_else(|| self.globals.as_ref()?.get(name))
    }

    fn function(&mut self, id: &'t str, resource: &Node<'t>) -> FunctionSource {
        let name = self.evaluator.physical_name(id);
        let mut function = FunctionSource::new(resource, id, name);
        let properties = resource.get("Properties");
        let properties = properties.as_ref();
        let property = |this: &Self, name| this.property(properties, name);
        let node = property(self, "Runtime");
        function.runtime = text(&mut self.evaluator, node);
        let node = property(self, "Handler");
        function.handler = text(&mut self.evaluator, node);
        let node = property(self, "Timeout");
        function.timeout = number(&mut self.evaluator, node);
        let node = property(self, "MemorySize");
        function.memory = number(&mut self.evaluator, node);
        let of_globals = self.globals.as_ref();
        let of_globals = of_globals.and_then(|it| it.at(&["Environment", "Variables"]));
        function.environment = texts(&mut self.evaluator, of_globals);
        let own = properties.and_then(|it| it.at(&["Environment", "Variables"]));
        function.environment.extend(texts(&mut self.evaluator, own));
        function.code = self.code(resource, properties);
        let globals = self.globals.as_ref().and_then(|it| it.get("Layers"));
        let own = properties.and_then(|it| it.get("Layers"));
        let layers = globals.into_iter().chain(own);
        let layers: Vec<Node<'t>> = layers.flat_map(|it| it.elements()).collect();
        function.layers = layers.iter().map(|layer| self.layer(layer)).collect();
        let events = properties.and_then(|it| it.get("Events"));
        function.events = self.events(id, events);
        function
    }

    fn code(&mut self, resource: &Node<'t>, properties: Option<&Node<'t>>) -> CodeSource {
        // CDK names its copy of the code.
        let asset = resource.at(&["Metadata", "aws:asset:path"]);
        if let Some(path) = asset.and_then(|it| it.str()) {
            return self.path(path);
        }
        if let Some(inline) = properties.and_then(|it| it.get("InlineCode")) {
            let inline = text(&mut self.evaluator, Some(inline));
            return inline.map_or(CodeSource::Unknown, CodeSource::Inline);
        }
        let image = self.property(properties, "ImageUri");
        if let Some(image) = image {
            let image = text(&mut self.evaluator, Some(image));
            return CodeSource::Elsewhere(image.unwrap_or_else(|| "an image".to_owned()));
        }
        let place = self
            .property(properties, "CodeUri")
            .or_else(|| properties.and_then(|it| it.get("Code")));
        place.map_or(CodeSource::Unknown, |place| self.place(&place))
    }

    /// Returns the code at a place: a path, or an object that names one, a bucket, an image or the code itself.
    fn place(&mut self, place: &Node<'t>) -> CodeSource {
        if let Some(inline) = place.get("ZipFile") {
            let inline = text(&mut self.evaluator, Some(inline));
            return inline.map_or(CodeSource::Unknown, CodeSource::Inline);
        }
        let key = ["Key", "S3Key", "ImageUri"];
        if let Some(key) = key.iter().find_map(|name| place.get(name)) {
            let key = text(&mut self.evaluator, Some(key)).unwrap_or_default();
            return match asset_path(&self.template.file, &key, self.reading) {
                Some(path) => self.path(&path),
                None => CodeSource::Elsewhere(key),
            };
        }
        match text(&mut self.evaluator, Some(place.clone())) {
            Some(uri) if uri.contains("://") => CodeSource::Elsewhere(uri),
            Some(path) => self.path(&path),
            None => CodeSource::Unknown,
        }
    }

    fn path(&self, path: &str) -> CodeSource {
        path_beside(self.template, path, self.reading)
    }

    /// Returns the code of a layer, which a function names by a reference.
    fn layer(&mut self, layer: &Node<'t>) -> CodeSource {
        let named = layer.get("Ref").and_then(|it| it.str());
        let resource = named.and_then(|id| self.template.root().at(&["Resources", id]));
        let resource = resource.filter(|resource| {
            let of = resource.get("Type").and_then(|it| it.str());
            of.is_some_and(|of| LAYERS.contains(&of))
        });
        let Some(resource) = resource else {
            let arn = text(&mut self.evaluator, Some(layer.clone()));
            return arn.map_or(CodeSource::Unknown, CodeSource::Elsewhere);
        };
        if let Some(path) = resource.at(&["Metadata", "aws:asset:path"]) {
            return self.path(path.str().unwrap_or_default());
        }
        let properties = resource.get("Properties");
        let place = properties
            .as_ref()
            .and_then(|it| it.get("ContentUri").or_else(|| it.get("Content")));
        place.map_or(CodeSource::Unknown, |place| self.place(&place))
    }

    fn events(&mut self, target: &str, events: Option<Node<'t>>) -> Vec<EventSource> {
        let events = events.iter().flat_map(Node::fields);
        events
            .map(|(id, event)| {
                let properties = event.get("Properties");
                let properties = properties.map(|node| evaluated(&mut self.evaluator, &node));
                let event_type = event.get("Type").and_then(|it| it.str());
                EventSource {
                    target: target.to_owned(),
                    id: id.to_owned(),
                    event_type: event_type.unwrap_or_default().to_owned(),
                    properties: properties.unwrap_or_default(),
                }
            })
            .collect()
    }
}

/// Returns the code at a path from where a template lies.
pub(super) fn path_beside(
    template: &Template,
    path: &str,
    reading: &ReadOptions<'_>,
) -> CodeSource {
    let path = template.file.resolve(path);
    // A slash at the end means nothing, but shows in messages.
    let path: PathBuf = path.components().collect();
    let path = match path.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => path,
    };
    match reading.reads_anywhere || is_of_repository(template.file.path(), &path) {
        true => CodeSource::Path(path),
        false => CodeSource::Outside(path),
    }
}
