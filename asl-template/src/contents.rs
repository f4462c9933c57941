//! Reads files: their kind, and their state machines.
use crate::cloudformation::unroll;
use crate::document::{as_cloudformation, is_called_yaml, read_document, unreadable_finding};
use crate::node::Template;
use crate::{
    DefinitionText, File, Files, Finding, Kind, StateMachineSource, Substitutions, cloudformation,
    serverless, terraform,
};
use asl_model::{Syntax, did_you_mean};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Options for reading a file.
#[derive(Clone, Copy)]
pub struct ReadOptions<'r> {
    pub(crate) files: &'r dyn Files,
    pub(crate) given: &'r Substitutions,
    /// Allows templates to name files outside of their repository.
    pub(crate) reads_anywhere: bool,
}

impl<'r> ReadOptions<'r> {
    /// Reads the files that templates name by `files`, in the repository of each template; `given` are values of placeholders.
    pub fn new(files: &'r dyn Files, given: &'r Substitutions) -> Self {
        Self {
            files,
            given,
            reads_anywhere: false,
        }
    }

    /// Returns the same options with other values of placeholders.
    pub(crate) fn with_given<'g>(&self, given: &'g Substitutions) -> ReadOptions<'g>
    where
        'r: 'g,
    {
        ReadOptions { given, ..*self }
    }

    /// Reads the text of a file that was named by the user.
    ///
    /// # Errors
    /// A message for readers.
    pub fn read(&self, path: &Path) -> Result<String, String> {
        self.files.read(path)
    }

    /// Allows files outside the repository: a template can refer to any file of this machine.
    #[must_use]
    pub fn anywhere(self, reads_anywhere: bool) -> Self {
        Self {
            reads_anywhere,
            ..self
        }
    }
}

impl fmt::Debug for ReadOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reading")
            .field("given", self.given)
            .finish_non_exhaustive()
    }
}

/// The content of a file.
#[derive(Debug, Clone)]
pub struct Contents {
    file: Arc<File>,
    kind: Kind,
    machines: Vec<StateMachineSource>,
    findings: Vec<Finding>,
}

impl Contents {
    /// Returns the file.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Returns the kind of the file.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns its state machines, in its order.
    pub fn machines(&self) -> &[StateMachineSource] {
        &self.machines
    }

    /// Converts the contents to their state machines.
    pub fn into_machines(self) -> Vec<StateMachineSource> {
        self.machines
    }

    /// Returns the findings about the file as a whole.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Returns the state machine of that name, or the only one.
    ///
    /// # Errors
    /// What the file is and which state machines it holds, for people.
    pub fn machine(&self, name: Option<&str>) -> Result<&StateMachineSource, String> {
        let names: Vec<&str> = self
            .machines
            .iter()
            .filter_map(StateMachineSource::name)
            .collect();
        let file = self.file.path().display();
        let what = self.kind.described();
        let of_name = |name: &str| {
            let exact = self.machines.iter().find(|it| it.name() == Some(name));
            // An address of Terraform may be cut to its label.
            let is_end = |it: &&StateMachineSource| {
                it.name()
                    .is_some_and(|full| full.ends_with(&format!(".{name}")))
            };
            let mut ends = self.machines.iter().filter(is_end);
            // CDK adds eight digits to the name that a program gives.
            let is_hashed = |it: &&StateMachineSource| {
                let hash = it.name().and_then(|full| full.strip_prefix(name));
                hash.is_some_and(|hash| {
                    hash.len() == 8 && hash.bytes().all(|b| b.is_ascii_hexdigit())
                })
            };
            let mut hashed = self.machines.iter().filter(is_hashed);
            exact
                .or_else(|| ends.next().filter(|_| ends.next().is_none()))
                .or_else(|| hashed.next().filter(|_| hashed.next().is_none()))
        };
        match (name, self.machines.as_slice()) {
            (None, [one]) => Ok(one),
            (_, []) => Err(format!("{file} is {what} without a state machine")),
            (Some(name), _) => of_name(name).ok_or_else(|| match names.as_slice() {
                [] => format!("{file} is {what}: expected its name without '#{name}'"),
                names => format!(
                    "{file} is {what} without a state machine '{name}'{}; it contains {}",
                    did_you_mean(name, names.iter().copied()),
                    names.join(", ")
                ),
            }),
            (None, several) => {
                let all: Vec<String> = several.iter().map(StateMachineSource::reference).collect();
                Err(format!(
                    "{file} is {what} with {} state machines: select one of {}",
                    all.len(),
                    all.join(", ")
                ))
            }
        }
    }
}

