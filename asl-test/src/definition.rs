//! The definition that a case runs.
use crate::coverage::Points;
use asl_engine::model::{
    Options, Placeholders, Profile, ResourceNames, Severity, StateMachine, StateMachineType,
};
use asl_engine::runtime::{Performer as _, TaskHandlers};
use asl_engine::{DefinitionError, Program};
use asl_model::did_you_mean;
use asl_template::{DefinitionText, File, FileSystem, StateMachineSource, Substitutions};
use asl_trace::{Account, History, HistoryError, StateTree};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Suffixes of definition files that belong to a test file without a `definition`, in order of preference: `order.asl.json`
/// belongs to `order.test.yaml`.
pub const DEFINITION_ENDINGS: [&str; 6] = [
    ".asl.json",
    ".asl.yaml",
    ".asl.yml",
    ".asl",
    ".json",
    ".yaml",
];

/// A definition made ready to run, shared by all cases that run it.
///
/// ```
/// use asl_test::Definition;
///
/// let definition = Definition::parse(r#"{"StartAt": "Done", "States": {"Done": {"Type": "Succeed"}}}"#)?;
/// assert_eq!(definition.name(), "StateMachine");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Definition(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    name: String,
    path: Option<PathBuf>,
    /// The name in the enclosing template.
    name_in_template: Option<String>,
    /// Its text, and where each part of it is written.
    source: DefinitionText,
    /// The files that a template names for it.
    referenced: Vec<PathBuf>,
    /// Points that tests can reach, computed when coverage is requested.
    points: OnceLock<Points>,
    program: Program,
    state_machine_type: StateMachineType,
    tree: StateTree,
}

/// Options for reading a definition.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// The profile.
    pub profile: Profile,
    /// Standard or Express; what a template says, else Standard, where nothing is given.
    pub state_machine_type: Option<StateMachineType>,
    /// Values of `${Name}`.
    pub substitutions: BTreeMap<String, String>,
    /// Valid resources of Task States: those of the service, or any name.
    pub resources: ResourceNames,
}

asl_path::with_methods! {
    impl ReadOptions {
        with_profile(profile: Profile),
        with_state_machine_type(state_machine_type: Option<StateMachineType>),
        with_substitutions(substitutions: BTreeMap<String, String>),
        with_resources(resources: ResourceNames),
    }
}

/// Reasons why a file is not a valid definition.
#[derive(Debug, Clone)]
pub(crate) enum UnreadableDefinition {
    /// It cannot be read.
    File(String),
    /// It has faults.
    Refused(DefinitionError),
}

impl fmt::Display for UnreadableDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => f.write_str(error),
            Self::Refused(error) => fmt::Display::fmt(error, f),
        }
    }
}

impl Definition {
    /// Reads a definition in JSON or YAML, by the service's rules; its resources may be any URI or plain name.
    ///
    /// # Errors
    /// All faults of the text.
    pub fn parse(text: &str) -> Result<Self, DefinitionError> {
        let found = StateMachineSource::from_definition(File::new("", text));
        let reading = ReadOptions::default().with_resources(ResourceNames::Any);
        Self::from_source(&found, &reading)
    }

    /// Makes a state machine of a file or template ready to run, by the service's rules.
    ///
    /// # Errors
    /// All faults of its definition.
    pub fn from_source(
        source: &StateMachineSource,
        reading: &ReadOptions,
    ) -> Result<Self, DefinitionError> {
        let options = source.options(
            Options::default()
                .with_profile(reading.profile)
                .with_resources(reading.resources)
                .with_placeholders(Placeholders::Left),
        );
        let state_machine_type = reading
            .state_machine_type
            .unwrap_or(options.state_machine_type);
        let options = options.with_state_machine_type(state_machine_type);
        let text = source.definition().cloned().unwrap_or_default();
        let (machine, _warnings) = asl_engine::model::parse(text.as_str(), options)?;
        let stem = || source.file().file_name()?.to_str()?.split('.').next();
        let name = source.name().or_else(stem).filter(|name| !name.is_empty());
        let file = text.files().next().map(|file| file.path().to_owned());
        let is_inline = file.as_deref() == Some(source.file());
        Ok(Self(Arc::new(Parts {
            name: name.unwrap_or("StateMachine").to_owned(),
            path: file.filter(|path| !path.as_os_str().is_empty()),
            name_in_template: source.name().filter(|_| is_inline).map(str::to_owned),
            referenced: source.referenced().to_vec(),
            source: text,
            points: OnceLock::new(),
            tree: StateTree::new(&machine),
            program: Program::try_from(machine)?,
            state_machine_type,
        })))
    }

    /// Explains a recorded execution of this definition: what each state did, and which rule, retrier or catcher decided.
    ///
    /// # Errors
    /// The JSON is not a history.
    pub fn explain(&self, history: &History) -> Result<Account, HistoryError> {
        let mut account = history.account(Some(self.machine()))?;
        asl_trace::replay(&mut account, self.machine(), self.program());
        Ok(account)
    }

