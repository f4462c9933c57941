//! Settings of a test file and of its cases.
use super::mock;
use super::objects::{self, Objects};
use super::reader::{Fields, Node};
use crate::case::ConfiguredMocks;
use crate::{DEFINITION_ENDINGS, Definition, Mock, ReadOptions};
use asl_engine::model::{
    Options, Profile, ResourceNames, SourceMap, StateMachineType, Timestamp, value_from_text,
};
use asl_performers::MockConfiguration;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Data for reading the cases of one file.
pub(super) struct Reader<'r> {
    pub(super) path: Option<&'r Path>,
    pub(super) folder: &'r Path,
    pub(super) map: &'r SourceMap<'r>,
    /// Each definition is read once.
    definitions: RefCell<Vec<(PathBuf, ReadOptions, Option<Definition>)>>,
    configurations: RefCell<BTreeMap<PathBuf, Option<Arc<MockConfiguration>>>>,
    /// Objects by their source, read once for all cases.
    objects: RefCell<BTreeMap<String, Objects>>,
    /// Valid resources of Task States, where neither file nor case says.
    resources: ResourceNames,
    /// Every file that was looked at, be it there or not.
    pub(super) files: RefCell<BTreeSet<PathBuf>>,
}

/// The fields that a file and a case may both have; a case's own go before the file's.
#[derive(Clone, Default)]
pub(super) struct Settings<'f> {
    pub(super) definition: Option<Node<'f>>,
    pub(super) substitutions: Option<Node<'f>>,
    pub(super) profile: Option<Node<'f>>,
    pub(super) machine_type: Option<Node<'f>>,
    pub(super) resources: Option<Node<'f>>,
    pub(super) input: Option<Node<'f>>,
    pub(super) variables: Option<Node<'f>>,
    pub(super) context: Option<Node<'f>>,
    pub(super) seed: Option<Node<'f>>,
    pub(super) max_transitions: Option<Node<'f>>,
    pub(super) start_time: Option<Node<'f>>,
    pub(super) start_at: Option<Node<'f>>,
    pub(super) s3: Option<Node<'f>>,
    pub(super) mock_config_file: Option<Node<'f>>,
    pub(super) state_machine: Option<Node<'f>>,
    /// All of them, those of the file first.
    pub(super) mocks: Vec<Node<'f>>,
}

impl<'f> Settings<'f> {
    pub(super) fn read(fields: &Fields<'f>) -> Self {
        Self {
            definition: fields.get("definition"),
            substitutions: fields.get("substitutions"),
            profile: fields.get("profile"),
            machine_type: fields.get("type"),
            resources: fields.get("resources"),
            input: fields.get("input"),
            variables: fields.get("variables"),
            context: fields.get("context"),
            seed: fields.get("seed"),
            max_transitions: fields.get("maxTransitions"),
            start_time: fields.get("startTime"),
            start_at: fields.get("startAt"),
            s3: fields.get("s3"),
            mock_config_file: fields.get("mockConfigFile"),
            state_machine: fields.get("stateMachine"),
            mocks: fields.get("mocks").into_iter().collect(),
        }
    }

    /// Returns these settings, with those of the file as defaults.
    pub(super) fn over(self, file: &Self) -> Self {
        let file = file.clone();
        Self {
            definition: self.definition.or(file.definition),
            substitutions: self.substitutions.or(file.substitutions),
            profile: self.profile.or(file.profile),
            machine_type: self.machine_type.or(file.machine_type),
            resources: self.resources.or(file.resources),
            input: self.input.or(file.input),
            variables: self.variables.or(file.variables),
            context: self.context.or(file.context),
            seed: self.seed.or(file.seed),
            max_transitions: self.max_transitions.or(file.max_transitions),
            start_time: self.start_time.or(file.start_time),
            start_at: self.start_at.or(file.start_at),
            s3: self.s3.or(file.s3),
            mock_config_file: self.mock_config_file.or(file.mock_config_file),
            state_machine: self.state_machine.or(file.state_machine),
            mocks: file.mocks.into_iter().chain(self.mocks).collect(),
        }
    }

    /// Returns the mocks; a later one of a target takes the place of an earlier one.
    pub(super) fn mocks(&self, reader: &Reader<'_>) -> Vec<Mock> {
        let machines = |node: &Node<'_>| reader.machine(self, node);
        let mut mocks: Vec<Mock> = Vec::new();
        for (target, node) in self.mocks.iter().flat_map(Node::entries) {
            mocks.retain(|mock| mock.target != target);
            mocks.extend(mock::read(target, &node, &machines));
        }
        mocks
    }

    /// Returns the options for reading a definition; `resources` are valid where these settings do not say.
    fn reading(&self, resources: ResourceNames) -> Option<ReadOptions> {
        let profile = match self.profile.as_ref().map(|node| (node, node.text())) {
            None => Profile::default(),
            Some((_, Some("aws"))) => Profile::Aws,
            Some((_, Some("spec"))) => Profile::Spec,
            Some((node, _)) => return one_of(node, "`aws` or `spec`"),
        };
        let state_machine_type = match self.machine_type.as_ref().map(|node| (node, node.text())) {
            None => None,
            Some((_, Some("standard"))) => Some(StateMachineType::Standard),
            Some((_, Some("express"))) => Some(StateMachineType::Express),
            Some((node, _)) => return one_of(node, "`standard` or `express`"),
        };
        let resources = match self.resources.as_ref().map(|node| (node, node.text())) {
            None => resources,
            Some((_, Some("known"))) => ResourceNames::Known,
            Some((_, Some("any"))) => ResourceNames::Any,
            Some((node, _)) => return one_of(node, "`known` or `any`"),
        };
        let substitutions = self.substitutions.iter().flat_map(Node::entries);
        let written = |value: &Value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        Some(
            ReadOptions::default()
                .with_profile(profile)
                .with_state_machine_type(state_machine_type)
                .with_resources(resources)
                .with_substitutions(
                    substitutions
                        .map(|(name, node)| (name.to_owned(), written(node.value)))
                        .collect(),
                ),
        )
    }
}