/// Determines the kind of a file and its state machines. A file of no other kind counts as a definition, even if it is
/// invalid.
pub fn read_file(file: File, reading: &ReadOptions<'_>) -> Contents {
    let file = Arc::new(file);
    let (template, kind) = match read_template(&file, reading) {
        Ok(Some(read)) => read,
        Ok(None) => return definition(&file, reading),
        Err(finding) => {
            return Contents {
                findings: vec![finding],
                file,
                kind: Kind::CloudFormation,
                machines: Vec::new(),
            };
        }
    };
    let without_findings = |machines| (machines, Vec::new());
    let (machines, findings) = match kind {
        Kind::Definition => return definition(&file, reading),
        Kind::CloudFormation | Kind::Sam => cloudformation::machines(&template, kind, reading),
        Kind::Serverless => without_findings(serverless::machines(template, reading)),
        Kind::TerraformPlan | Kind::TerraformState => {
            without_findings(terraform::machines(&template, kind, reading))
        }
    };
    Contents {
        file,
        kind,
        machines,
        findings,
    }
}

/// Reads the text of a template; None is a definition.
///
/// # Errors
/// The finding of a template that cannot be read.
pub(crate) fn read_template(
    file: &Arc<File>,
    reading: &ReadOptions<'_>,
) -> Result<Option<(Template, Kind)>, Finding> {
    if !Kind::may_be_template(file.text()) {
        return Ok(None);
    }
    let document = match read_document(file.text()) {
        Ok(document) => document,
        Err(_) if !names_a_machine(file.text()) => return Ok(None),
        Err(faults) => return Err(unreadable_finding(file, &faults)),
    };
    let kind = Kind::from_value(document.value());
    let (document, differences) = match kind {
        Kind::Definition => return Ok(None),
        Kind::CloudFormation | Kind::Sam if !document.is_json() => as_cloudformation(document),
        _ => (document, Vec::new()),
    };
    let unrolled = match kind {
        Kind::CloudFormation | Kind::Sam => unroll(document.value(), reading.given),
        _ => None,
    };
    let template = Template {
        file: Arc::clone(file),
        document,
        differences,
        unrolled,
    };
    Ok(Some((template, kind)))
}

/// Returns true if a text is a definition: an object with `StartAt` and `States`. The file name does not matter.
///
/// ```
/// assert!(asl_template::is_definition("StartAt: A\nStates: {A: {Type: Succeed}}"));
/// assert!(!asl_template::is_definition("note: a definition has StartAt and States"));
/// ```
pub fn is_definition(text: &str) -> bool {
    let has_words = ["StartAt", "States"].iter().all(|word| text.contains(word));
    has_words
        && read_document(text).is_ok_and(|document| {
            let names = |name: &str| document.value().get(name);
            let starts = names("StartAt").is_some_and(serde_json::Value::is_string);
            starts && names("States").is_some_and(serde_json::Value::is_object)
        })
}

/// Returns true if only a template of CloudFormation has these words.
fn names_a_machine(text: &str) -> bool {
    text.contains("AWS::StepFunctions::StateMachine")
        || text.contains("AWS::Serverless::StateMachine")
}

/// Returns the state machine at a path: the only one in a file, or `FILE#NAME` for one of several.
///
/// # Errors
///
/// A message for readers: the file cannot be read, or has no such state machine.
pub fn read_machine(path: &Path, reading: &ReadOptions<'_>) -> Result<StateMachineSource, String> {
    let file = file_of(path);
    let whole = path.to_string_lossy();
    let name = match file == path {
        true => None,
        false => whole.rsplit_once('#').map(|(_, name)| name),
    };
    let text = reading.files.read(&file);
    let text = text.map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let contents = read_file(File::new(file, text), reading);
    if let Some(finding) = contents.findings.first() {
        return Err(finding.to_string());
    }
    contents.machine(name).cloned()
}

/// Returns the file of a path that may end with the name of a state machine: `template.yaml` of `template.yaml#Order`, but
/// where a file is called so.
pub fn file_of(path: &Path) -> PathBuf {
    let whole = path.to_string_lossy();
    match whole.rsplit_once('#') {
        Some((file, name)) if !file.is_empty() && !name.contains('/') && !path.is_file() => {
            PathBuf::from(file)
        }
        _ => path.to_owned(),
    }
}

fn definition(file: &Arc<File>, reading: &ReadOptions<'_>) -> Contents {
    Contents {
        file: Arc::clone(file),
        kind: Kind::Definition,
        machines: vec![StateMachineSource::read(file, reading.given)],
        findings: Vec::new(),
    }
}

impl StateMachineSource {
    /// Returns a file that is a definition itself, unchanged.
    pub fn from_definition(file: File) -> Self {
        Self::read(&Arc::new(file), &Substitutions::default())
    }

    fn read(file: &Arc<File>, given: &Substitutions) -> Self {
        let is_source = terraform::is_template_file(file.path());
        let text = DefinitionText::from_file(file);
        let (text, findings) = terraform::without_expressions(&text, is_source);
        let mut found = Self::new(file, "", Kind::Definition);
        found.name = None;
        if is_called_yaml(file.path()) {
            found.syntax = Syntax::Yaml;
        }
        found.findings = findings;
        found.definition = text.map(|text| Arc::new(given.replace(text, &BTreeMap::new())));
        found
    }
}
