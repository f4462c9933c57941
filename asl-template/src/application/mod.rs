//! Applications: what a template has besides its state machines.
mod cloudformation;
mod function;
mod resource;
mod serverless;
mod terraform;

pub use function::{CodeSource, FunctionSource};
pub use resource::{EventSource, ResourceSource};

use crate::contents::read_template;
use crate::{File, Finding, Kind, ReadOptions, StateMachineSource};
use std::sync::Arc;

/// The state machines, functions and other resources of one file.
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
    let contents = crate::read_file(file.clone(), reading);
    let mut application = ApplicationSource {
        kind: contents.kind(),
        findings: contents.findings().to_vec(),
        machines: contents.into_machines(),
        functions: Vec::new(),
        resources: Vec::new(),
        events: Vec::new(),
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
