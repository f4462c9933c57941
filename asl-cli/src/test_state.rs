//! `asl test-state`.
use crate::arguments::{Level, TestStateArguments, Validation};
use crate::exit::{Exit, Failure, print_json, print_value};
use crate::source::{Source, check_stdin};
use crate::substitutions::read_definition;
use crate::terminal::{self, listed};
use asl_engine::ErrorOutput;
use asl_engine::runtime::Clock;
use asl_model::{Document, Options, did_you_mean};
use asl_test_state::{
    FieldValidation, InspectionLevel, Mock, StateConfiguration, TestStateError, TestStateErrorCode,
    TestStateRequest, TestStateResponse, TestStatus, Tester,
};
use serde_json::Value;

/// The role of a state that is tested without one: none is requested anything.
const ROLE: &str = "arn:aws:iam::111111111111:role/TestState";

/// Tests one state.
pub(crate) fn test_state(arguments: &TestStateArguments) -> Result<Exit, Failure> {
    match &arguments.request {
        Some(file) => answer(file),
        None => test(arguments),
    }
}

/// Returns the API's request in, its response or error out.
fn answer(file: &str) -> Result<Exit, Failure> {
    let value = Source::read(file)?.json()?;
    let answer = TestStateRequest::from_value(&value).and_then(|request| tested(&request));
    match answer {
        Ok(response) => {
            print_json(response.to_value())?;
            Ok(exit(&response))
        }
        Err(error) => {
            print_json(error.to_value())?;
            Ok(Exit::Refused)
        }
    }
}

fn test(arguments: &TestStateArguments) -> Result<Exit, Failure> {
    let definition = arguments.definition.as_deref().unwrap_or_default();
    check_stdin(&[
        ("the definition", Some(definition)),
        ("the input", Some(arguments.input.argument())),
        ("the mocked result", arguments.mock_result.as_deref()),
        ("the mocked error", arguments.mock_error.as_deref()),
        (
            "the item reader's data",
            arguments.item_reader_data.as_deref(),
        ),
        ("the variables", arguments.variables.as_deref()),
        ("the context", arguments.context.as_deref()),
        ("the substitutions", arguments.substitutions.file.as_deref()),
    ])?;
    let request = request(arguments, definition)?;
    let response = tested(&request).map_err(|error| failure(&error))?;
    print_value(&response.to_readable())?;
    Ok(exit(&response))
}

fn request(arguments: &TestStateArguments, definition: &str) -> Result<TestStateRequest, Failure> {
    let source = read_definition(&arguments.substitutions, definition)?;
    check_state(source.text().as_str(), arguments.state.as_deref())?;
    let (_, input) = arguments.input.read_with_text()?;
    let data = text("--item-reader-data", arguments.item_reader_data.as_deref())?;
    let configuration = StateConfiguration::default()
        .with_retrier_retry_count(arguments.retry_count)
        .with_map_iteration_failure_count(arguments.failed_iterations)
        .with_map_item_reader_data(data);
    let request = TestStateRequest::new(source.text().as_str())
        .with_state_name(arguments.state.clone())
        .with_role_arn(ROLE.to_owned())
        .with_input(input)
        .with_inspection_level(match arguments.inspection_level {
            Level::Info => InspectionLevel::Info,
            Level::Debug => InspectionLevel::Debug,
            Level::Trace => InspectionLevel::Trace,
        })
        .with_variables(json_text("--variables", arguments.variables.as_deref())?)
        .with_context(json_text("--context", arguments.context.as_deref())?)
        .with_mock(mock(arguments)?)
        .with_configuration(configuration);
    Ok(request)
}

