//! Definitions of state machines, wherever they are written.
use crate::diagnostics;
use crate::exit::Failure;
use crate::source::Source;
use crate::substitutions::Substitutions;
use crate::terminal::HINT;
use asl_lint::without_repeated_warnings;
use asl_model::{Diagnostics, Options, Severity, StateMachine};
use asl_template::{
    Contents, DefinitionText, File, FileSystem, Files as _, Finding, Kind, ReadOptions, SourceTool,
    StateMachineSource, files_below, files_of_pattern, is_called_definition, is_definition,
    is_pattern, read_file, sources_below,
};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A state machine that a command is given.
#[derive(Debug)]
pub(crate) struct Definition {
    found: StateMachineSource,
    /// The name in messages.
    name: String,
    /// An empty text, for a definition that is not on this machine.
    nothing: DefinitionText,
}

impl Definition {
    /// Reads the definition that an argument selects: a file, `FILE#NAME`, a folder or a pattern with one definition, or `-`
    /// for stdin.
    pub(crate) fn read(substitutions: &Substitutions, argument: &str) -> Result<Self, Failure> {
        let looked = Lookup::look(substitutions, argument)?;
        let mut all = looked.definitions();
        match (all.pop(), all.len()) {
            (None, _) => Err(looked.nothing(argument)),
            (Some(one), 0) if one.found.definition().is_some() => Ok(one),
            (Some(one), 0) => {
                diagnostics::print_findings(&one);
                let name = &one.name;
                Err(Failure::new(format!(
                    "the definition of {name} cannot be read"
                )))
            }
            (Some(last), _) => {
                let names = all.iter().chain([&last]).map(|one| one.found.reference());
                let names: Vec<String> = names.collect();
                let what = looked.described(argument);
                Err(Failure::new(format!(
                    "{what} contains {} state machines: select one of {}",
                    names.len(),
                    names.join(", ")
                )))
            }
        }
    }

    /// Creates the only definition of a file.
    pub(crate) fn of_found(found: StateMachineSource) -> Self {
        let name = found.file().display().to_string();
        Self::new(found, name)
    }

    fn new(found: StateMachineSource, name: String) -> Self {
        Self {
            nothing: DefinitionText::default(),
            found,
            name,
        }
    }

    /// Returns the name in messages: a file, or `FILE#NAME` for one of several.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name in a template, or the file name up to its first dot.
    pub(crate) fn machine_name(&self) -> Option<&str> {
        let stem = || self.found.file().file_name()?.to_str()?.split('.').next();
        self.found
            .name()
            .or_else(stem)
            .filter(|name| !name.is_empty())
    }

    /// Returns the name in coverage reports: the file, with the name in a template.
    pub(crate) fn name_in_reports(&self) -> String {
        let file = self.text().files().next();
        let file = file.map_or(self.found.file(), |file| file.path());
        match self.found.name() {
            Some(name) if file == self.found.file() => format!("{}#{name}", file.display()),
            _ => file.display().to_string(),
        }
    }

    /// Returns the source of the definition.
    pub(crate) fn source(&self) -> &StateMachineSource {
        &self.found
    }

    /// Returns its text, and where each part of it comes from.
    pub(crate) fn text(&self) -> &DefinitionText {
        self.found.definition().unwrap_or(&self.nothing)
    }

    /// The options by which it is to be read, where its kind was not given.
    pub(crate) fn options(&self, options: Options, is_type_given: bool) -> Options {
        let state_machine_type = match is_type_given {
            true => options.state_machine_type,
            false => self.found.options(options).state_machine_type,
        };
        options
            .with_state_machine_type(state_machine_type)
            .with_syntax(self.found.syntax())
    }

    /// Returns the state machine with warnings; if it is invalid, prints its problems to stderr.
    pub(crate) fn parse(&self, options: Options) -> Result<(StateMachine, Diagnostics), Failure> {
        diagnostics::print_findings(self);
        let is_refused = self.found.findings().iter().any(is_error);
        match asl_model::parse(self.text().as_str(), options) {
            Ok((machine, warnings)) if !is_refused => {
                Ok((machine, without_repeated_warnings(&self.found, warnings)))
            }
            Ok((_, faults)) | Err(faults) => {
                diagnostics::print(self, &faults);
                let name = &self.name;
                let way = match faults.iter().any(diagnostics::is_of_placeholder) {
                    true => {
                        "; --substitute NAME=VALUE and --substitutions FILE replace placeholders"
                    }
                    false => "",
                };
                Err(Failure::new(format!(
                    "{name} is not a valid definition{way}"
                )))
            }
        }
    }
}

/// Returns true if a file that a pattern matches is one by its name, or speaks of states: a pattern may well match a
/// `package.json`.
fn is_like_definition(path: &Path, text: &str) -> bool {
    is_called_definition(path)
        || ["StartAt", "\"States\"", "States:"]
            .iter()
            .any(|word| text.contains(word))
}

/// Refuses a file of a tool that must run before there is a definition.
fn check_source(path: &str, text: &str) -> Result<(), Failure> {
    let tool = SourceTool::of_file(Path::new(path));
    match tool.filter(|_| !is_definition(text)) {
        None => Ok(()),
        Some(tool) => Err(Failure::new(format!(
            "{path} is neither a definition nor a template: {}",
            tool.next_step()
        ))),
    }
}

/// Returns the hint for a folder whose programs generate definitions.
fn next_steps(folder: &Path) -> String {
    let sources = match folder.is_dir() {
        true => sources_below(folder).unwrap_or_default(),
        false => Vec::new(),
    };
    let steps = sources.iter().map(|(tool, path)| {
        let path = path.display();
        format!("\n{HINT}hint:{HINT:#} {path}: {}", tool.next_step())
    });
    steps.collect()
}

