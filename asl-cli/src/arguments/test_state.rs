//! `asl test-state`.
use super::{Input, Substitutions};
use clap::{Args, ValueEnum};

const EXAMPLES: &str = "\
Examples:
  asl test-state order.asl.json --state Total -i @order.json --inspection-level debug
  asl test-state order.asl.json --state Charge -i @order.json --mock-result '{\"StatusCode\": 200}'
  asl test-state order.asl.json --state Charge --mock-error CardRefused --retry-count 2
  asl test-state --request request.json";

/// What `asl test-state` is given.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TestStateArguments {
    /// The definition of a state machine, or of one state: JSON or YAML; - for stdin
    #[arg(required_unless_present = "request")]
    pub(crate) definition: Option<String>,

    /// Which state of a state machine, wherever it is
    #[arg(long, value_name = "NAME")]
    pub(crate) state: Option<String>,

    #[command(flatten)]
    pub(crate) input: Input,

    /// info: the output; debug: what each field made of the data too; trace: HTTP requests too
    #[arg(
        long,
        value_enum,
        ignore_case = true,
        default_value = "debug",
        value_name = "LEVEL"
    )]
    pub(crate) inspection_level: Level,

    /// What the task, the branches or the iterations return
    #[arg(
        long,
        value_name = "JSON|@FILE",
        conflicts_with = "mock_error",
        allow_hyphen_values = true,
        help_heading = "Mock"
    )]
    pub(crate) mock_result: Option<String>,

    /// What they fail with: an Error Name, or {"error": …, "cause": …}
    #[arg(long, value_name = "NAME|JSON|@FILE", help_heading = "Mock")]
    pub(crate) mock_error: Option<String>,

    /// strict: the result has what the service's API requires; present: what is there fits; none
    #[arg(
        long,
        value_enum,
        ignore_case = true,
        default_value = "strict",
        value_name = "MODE",
        help_heading = "Mock"
    )]
    pub(crate) field_validation: Validation,

    /// Retries that were made before
    #[arg(long, value_name = "N", help_heading = "Mock")]
    pub(crate) retry_count: Option<u64>,

    /// Iterations of a Map that failed
    #[arg(long, value_name = "N", help_heading = "Mock")]
    pub(crate) failed_iterations: Option<u64>,

    /// What an ItemReader reads
    #[arg(long, value_name = "TEXT|@FILE", help_heading = "Mock")]
    pub(crate) item_reader_data: Option<String>,

    /// State machine variables: an object, each field of which $name names
    #[arg(long, value_name = "JSON|@FILE", help_heading = "Data")]
    pub(crate) variables: Option<String>,

    /// The whole Context Object, which $$ and $states.context name
    #[arg(long, value_name = "JSON|@FILE", help_heading = "Data")]
    pub(crate) context: Option<String>,

    /// The API's own JSON in and out, in place of all else
    #[arg(long, value_name = "FILE|-", conflicts_with_all = ["definition", "state", "input", "mock_result", "mock_error",
        "retry_count", "failed_iterations", "item_reader_data", "variables", "context"])]
    pub(crate) request: Option<String>,

    #[command(flatten)]
    pub(crate) substitutions: Substitutions,
}

/// How much is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Level {
    Info,
    Debug,
    Trace,
}

/// How a mocked result is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Validation {
    Strict,
    Present,
    None,
}
