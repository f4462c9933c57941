//! The parts of an application.
use crate::{Difference, dependencies};
use asl_model::{Options, StateMachineType};
use asl_template::{
    EventSource, File, Finding, FunctionSource, Kind, ReadOptions, ResourceSource,
    StateMachineSource, read_application,
};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The state machines, functions and resources of an application, as its templates say. It is made without a look at code.
///
/// ```
/// use asl_application::Plan;
/// use asl_template::{Files, ReadOptions, Substitutions};
/// use std::path::{Path, PathBuf};
///
/// struct Template(&'static str);
/// impl Files for Template {
///     fn read(&self, _: &Path) -> Result<String, String> {
///         Ok(self.0.to_owned())
///     }
/// }
/// let template = Template("Resources:\n  Order:\n    Type: AWS::Serverless::StateMachine\n    Properties:\n      Definition: {StartAt: A, \
///     States: {A: {Type: Succeed}}}\n");
/// let given = Substitutions::default();
/// let plan = Plan::read(&[PathBuf::from("template.yaml")], &ReadOptions::new(&template, &given));
/// assert_eq!(plan.machines[0].name, "Order");
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Plan {
    /// The state machines that have a definition on this machine.
    pub machines: Vec<PlannedMachine>,
    /// The functions.
    pub functions: Vec<FunctionSource>,
    /// All other resources.
    pub resources: Vec<ResourceSource>,
    /// The events that start state machines.
    pub events: Vec<EventSource>,
    /// Problems of the templates.
    pub findings: Vec<Finding>,
    /// Files that cannot be read, with the reason.
    pub unreadable: Vec<(PathBuf, String)>,
    /// State machines that are left out, since another one has their name.
    pub ignored: Vec<IgnoredMachine>,
    /// All files that the plan was made of, and those that list the modules of its functions, if they are there.
    pub files: BTreeSet<PathBuf>,
}

/// A state machine that is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct IgnoredMachine {
    /// The name of both.
    pub name: String,
    /// Its file.
    pub file: PathBuf,
    /// The file of the other one, which is in the plan.
    pub other: PathBuf,
}

/// A state machine of an application.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PlannedMachine {
    /// The name that it is deployed with.
    pub name: String,
    /// The name in its template, to which events refer; that of the file for a plain definition.
    pub id: String,
    /// Standard or Express.
    pub machine_type: StateMachineType,
    /// The definition with its place.
    pub source: StateMachineSource,
}

impl PlannedMachine {
    fn new(source: StateMachineSource) -> Self {
        let of_file = || name_of_file(source.file());
        let id = source.name().map_or_else(of_file, str::to_owned);
        let name = source
            .resource_name()
            .map_or_else(|| id.clone(), str::to_owned);
        Self {
            name,
            id,
            machine_type: source.machine_type().unwrap_or(StateMachineType::Standard),
            source,
        }
    }

    /// Returns the definition as clients expect it: JSON as it was written, and YAML as JSON. None if it cannot be read.
    pub fn definition(&self) -> Option<String> {
        let text = self.source.definition()?.as_str();
        if serde_json::from_str::<serde_json::Value>(text).is_ok() {
            return Some(text.to_owned());
        }
        let options = self.source.options(Options::default());
        let value = asl_model::value_from_text(text, options).ok()?;
        Some(format!("{value:#}"))
    }
}

/// Returns the name of a file up to its first dot.
fn name_of_file(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}

/// Says why a file is neither a template nor a definition.
fn not_readable(file: &File) -> String {
    let value = asl_model::value_from_text(file.text(), Options::default());
    let fault = value.err().and_then(|faults| {
        let fault = faults.located().next()?;
        let place = fault.1.map(|it| format!(":{}:{}", it.line, it.column));
        Some(format!("{}{}", fault.0.message, place.unwrap_or_default()))
    });
    let reason = fault.map(|fault| format!(": {fault}")).unwrap_or_default();
    format!("it is neither a template nor a definition{reason}")
}

impl Plan {
    /// Reads templates and definitions by `reading`. A second state machine or function of a name is left out.
    pub fn read(sources: &[PathBuf], reading: &ReadOptions<'_>) -> Self {
        let mut plan = Self::default();
        for path in sources {
            plan.files.insert(path.clone());
            let text = reading.read(path);
            match text.and_then(|text| plan.add(File::new(path, text), reading)) {
                Ok(()) => {}
                Err(reason) => plan.unreadable.push((path.clone(), reason)),
            }
        }
        plan
    }

    /// Adds what a file has.
    ///
    /// # Errors
    /// It is neither a template nor a definition.
    fn add(&mut self, file: File, reading: &ReadOptions<'_>) -> Result<(), String> {
        let application = read_application(file.clone(), reading);
        let is_template = application.kind != Kind::Definition;
        let is_called_definition = asl_template::is_called_definition(file.path());
        if !is_template && !is_called_definition && !asl_template::is_definition(file.text()) {
            return Err(not_readable(&file));
        }
        self.files.extend(application.templates);
        self.findings.extend(application.findings);
        for source in application.machines {
            self.files.extend(source.referenced().iter().cloned());
            if is_template {
                self.findings.extend(source.findings().iter().cloned());
            }
            let machine = PlannedMachine::new(source);
            if machine.source.definition().is_none() {
                continue;
            }
            match self.machines.iter().find(|it| it.name == machine.name) {
                None => self.machines.push(machine),
                Some(other) => self.ignored.push(IgnoredMachine {
                    file: machine.source.file().to_owned(),
                    other: other.source.file().to_owned(),
                    name: machine.name,
                }),
            }
        }
        for function in application.functions {
            self.files.extend(dependencies::lists_of(&function));
            if self.functions.iter().all(|it| it.name != function.name) {
                self.functions.push(function);
            }
        }
        self.resources.extend(application.resources);
        self.events.extend(application.events);
        Ok(())
    }

    /// Returns the function of a name or ARN.
    pub fn function(&self, name: &str) -> Option<&FunctionSource> {
        let name = name
            .rsplit_once(":function:")
            .map_or(name, |(_, name)| name);
        let name = name.split(':').next().unwrap_or(name);
        self.functions.iter().find(|it| it.name == name)
    }

    /// Returns what became different since an earlier plan.
    pub fn difference(&self, earlier: &Self) -> Difference {
        Difference::between(earlier, self)
    }
}