    /// Reads a file, or a state machine of a template, `template.yaml#Order`, by these rules.
    pub(crate) fn read(path: &Path, reading: &ReadOptions) -> Result<Self, UnreadableDefinition> {
        let given: Substitutions = reading.substitutions.clone().into_iter().collect();
        let found =
            asl_template::read_machine(path, &asl_template::ReadOptions::new(&FileSystem, &given))
                .map_err(UnreadableDefinition::File)?;
        let errors = found
            .findings()
            .iter()
            .filter(|it| it.severity == Severity::Error);
        let errors: Vec<String> = errors.map(ToString::to_string).collect();
        if !errors.is_empty() || found.definition().is_none() {
            let all = found.findings().iter().map(ToString::to_string);
            let told = if errors.is_empty() {
                all.collect()
            } else {
                errors
            };
            return Err(UnreadableDefinition::File(told.join(", ")));
        }
        Self::from_source(&found, reading).map_err(UnreadableDefinition::Refused)
    }

    /// Returns the name of the state machine: the one that its template has for it, else the file's up to its first dot.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The file that it is written in.
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// Returns the name in the enclosing template.
    pub(crate) fn name_in_template(&self) -> Option<&str> {
        self.0.name_in_template.as_deref()
    }

    /// Returns the files that a template names for it.
    pub(crate) fn referenced(&self) -> &[PathBuf] {
        &self.0.referenced
    }

    /// The text of the file that it is written in, with its placeholders.
    pub fn text(&self) -> &str {
        let file = self.0.source.files().next();
        file.map_or("", |file| file.text())
    }

    /// Returns its own text, and where each part of it is written.
    pub(crate) fn source(&self) -> &DefinitionText {
        &self.0.source
    }

    /// Returns the points that tests can reach.
    pub(crate) fn points(&self) -> &Points {
        let machine = self.machine();
        self.0.points.get_or_init(|| Points::from_machine(machine))
    }

    /// Returns true if both are the same one, read once.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the definition as data.
    pub fn machine(&self) -> &StateMachine {
        self.0.program.machine()
    }

    pub(crate) fn program(&self) -> &Program {
        &self.0.program
    }

    pub(crate) fn state_machine_type(&self) -> StateMachineType {
        self.0.state_machine_type
    }

    /// Returns the containing branch or Map State of each state.
    pub(crate) fn tree(&self) -> &StateTree {
        &self.0.tree
    }

    /// Returns the state that a text names: by its name, or by its path, `Each order/Charge`.
    pub(crate) fn find_state<'t>(&self, text: &'t str) -> Option<&'t str> {
        if self.tree().contains(text) {
            return Some(text);
        }
        // A name may hold a slash itself.
        text.match_indices('/').find_map(|(at, slash)| {
            let (path, name) = (&text[..at], &text[at + slash.len()..]);
            let name = self.find_state(name)?;
            let around = self.tree().enclosing_states(name);
            let is_around = |outer: &str| around.contains(&outer);
            (is_around(path) || around.join("/").ends_with(path)).then_some(name)
        })
    }

    /// Returns the Task States that a text names: a state by its name or path, or those of a resource.
    pub(crate) fn tasks_of(&self, target: &str) -> Vec<&str> {
        let names = self.0.program.tasks().map(|task| task.state_name());
        if let Some(state) = self.find_state(target) {
            return names.filter(|name| *name == state).collect();
        }
        let handlers = TaskHandlers::new().on_value(target, |value| async { Ok(value) });
        let of_target = self
            .0
            .program
            .tasks()
            .filter(|task| handlers.can_perform(task));
        of_target.map(|task| task.state_name()).collect()
    }

    pub(crate) fn has_task(&self, target: &str) -> bool {
        !self.tasks_of(target).is_empty()
    }

    /// Returns the message for a text that does not name a task.
    pub(crate) fn no_task(&self, target: &str) -> String {
        let tasks = || self.0.program.tasks();
        let resources = tasks().flat_map(|task| {
            let function = task.function_name().or(task.resource().function_name());
            [Some(&*task.resource().uri), function]
        });
        let known = tasks().map(|task| task.state_name());
        let hint = did_you_mean(target, known.chain(resources.flatten()));
        let name = self.name();
        format!("`{target}` is neither a Task State of {name} nor the resource of one{hint}")
    }

    pub(crate) fn state_names(&self) -> impl Iterator<Item = &str> {
        self.tree().states()
    }
}

#[cfg(test)]
mod tests {
    use super::Definition;

    #[test]
    fn a_state_is_found_by_name_and_by_path() {
        let inner = r#"{"StartAt": "a/b", "States": {"a/b": {"Type": "Pass", "End": true}}}"#;
        let map = format!(r#"{{"Type": "Map", "ItemProcessor": {inner}, "End": true}}"#);
        let outer = format!(r#"{{"StartAt": "Each", "States": {{"Each": {map}}}}}"#);
        let text = format!(
            r#"{{"StartAt": "All", "States": {{"All": {{"Type": "Parallel", "Branches": [{outer}], "End": true}}}}}}"#
        );
        let definition = Definition::parse(&text).unwrap();
        for path in ["a/b", "Each/a/b", "All/Each/a/b", "All/a/b"] {
            assert_eq!(definition.find_state(path), Some("a/b"), "{path}");
        }
        for path in ["b", "Each", "All/Other", "Other/a/b"] {
            let expected = (path == "Each").then_some("Each");
            assert_eq!(definition.find_state(path), expected, "{path}");
        }
        assert_eq!(definition.tree().enclosing_states("a/b"), ["All", "Each"]);
    }
}
