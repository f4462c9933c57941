//! `--mocks FILE --test-case NAME`.
use crate::arguments::RunArguments;
use crate::exit::Failure;
use crate::snippet::Snippet;
use crate::source::Source;
use asl_model::Position;
use asl_performers::{MockConfiguration, MockConfigurationError, MockHandler};
use serde_json::Value;

/// A test case and the state machine it is of.
pub(crate) struct Mocks {
    pub(crate) state_machine: Option<String>,
    pub(crate) handler: MockHandler,
}

/// Returns the test case that the arguments name.
pub(crate) fn mocks(arguments: &RunArguments) -> Result<Option<Mocks>, Failure> {
    let Some(path) = &arguments.mocks else {
        return Ok(None);
    };
    let source = Source::read(path)?;
    let file = source.json_or_yaml()?;
    let explain = |error| describe(&source, &error);
    let configuration = MockConfiguration::from_value(&file).map_err(explain)?;
    let state_machine = match &arguments.state_machine {
        Some(name) => Some(name.clone()),
        None => only(configuration.state_machines()).map(str::to_owned),
    };
    let known = test_cases(&file, state_machine.as_deref());
    let test_case = match (arguments.test_case.as_deref(), known.as_slice()) {
        (Some(name), _) => name,
        (None, [only]) => only,
        (None, _) => "",
    };
    let handler = configuration
        .test_case(state_machine.as_deref(), test_case)
        .map_err(|error| match &arguments.test_case {
            None if known.len() > 1 => Failure::new(format!(
                "several test cases: choose one with --test-case: {}",
                known.join(", ")
            )),
            _ => describe(&source, &error),
        })?;
    Ok(Some(Mocks {
        state_machine,
        handler,
    }))
}

/// Returns the error, at its place in the file.
fn describe(source: &Source, error: &MockConfigurationError) -> Failure {
    let message = format!("{}: {}", source.name, error.message);
    match asl_model::locate(&source.text, &error.location) {
        Some(Position { line, column }) if !error.location.is_empty() => {
            let snippet = Snippet::new(&source.name, &source.text, line, column);
            Failure::new(format!("{message}\n{snippet}"))
        }
        _ => Failure::new(message),
    }
}

fn only<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.next().is_none().then_some(first)
}

fn test_cases<'f>(file: &'f Value, state_machine: Option<&str>) -> Vec<&'f str> {
    let cases = state_machine.and_then(|name| file["StateMachines"][name]["TestCases"].as_object());
    cases.map_or_else(Vec::new, |cases| cases.keys().map(String::as_str).collect())
}
