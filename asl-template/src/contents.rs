//! Reading a file: what it is, and which state machines it holds.
use crate::node::Template;
use crate::{
    DefinitionText, File, Files, Finding, FindingCode, Found, Kind, Substitutions, cloudformation,
};
use asl_model::{Document, Options, Syntax};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Levels of a template: CloudFormation takes far fewer.
const MAX_DEPTH: usize = 256;

/// By what a file is read.
#[derive(Clone, Copy)]
pub struct Reading<'r> {
    pub(crate) files: &'r dyn Files,
    pub(crate) given: &'r Substitutions,
}

impl<'r> Reading<'r> {
    /// Files that templates name are read by `files`; `given` are values of placeholders.
    pub fn new(files: &'r dyn Files, given: &'r Substitutions) -> Self {
        Self { files, given }
    }
}

impl fmt::Debug for Reading<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reading")
            .field("given", self.given)
            .finish_non_exhaustive()
    }
}

/// What a file holds.
#[derive(Debug, Clone)]
pub struct Contents {
    file: Arc<File>,
    kind: Kind,
    machines: Vec<Found>,
    findings: Vec<Finding>,
}

impl Contents {
    /// What was read.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// What it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Its state machines, in its order.
    pub fn machines(&self) -> &[Found] {
        &self.machines
    }

    /// The same, to keep.
    pub fn into_machines(self) -> Vec<Found> {
        self.machines
    }

    /// What is to be said of the file as a whole.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The state machine of that name, or the only one.
    ///
    /// # Errors
    /// What the file is and which state machines it holds, for people.
    pub fn machine(&self, name: Option<&str>) -> Result<&Found, String> {
        let names: Vec<&str> = self.machines.iter().filter_map(Found::name).collect();
        let file = self.file.path().display();
        let what = self.kind.described();
        let of_name = |name: &str| {
            let exact = self.machines.iter().find(|it| it.name() == Some(name));
            // An address of Terraform may be cut to its label.
            let is_end = |it: &&Found| {
                it.name()
                    .is_some_and(|full| full.ends_with(&format!(".{name}")))
            };
            let mut ends = self.machines.iter().filter(is_end);
            exact.or_else(|| ends.next().filter(|_| ends.next().is_none()))
        };
        match (name, self.machines.as_slice()) {
            (None, [one]) => Ok(one),
            (_, []) => Err(format!("{file} is {what} that holds no state machine")),
            (Some(name), _) => of_name(name).ok_or_else(|| match names.as_slice() {
                [] => format!("{file} is {what}: expected its name without '#{name}'"),
                names => format!(
                    "{file} is {what} without a state machine '{name}': it holds {}",
                    names.join(", ")
                ),
            }),
            (None, several) => {
                let all: Vec<String> = several.iter().map(Found::reference).collect();
                Err(format!(
                    "{file} is {what} that holds {} state machines: name one of {}",
                    all.len(),
                    all.join(", ")
                ))
            }
        }
    }
}

/// Whether a file is called YAML, so that a brace at its beginning need not make it JSON.
fn is_called_yaml(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|it| it.eq_ignore_ascii_case("yaml") || it.eq_ignore_ascii_case("yml"))
}

/// Tells what a file is, and which state machines it holds. What is nothing else is taken for a definition, whatever is wrong with it.
pub fn read_file(file: File, reading: &Reading<'_>) -> Contents {
    let file = Arc::new(file);
    if !Kind::may_be_template(file.text()) {
        return definition(&file, reading);
    }
    let limits = Options {
        max_depth: MAX_DEPTH,
        ..Options::default()
    };
    let document = match Document::parse(file.text(), limits) {
        Ok(document) => document,
        Err(_) if !names_a_machine(file.text()) => return definition(&file, reading),
        Err(faults) => return unreadable(&file, &faults),
    };
    let kind = Kind::from_value(document.value());
    let template = Template {
        file: Arc::clone(&file),
        document,
    };
    let machines = match kind {
        Kind::Definition => return definition(&file, reading),
        Kind::CloudFormation | Kind::Sam => cloudformation::machines(&template, kind, reading),
        Kind::Serverless | Kind::TerraformPlan | Kind::TerraformState => Vec::new(),
    };
    Contents {
        file,
        kind,
        machines,
        findings: Vec::new(),
    }
}

/// Whether only a template of CloudFormation has these words.
fn names_a_machine(text: &str) -> bool {
    text.contains("AWS::StepFunctions::StateMachine")
        || text.contains("AWS::Serverless::StateMachine")
}

fn definition(file: &Arc<File>, reading: &Reading<'_>) -> Contents {
    let text = DefinitionText::from_file(file);
    let text = reading.given.replace(&text, &Default::default());
    let mut found = Found::new(file, "", Kind::Definition);
    found.name = None;
    if is_called_yaml(file.path()) {
        found.syntax = Syntax::Yaml;
    }
    found.definition = Some(text);
    Contents {
        file: Arc::clone(file),
        kind: Kind::Definition,
        machines: vec![found],
        findings: Vec::new(),
    }
}

fn unreadable(file: &Arc<File>, faults: &asl_model::Diagnostics) -> Contents {
    let message = faults.iter().map(|fault| fault.message.as_str()).next();
    let offset = faults.unreadable_at().map_or(0, |at| file.offset(at));
    let code = FindingCode::UnreadableTemplate;
    let message = format!(
        "the template cannot be read: {}",
        message.unwrap_or_default()
    );
    Contents {
        file: Arc::clone(file),
        kind: Kind::CloudFormation,
        machines: Vec::new(),
        findings: vec![Finding::error(code, (file, offset), message)],
    }
}