fn one_of<T>(node: &Node<'_>, words: &str) -> Option<T> {
    node.fault(format!("expected {words}"));
    None
}

impl<'r> Reader<'r> {
    pub(super) fn new(
        path: Option<&'r Path>,
        folder: &'r Path,
        map: &'r SourceMap<'r>,
        resources: ResourceNames,
    ) -> Self {
        Self {
            path,
            resources,
            folder,
            map,
            definitions: RefCell::default(),
            configurations: RefCell::default(),
            objects: RefCell::default(),
            files: RefCell::new(path.map(Path::to_owned).into_iter().collect()),
        }
    }

    /// Returns the definition of a case. Errors are reported at `case` if no field names the definition.
    pub(super) fn definition(
        &self,
        settings: &Settings<'_>,
        case: &Node<'_>,
    ) -> Option<Definition> {
        let reading = settings.reading(self.resources)?;
        let path = match &settings.definition {
            Some(node) => self.folder.join(node.text()?),
            None => self.find_definition(case)?,
        };
        let node = settings.definition.as_ref().unwrap_or(case);
        self.read_definition(path, reading, node)
    }

    /// Returns a state machine that runs in a task's place, by the rules of the case.
    fn machine(&self, settings: &Settings<'_>, node: &Node<'_>) -> Option<Definition> {
        let path = self.folder.join(node.text()?);
        self.read_definition(path, settings.reading(self.resources)?, node)
    }

    /// Reads a definition once. Errors are reported at `node`.
    fn read_definition(
        &self,
        path: PathBuf,
        reading: ReadOptions,
        node: &Node<'_>,
    ) -> Option<Definition> {
        let mut definitions = self.definitions.borrow_mut();
        let known = definitions
            .iter()
            .find(|(file, by, _)| *file == path && *by == reading);
        if let Some((.., definition)) = known {
            return definition.clone();
        }
        self.record_input(&asl_template::file_of(&path));
        let read = Definition::read(&path, &reading);
        let definition = read.map_err(|error| {
            node.fault(format!("{}: {error}", path.display()));
        });
        let definition = definition.ok();
        for file in definition.iter().flat_map(Definition::referenced) {
            self.record_input(file);
        }
        definitions.push((path, reading, definition.clone()));
        definition
    }

    /// A change of this file may change what comes of the tests.
    pub(super) fn record_input(&self, path: &Path) {
        self.files.borrow_mut().insert(path.to_owned());
    }

    /// `order.asl.json` of `order.test.yaml`.
    fn find_definition(&self, case: &Node<'_>) -> Option<PathBuf> {
        let name = self
            .path
            .and_then(Path::file_name)
            .and_then(|name| name.to_str());
        let Some(stem) = name.and_then(|name| name.split(".test.").next()) else {
            case.fault("expected `definition`: the file of the state machine");
            return None;
        };
        let beside = DEFINITION_ENDINGS.map(|ending| self.folder.join(format!("{stem}{ending}")));
        self.files.borrow_mut().extend(beside.iter().cloned());
        let found = beside.into_iter().find(|path| path.is_file());
        if found.is_none() {
            case.fault(format!(
                "no definition next to the file: expected {stem}.asl.json, {stem}.asl.yaml, or a field `definition`"
            ));
        }
        found
    }

    /// Returns the test case of a MockConfigFile.json that a case names.
    pub(super) fn configured(
        &self,
        settings: &Settings<'_>,
        test_case: &str,
    ) -> Option<ConfiguredMocks> {
        let node = settings.mock_config_file.as_ref()?;
        let path = self.folder.join(node.text()?);
        self.record_input(&path);
        let mut configurations = self.configurations.borrow_mut();
        let read = || match read_configuration(&path) {
            Ok(configuration) => Some(Arc::new(configuration)),
            Err(error) => {
                node.fault(format!("{}: {error}", path.display()));
                None
            }
        };
        let file = configurations
            .entry(path.clone())
            .or_insert_with(read)
            .clone()?;
        let state_machine = settings.state_machine.as_ref().and_then(Node::text);
        Some(ConfiguredMocks {
            file,
            state_machine: state_machine.map(str::to_owned),
            test_case: test_case.to_owned(),
        })
    }

    /// Returns the objects that ItemReader finds.
    pub(super) fn objects(&self, settings: &Settings<'_>) -> Objects {
        let Some(node) = &settings.s3 else {
            return Objects::new();
        };
        let mut known = self.objects.borrow_mut();
        let read = || objects::read(node, self.folder, &mut self.files.borrow_mut());
        known
            .entry(node.pointer.clone())
            .or_insert_with(read)
            .clone()
    }
}

fn read_configuration(path: &Path) -> Result<MockConfiguration, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let value = value_from_text(&text, Options::default()).map_err(|faults| faults.to_string())?;
    MockConfiguration::from_value(&value).map_err(|error| error.to_string())
}

/// An object that is taken as it is.
pub(super) fn object(node: Option<&Node<'_>>) -> Map<String, Value> {
    let object = node.and_then(Node::object);
    object.cloned().unwrap_or_default()
}

/// Returns a moment as the specification writes it.
pub(super) fn timestamp(node: &Node<'_>) -> Option<Timestamp> {
    let text = node.text()?;
    let parsed = Timestamp::parse(text);
    if parsed.is_none() {
        node.fault(format!(
            "expected a timestamp (2024-01-31T12:00:00Z), found {text:?}"
        ));
    }
    parsed
}
