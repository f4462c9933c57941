//! One case of a test file.
use super::expect;
use super::reader::Node;
use super::settings::{Reader, Settings, object, timestamp};
use crate::Case;
use crate::output_file::OutputFile;

/// Reads a case, and reports errors with their positions.
pub(super) fn read(
    reader: &Reader<'_>,
    name: &str,
    node: &Node<'_>,
    file: &Settings<'_>,
) -> Option<Case> {
    let fields = node.fields()?;
    let settings = Settings::read(&fields).over(file);
    let expected = fields.get("expect");
    let test_case = fields.get("testCase");
    let test_case = test_case.as_ref().and_then(Node::text).unwrap_or(name);
    fields.finish();
    let definition = reader.definition(&settings, node)?;
    let mut case = Case::new(name, &definition);
    case.file = reader.path.map(ToOwned::to_owned);
    case.position = reader.map.locate_name(&node.pointer);
    case.folder = Some(reader.folder.to_owned());
    if let Some(input) = &settings.input {
        case.input = input.value.clone();
    }
    case.variables = object(settings.variables.as_ref());
    case.context = object(settings.context.as_ref());
    if let Some(seed) = settings.seed.as_ref().and_then(Node::whole_number) {
        case.seed = seed;
    }
    if let Some(most) = settings
        .max_transitions
        .as_ref()
        .and_then(Node::whole_number)
    {
        case.max_transitions = most;
    }
    if let Some(now) = settings.start_time.as_ref().and_then(timestamp) {
        case.now = now;
    }
    if let Some(start_at) = &settings.start_at
        && let Some(state) = start_at.text()
    {
        if definition.program().find_state(state).is_none() {
            start_at.fault(expect::unknown_state(&definition, state));
        }
        case.start_at = Some(state.to_owned());
    }
    case.objects = reader.objects(&settings);
    case.mocks = settings.mocks(reader);
    case.mock_configuration = reader.configured(&settings, test_case);
    if let Some(expected) = &expected {
        case.positions = positions(reader, expected);
        case.output_file = output_file(reader, expected);
        let recorded = case
            .output_file
            .as_ref()
            .and_then(|file| file.recorded.as_ref());
        case.expectations = expect::read(expected, &case, recorded);
    }
    for error in case.mock_errors() {
        let pointer = error.pointer.as_deref();
        let pointer = pointer.or(settings
            .mock_config_file
            .as_ref()
            .map(|node| &*node.pointer));
        node.faults.push(
            pointer.unwrap_or(&node.pointer),
            error.pointer.is_some(),
            error.message,
        );
    }
    Some(case)
}

/// Returns the position of each expectation.
fn positions(
    reader: &Reader<'_>,
    expected: &Node<'_>,
) -> std::collections::BTreeMap<String, asl_model::Position> {
    let fields = expected.value.as_object().into_iter().flatten();
    let place = |(name, _): (&String, _)| {
        let position = reader
            .map
            .locate_name(&format!("{}/{name}", expected.pointer))?;
        Some((name.clone(), position))
    };
    fields.filter_map(place).collect()
}

/// Returns the file that `outputFile` names; one that is not there is still to be recorded.
fn output_file(reader: &Reader<'_>, expected: &Node<'_>) -> Option<OutputFile> {
    let value = expected.value.get("outputFile")?;
    let node = Node {
        value,
        pointer: format!("{}/outputFile", expected.pointer),
        ..expected.clone()
    };
    if expected.value.get("output").is_some() {
        node.fault_of_name("expected either output or outputFile, found both");
    }
    let path = reader.folder.join(node.text()?);
    if !asl_template::is_of_repository(&reader.folder.join("test"), &path) {
        let message = format!("{} is outside the repository", path.display());
        node.fault(message);
        return None;
    }
    reader.record_input(&path);
    let recorded = match asl_template::open_regular(&path).and_then(std::io::read_to_string) {
        Ok(text) => asl_path::json::parse(&text, asl_path::json::DEFAULT_MAX_DEPTH)
            .map_err(|error| node.fault(format!("{} is not JSON: {error}", path.display())))
            .ok(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => {
            node.fault(format!("cannot read {}: {error}", path.display()));
            None
        }
    };
    Some(OutputFile { path, recorded })
}