/// Returns true if a finding refuses the definition.
pub(crate) fn is_error(finding: &Finding) -> bool {
    finding.severity == Severity::Error
}

/// The definitions that an argument selects.
pub(crate) struct Lookup {
    contents: Vec<Contents>,
    /// The machine that is meant, where the argument names one.
    name: Option<String>,
    /// Files that could not be read.
    failures: Vec<Failure>,
}

impl Lookup {
    /// Looks at what an argument names.
    pub(crate) fn look(substitutions: &Substitutions, argument: &str) -> Result<Self, Failure> {
        let reading = substitutions.reading();
        let one = |path: &str, name: Option<&str>| -> Result<Self, Failure> {
            let source = Source::read_definition(path)?;
            check_source(path, &source.text)?;
            let contents = read_file(File::new(&source.name, source.text), &reading);
            if let Some(name) = name {
                contents.machine(Some(name)).map_err(Failure::new)?;
            }
            Ok(Self {
                contents: vec![contents],
                name: name.map(str::to_owned),
                failures: Vec::new(),
            })
        };
        let path = Path::new(argument);
        if argument == "-" || path.is_file() {
            return one(argument, None);
        }
        if path.is_dir() {
            let is_definition =
                |path: &Path, text: &str| is_called_definition(path) || is_definition(text);
            return Self::of_files(files_below(path), &reading, is_definition);
        }
        if let Some((file, name)) = argument
            .rsplit_once('#')
            .filter(|(file, _)| !file.is_empty())
        {
            return one(file, Some(name));
        }
        if is_pattern(argument) {
            return Self::of_files(files_of_pattern(argument), &reading, is_like_definition);
        }
        one(argument, None)
    }

    /// Looks at files: those that are called definitions are; others only if a template holds some.
    fn of_files(
        files: std::io::Result<Vec<PathBuf>>,
        reading: &ReadOptions<'_>,
        is_definition: fn(&Path, &str) -> bool,
    ) -> Result<Self, Failure> {
        let files = files
            .map_err(|error| Failure::new(format!("cannot search for definitions: {error}")))?;
        let mut looked = Self {
            contents: Vec::new(),
            name: None,
            failures: Vec::new(),
        };
        for path in files {
            match FileSystem.read(&path) {
                Ok(text) => {
                    let contents = read_file(File::new(path, text), reading);
                    let file = contents.file();
                    let holds = !contents.machines().is_empty() || !contents.findings().is_empty();
                    let is_template = contents.kind() != Kind::Definition;
                    if holds && (is_template || is_definition(file.path(), file.text())) {
                        looked.contents.push(contents);
                    }
                }
                Err(error) if is_definition(&path, "") => {
                    let path = path.display();
                    looked
                        .failures
                        .push(Failure::new(format!("cannot read {path}: {error}")));
                }
                Err(_) => {}
            }
        }
        looked.leave_out_parts();
        Ok(looked)
    }

    /// Removes definitions that a template refers to, and copies of CDK: they are checked as part of the template.
    fn leave_out_parts(&mut self) {
        let machines = self.contents.iter().flat_map(Contents::machines);
        let with_parts: Vec<&StateMachineSource> =
            machines.filter(|it| !it.referenced().is_empty()).collect();
        let paths: BTreeSet<PathBuf> = with_parts
            .iter()
            .flat_map(|found| found.referenced().to_vec())
            .collect();
        let texts = with_parts.iter().filter_map(|found| found.definition());
        let texts = texts.flat_map(DefinitionText::files);
        let texts: BTreeSet<String> = texts.map(|file| file.text().to_owned()).collect();
        self.contents.retain(|contents| {
            let file = contents.file();
            let is_part = paths.contains(&asl_template::plain_path(file.path()))
                || texts.contains(file.text());
            contents.kind() != Kind::Definition || !is_part
        });
    }

    /// Returns the state machines.
    pub(crate) fn definitions(&self) -> Vec<Definition> {
        let mut all = Vec::new();
        for contents in &self.contents {
            if let Some(name) = &self.name {
                let found = contents.machine(Some(name)).ok().cloned();
                all.extend(found.map(|found| {
                    let name = found.reference();
                    Definition::new(found, name)
                }));
                continue;
            }
            let is_one = contents.machines().len() == 1;
            all.extend(contents.machines().iter().map(|found| match is_one {
                true => Definition::of_found(found.clone()),
                false => Definition::new(found.clone(), found.reference()),
            }));
        }
        all
    }

    /// Returns all files that were found.
    pub(crate) fn contents(&self) -> &[Contents] {
        &self.contents
    }

    /// Reports files that could not be read. Returns their number.
    pub(crate) fn report_failures(&mut self) -> usize {
        let failures = std::mem::take(&mut self.failures);
        let count = failures.len();
        for failure in failures {
            failure.report();
        }
        count
    }

    /// Returns the reason why an argument selects no state machine.
    pub(crate) fn nothing(&self, argument: &str) -> Failure {
        Failure::new(match self.contents.as_slice() {
            [one] => format!(
                "{argument} is {} without a state machine",
                one.kind().described()
            ),
            _ => format!(
                "no state machine in {argument}: expected JSON or YAML with StartAt and States, or templates of CloudFormation, SAM, CDK, the \
                 Serverless Framework or Terraform{}",
                next_steps(Path::new(argument))
            ),
        })
    }

    /// Describes the content of the argument in words.
    fn described(&self, argument: &str) -> String {
        match self.contents.as_slice() {
            [one] => format!("{argument} is {}, and", one.kind().described()),
            _ => argument.to_owned(),
        }
    }
}
