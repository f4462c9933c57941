//! Applications: what a template has besides its state machines.
mod cloudformation;
mod function;
mod nested;
mod resource;
mod serverless;
mod terraform;

pub use function::{CodeSource, FunctionSource};
pub use resource::{EventSource, ResourceSource};

use crate::contents::read_template;
use crate::{File, Finding, Kind, ReadOptions, StateMachineSource};
use nested::{MOST_READS, NestedStack, read_with_stacks};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The state machines, functions and other resources of one file, and of the nested stacks that it names.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ApplicationSource {
    /// The kind of the file.
    pub kind: Kind,
    /// Its state machines, in its order.
    pub machines: Vec<StateMachineSource>,
    /// Its functions, in its order.
    pub functions: Vec<FunctionSource>,
    /// All other resources, in its order.
    pub resources: Vec<ResourceSource>,
    /// The events that start state machines.
    pub events: Vec<EventSource>,
    /// The findings about the file as a whole.
    pub findings: Vec<Finding>,
    /// The templates of nested stacks.
    pub templates: Vec<PathBuf>,
    /// The outputs of the file whose values are known.
    pub(crate) outputs: BTreeMap<String, String>,
    /// The nested stacks of the file, until they are read.
    pub(crate) stacks: Vec<NestedStack>,
}

impl ApplicationSource {
    /// Adds the parts of a nested stack.
    fn add(&mut self, stack: Self) {
        self.machines.extend(stack.machines);
        self.functions.extend(stack.functions);
        self.resources.extend(stack.resources);
        self.events.extend(stack.events);
        self.findings.extend(stack.findings);
        self.templates.extend(stack.templates);
    }
}

/// Reads all of an application that a file describes.
///
/// ```
/// use asl_template::{File, FileSystem, ReadOptions, Substitutions, read_application};
///
/// let template = "Resources:\n  Charge:\n    Type: AWS::Serverless::Function\n    Properties:\n      Runtime: python3.12\n      \
///     Handler: app.handler\n      CodeUri: charge/\n";
/// let given = Substitutions::default();
/// let application = read_application(File::new("template.yaml", template), &ReadOptions::new(&FileSystem, &given));
/// let charge = &application.functions[0];
/// assert_eq!((charge.name.as_str(), charge.runtime.as_deref()), ("Charge", Some("python3.12")));
/// ```
pub fn read_application(file: File, reading: &ReadOptions<'_>) -> ApplicationSource {
    read_with_stacks(&file, reading, 0, &mut { MOST_READS })
}

/// Reads all of one file.
fn read_one(file: File, reading: &ReadOptions<'_>) -> ApplicationSource {
    let contents = crate::read_file(file.clone(), reading);
    let mut application = ApplicationSource {
        kind: contents.kind(),
        findings: contents.findings().to_vec(),
        machines: contents.into_machines(),
        functions: Vec::new(),
        resources: Vec::new(),
        events: Vec::new(),
        templates: Vec::new(),
        outputs: BTreeMap::new(),
        stacks: Vec::new(),
    };
    // What cannot be read was found before.
    if let Ok(Some((template, kind))) = read_template(&Arc::new(file), reading) {
        match kind {
            Kind::CloudFormation | Kind::Sam => {
                cloudformation::read(&template, kind, reading, &mut application);
            }
            Kind::Serverless => serverless::read(template, reading, &mut application),
            Kind::TerraformPlan | Kind::TerraformState => {
                terraform::read(&template, kind, reading, &mut application);
            }
            Kind::Definition => {}
        }
    }
    application
}
