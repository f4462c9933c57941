//! Test files: YAML or JSON, `version: 1`.
mod case;
mod expect;
mod fault;
mod mock;
mod objects;
mod reader;
mod settings;

pub use fault::{Fault, TestFileError};

use crate::{Case, CaseReport};
use asl_engine::model::{Options, Position, ResourceNames, SourceMap, unique_value_from_text};
use reader::{Faults, Fields, Node};
use settings::{Reader, Settings};
use std::path::{Path, PathBuf};

/// A test file: cases, most often of one definition.
///
/// ```
/// use asl_test::TestFile;
///
/// let file = TestFile::parse(r#"
/// version: 1
/// definition: tests/order.asl.json
/// mocks:
///   Reserve: {return: {shelf: 17}}
/// cases:
///   a card is charged:
///     mocks:
///       Charge: {return: {receipt: 4711}}
///     expect:
///       output: {receipt: 4711, shelf: 17}
/// "#, ".".as_ref())?;
/// for report in file.run() {
///     report.into_result()?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct TestFile {
    path: Option<PathBuf>,
    cases: Vec<Case>,
    files: Vec<PathBuf>,
}

impl TestFile {
    /// Reads a file. Without `definition`, `order.test.yaml` tests the definition next to it: `order.asl.json` or
    /// `order.asl.yaml`.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its place.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, TestFileError> {
        Self::read_with(path, ResourceNames::default())
    }

    /// Reads a file whose definitions may have these resources, unless the file has a setting of its own.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_with(
        path: impl AsRef<Path>,
        resources: ResourceNames,
    ) -> Result<Self, TestFileError> {
        let path = path.as_ref();
        let text = asl_template::open_regular(path).and_then(std::io::read_to_string);
        let text = text.map_err(|error| {
            TestFileError::whole(Some(path), format!("it cannot be read: {error}"))
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        parse(&text, Some(path), folder, resources)
    }

    /// Reads a text; paths in it begin at `folder`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn parse(text: &str, folder: &Path) -> Result<Self, TestFileError> {
        parse(text, None, folder, ResourceNames::default())
    }

    /// The file that it was read from.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns the cases in the order of the file.
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }

    /// Returns all files whose change may change what comes of it, and those that may come to be: itself, definitions,
    /// mocks, objects, outputs.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    pub(crate) fn into_cases(self) -> Vec<Case> {
        self.cases
    }

    /// Runs all cases, one after the other; a [`Suite`](crate::Suite) runs several at a time.
    pub fn run(&self) -> Vec<CaseReport> {
        self.cases.iter().map(Case::run).collect()
    }
}

/// The JSON Schema of test files, by which editors complete and check them.
pub const SCHEMA: &str = include_str!("../schema.json");

fn parse(
    text: &str,
    path: Option<&Path>,
    folder: &Path,
    resources: ResourceNames,
) -> Result<TestFile, TestFileError> {
    let value = unique_value_from_text(text, Options::default()).map_err(|faults| {
        let faults = faults.located().map(|(fault, position)| Fault {
            message: without_place(&fault.message, position),
            pointer: fault.location.pointer().to_owned(),
            is_name: true,
            position,
        });
        TestFileError::new(path, faults.collect())
    })?;
    let faults = Faults::default();
    let map = SourceMap::new(text);
    let reader = Reader::new(path, folder, &map, resources);
    let root = Node {
        faults: &faults,
        value: &value,
        pointer: String::new(),
    };
    let cases = root
        .fields()
        .map(|fields| read_cases(&reader, fields))
        .unwrap_or_default();
    let mut list = faults.into_list();
    // What is wrong for the whole file is found again with each case.
    let mut told = std::collections::HashSet::new();
    list.retain(|fault| told.insert((fault.pointer.clone(), fault.message.clone())));
    let files = reader.files.take().into_iter().collect();
    match list.is_empty() {
        true => Ok(TestFile {
            path: path.map(Path::to_owned),
            cases,
            files,
        }),
        false => {
            let error = TestFileError::new(path, list).located_in(text);
            Err(TestFileError { files, ..error })
        }
    }
}

/// Removes the position from a message.
fn without_place(message: &str, position: Option<Position>) -> String {
    let place =
        position.map(|Position { line, column }| format!(" at line {line} column {column}"));
    let shorter = place.and_then(|place| message.strip_suffix(&*place));
    shorter.unwrap_or(message).to_owned()
}

fn read_cases(reader: &Reader<'_>, fields: Fields<'_>) -> Vec<Case> {
    match fields.get("version") {
        Some(version) if version.value == 1 => {}
        Some(version) => version.fault(format!("expected version 1, found {}", version.value)),
        None => fields.node.fault("expected `version: 1`"),
    }
    let settings = Settings::read(&fields);
    let cases = fields.get("cases");
    if cases.is_none() {
        fields
            .node
            .fault("expected `cases`: an object with named cases");
    }
    let read = cases.iter().flat_map(Node::entries);
    let read = read
        .filter_map(|(name, node)| case::read(reader, name, &node, &settings))
        .collect();
    fields.finish();
    read
}