/// Refuses a state that a state machine does not have, and asks which is meant where none is named.
fn check_state(definition: &str, state: Option<&str>) -> Result<(), Failure> {
    let Ok(document) = Document::parse(definition, Options::default()) else {
        return Ok(());
    };
    let names = names_of_states(document.value());
    match state {
        _ if names.is_empty() => Ok(()),
        None => Err(Failure::new(format!(
            "several states: choose one with --state: {}",
            listed(&names, 4 * terminal::width())
        ))),
        Some(name) if names.contains(&name) => Ok(()),
        Some(name) => {
            let near = did_you_mean(name, names.iter().copied());
            let all = match near.is_empty() {
                true => format!("; there are {}", listed(&names, 4 * terminal::width())),
                false => near,
            };
            Err(Failure::new(format!("there is no state '{name}'{all}")))
        }
    }
}

/// Returns the names of all states of a state machine, of branches and iterations too; none of a state alone.
fn names_of_states(definition: &Value) -> Vec<&str> {
    let mut names = Vec::new();
    let mut open = vec![definition];
    while let Some(machine) = open.pop() {
        let states = machine.get("States").and_then(Value::as_object);
        for (name, state) in states.into_iter().flatten() {
            names.push(name.as_str());
            open.extend(asl_model::nested_scopes(state).map(|one| one.scope));
        }
    }
    names
}

fn mock(arguments: &TestStateArguments) -> Result<Option<Mock>, Failure> {
    let result = json_text("--mock-result", arguments.mock_result.as_deref())?;
    let error = text("--mock-error", arguments.mock_error.as_deref())?;
    if result.is_none() && error.is_none() {
        return Ok(None);
    }
    let mock = Mock::default()
        .with_result(result)
        .with_error_output(error.as_deref().map(error_output).transpose()?)
        .with_field_validation(match arguments.field_validation {
            Validation::Strict => FieldValidation::Strict,
            Validation::Present => FieldValidation::Present,
            Validation::None => FieldValidation::None,
        });
    Ok(Some(mock))
}

/// Returns an Error Name, or an object.
fn error_output(text: &str) -> Result<ErrorOutput, Failure> {
    if !text.trim_start().starts_with('{') {
        return Ok(ErrorOutput::without_cause(text.trim()));
    }
    let option = "--mock-error";
    let fields = Source::read_argument(option, text)?.json_object(option)?;
    let field = |names: [&str; 2]| {
        let value = names.iter().find_map(|name| fields.get(*name));
        value.and_then(Value::as_str).map(str::to_owned)
    };
    Ok(ErrorOutput {
        error: field(["error", "Error"]),
        cause: field(["cause", "Cause"]),
    })
}

fn text(option: &str, argument: Option<&str>) -> Result<Option<String>, Failure> {
    let source = argument.map(|argument| Source::read_argument(option, argument));
    Ok(source.transpose()?.map(|source| source.text))
}

/// Returns a text that must be JSON.
fn json_text(option: &str, argument: Option<&str>) -> Result<Option<String>, Failure> {
    let Some(argument) = argument else {
        return Ok(None);
    };
    let source = Source::read_argument(option, argument)?;
    source.json()?;
    Ok(Some(source.text))
}

fn tested(request: &TestStateRequest) -> Result<TestStateResponse, TestStateError> {
    let services = asl_services::Services::new();
    let mut tester = Tester::new(Clock::real().now()).with_services(&services);
    tester.test(request)
}

fn exit(response: &TestStateResponse) -> Exit {
    match response.status {
        TestStatus::Failed => Exit::Failed,
        _ => Exit::Success,
    }
}

/// Returns the service's message, with what to do about it here.
fn failure(error: &TestStateError) -> Failure {
    let hint = match error.code {
        TestStateErrorCode::InvalidDefinition if error.message.contains("Map or Parallel") => {
            ": give what its children make with --mock-result or --mock-error"
        }
        TestStateErrorCode::InvalidDefinition => {
            " (a state machine needs --state; asl validate shows the locations)"
        }
        _ if error
            .message
            .starts_with("Mock result schema validation error") =>
        {
            ": the mocked result must have the shape of the API's response; --field-validation none accepts any"
        }
        _ => "",
    };
    Failure::new(format!("{}{hint}", error.message))
}
