//! `asl test-state`.
use super::{Input, Substitutions};
use clap::{Args, ValueEnum};

const EXAMPLES: &str = "\
Examples:
  asl test-state order.asl.json --state Total -i @order.json --inspection-level debug
  asl test-state order.asl.json --state Charge -i @order.json --mock-result '{\"StatusCode\": 200}'
  asl test-state order.asl.json --state Charge --mock-error CardRefused --retry-count 2
  asl test-state --request request.json";

/// Arguments of `asl test-state`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TestStateArguments {
    /// The definition of a state machine or of one state, JSON or YAML; - for stdin
    #[arg(required_unless_present = "request")]
    pub(crate) definition: Option<String>,

    /// The state to test, at any nesting level of the state machine
    #[arg(long, value_name = "NAME")]
    pub(crate) state: Option<String>,

    #[command(flatten)]
    pub(crate) input: Input,

    /// info: the output; debug: also the data after each field; trace: also HTTP requests
    #[arg(
        long,
        value_enum,
        ignore_case = true,
        default_value = "debug",
        value_name = "LEVEL"
    )]
    pub(crate) inspection_level: Level,

    /// Mocked result of the task, branches or iterations
    #[arg(
        long,
        value_name = "JSON|@FILE",
        conflicts_with = "mock_error",
        allow_hyphen_values = true,
        help_heading = "Mock"
    )]
    pub(crate) mock_result: Option<String>,

    /// Mocked error: an error name, or {"error": …, "cause": …}
    #[arg(long, value_name = "NAME|JSON|@FILE", help_heading = "Mock")]
    pub(crate) mock_error: Option<String>,

    /// strict: the result has all fields that the service's API requires; present: its fields have the right types; none: no
    /// check
    #[arg(
        long,
        value_enum,
        ignore_case = true,
        default_value = "strict",
        value_name = "MODE",
        help_heading = "Mock"
    )]
    pub(crate) field_validation: Validation,

    /// Number of retries so far
    #[arg(long, value_name = "N", help_heading = "Mock")]
    pub(crate) retry_count: Option<u64>,

    /// Number of failed iterations of a Map
    #[arg(long, value_name = "N", help_heading = "Mock")]
    pub(crate) failed_iterations: Option<u64>,

    /// Mocked data of an ItemReader
    #[arg(long, value_name = "TEXT|@FILE", help_heading = "Mock")]
    pub(crate) item_reader_data: Option<String>,

    /// State machine variables: an object whose fields are available as $name
    #[arg(long, value_name = "JSON|@FILE", help_heading = "Data")]
    pub(crate) variables: Option<String>,

    /// The complete Context Object, available as $$ and $states.context
    #[arg(long, value_name = "JSON|@FILE", help_heading = "Data")]
    pub(crate) context: Option<String>,

    /// Read a TestState API request, and print an API response
    #[arg(long, value_name = "FILE|-", conflicts_with_all = ["definition", "state", "input", "mock_result", "mock_error",
        "retry_count", "failed_iterations", "item_reader_data", "variables", "context"])]
    pub(crate) request: Option<String>,

    #[command(flatten)]
    pub(crate) substitutions: Substitutions,
}

/// Inspection levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Level {
    Info,
    Debug,
    Trace,
}

/// Checks of a mocked result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Validation {
    Strict,
    Present,
    None,
}
