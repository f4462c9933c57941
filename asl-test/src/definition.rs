//! The definition that a case runs.
use crate::coverage::Points;
use crate::nearest::did_you_mean;
use asl_engine::model::{
    Options, Placeholders, Profile, ResourceNames, StateMachine, StateMachineType, States,
    replace_placeholders,
};
use asl_engine::runtime::{Performer as _, TaskHandlers};
use asl_engine::{DefinitionError, Program};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// How the names of definitions end that test files find beside them without naming them, in the order in which they are looked
/// for: `order.asl.json` is that of `order.test.yaml`.
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
    /// As it was written.
    text: String,
    /// What tests can reach, found where coverage is asked for.
    points: OnceLock<Points>,
    machine: StateMachine,
    program: Program,
    state_machine_type: StateMachineType,
    /// Of each state, the states that it is within, from the outermost.
    around: HashMap<String, Vec<String>>,
}

/// By which rules a definition is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// Whose rules.
    pub profile: Profile,
    /// Standard or Express.
    pub state_machine_type: StateMachineType,
    /// What stands for `${Name}`.
    pub substitutions: BTreeMap<String, String>,
}

/// Why a file is no definition that can be run.
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
        let parsing = Parsing {
            name: "StateMachine",
            path: None,
            resources: ResourceNames::Any,
        };
        Self::parse_as(text, &Reading::default(), parsing)
    }

    /// Reads a file, by these rules.
    pub(crate) fn read(path: &Path, reading: &Reading) -> Result<Self, UnreadableDefinition> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            UnreadableDefinition::File(format!("cannot read {}: {error}", path.display()))
        })?;
        let file_name = path.file_name().and_then(|name| name.to_str());
        let stem = file_name.and_then(|name| name.split('.').next());
        let parsing = Parsing {
            name: stem
                .filter(|stem| !stem.is_empty())
                .unwrap_or("StateMachine"),
            path: Some(path),
            resources: ResourceNames::Known,
        };
        Self::parse_as(&text, reading, parsing).map_err(UnreadableDefinition::Refused)
    }

    fn parse_as(
        text: &str,
        reading: &Reading,
        parsing: Parsing<'_>,
    ) -> Result<Self, DefinitionError> {
        let values = &reading.substitutions;
        let written = text.to_owned();
        let text = replace_placeholders(text, |name| values.get(name).map(String::as_str));
        let options = Options {
            profile: reading.profile,
            state_machine_type: reading.state_machine_type,
            resources: parsing.resources,
            placeholders: Placeholders::Left,
            ..Options::default()
        };
        let (machine, _warnings) = asl_engine::model::parse(&text, options)?;
        Ok(Self(Arc::new(Parts {
            name: parsing.name.to_owned(),
            path: parsing.path.map(Path::to_owned),
            text: written,
            points: OnceLock::new(),
            program: Program::compile(&machine)?,
            around: around(&machine.states),
            machine,
            state_machine_type: reading.state_machine_type,
        })))
    }

    /// The name of the state machine: the file's up to its first dot.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The file that it was read from.
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// The text that it was read from, with its placeholders.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// What tests can reach of it.
    pub(crate) fn points(&self) -> &Points {
        let machine = &self.0.machine;
        self.0.points.get_or_init(|| Points::from_machine(machine))
    }

    /// Whether both are the same one, read once.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The definition as data.
    pub fn machine(&self) -> &StateMachine {
        &self.0.machine
    }

    pub(crate) fn program(&self) -> &Program {
        &self.0.program
    }

    pub(crate) fn state_machine_type(&self) -> StateMachineType {
        self.0.state_machine_type
    }

    /// The states around a state, from the outermost; none where there is no such state.
    pub(crate) fn around(&self, state: &str) -> Option<&[String]> {
        self.0.around.get(state).map(Vec::as_slice)
    }

    /// The state that a text names: by its name, or by its path, `Each order/Charge`.
    pub(crate) fn find_state<'t>(&self, text: &'t str) -> Option<&'t str> {
        if self.0.around.contains_key(text) {
            return Some(text);
        }
        // A name may hold a slash itself.
        text.match_indices('/').find_map(|(at, slash)| {
            let (path, name) = (&text[..at], &text[at + slash.len()..]);
            let name = self.find_state(name)?;
            let around = self.around(name)?;
            let is_around = |outer: &str| around.iter().any(|state| state == outer);
            (is_around(path) || around.join("/").ends_with(path)).then_some(name)
        })
    }

    /// The Task States that a text names: a state by its name or path, or those of a resource.
    pub(crate) fn tasks_of(&self, target: &str) -> Vec<&str> {
        let names = self.0.program.tasks().map(|task| task.state_name());
        if let Some(state) = self.find_state(target) {
            return names.filter(|name| *name == state).collect();
        }
        let handlers = TaskHandlers::new().on(target, |value| async { Ok(value) });
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

    /// What to say of a text that names no task.
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
        self.0.around.keys().map(String::as_str)
    }
}

struct Parsing<'p> {
    name: &'p str,
    path: Option<&'p Path>,
    resources: ResourceNames,
}

fn around(states: &States) -> HashMap<String, Vec<String>> {
    let mut around = HashMap::new();
    let mut open: Vec<(&States, Vec<String>)> = vec![(states, Vec::new())];
    while let Some((scope, outer)) = open.pop() {
        for (name, state) in &scope.states {
            let mut inner = outer.clone();
            inner.push(name.to_string());
            open.extend(state.scopes().iter().map(|scope| (scope, inner.clone())));
            around.insert(name.to_string(), outer.clone());
        }
    }
    around
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
        assert_eq!(definition.around("a/b").unwrap(), ["All", "Each"]);
    }
}
