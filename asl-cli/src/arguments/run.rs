//! `asl run`.
use super::shared::whole_number;
use super::{Clock, Format, Input, Rules, Substitutions, TaskArguments, TimeAndChance, TraceLevel};
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use std::path::PathBuf;

const RUN_EXAMPLES: &str = "\
Examples:
  asl run hello.asl.json -i '{\"name\": \"Ada\"}'
  asl run order.asl.yaml -i @order.json --mocks mocks.json --test-case HappyPath --trace
  asl run template.yaml#Order --task 'Charge=exec:python3 charge.py'
  asl run order.asl.json --substitute Stage=test --substitutions values.env
  asl run order.asl.json --task 'charge=exec:python3 charge.py' --task 'arn:*:ship=http://localhost:8080/ship'";

/// Arguments of `asl run`.
#[derive(Debug, Args)]
#[command(after_help = RUN_EXAMPLES)]
pub(crate) struct RunArguments {
    /// The definition: a file, or FILE#NAME for one of several in a template; - for stdin
    pub(crate) definition: String,

    #[command(flatten)]
    pub(crate) input: Input,

    #[command(flatten)]
    pub(crate) substitutions: Substitutions,

    /// Answer tasks from a MockConfigFile.json
    #[arg(long, value_name = "FILE", help_heading = "Tasks")]
    pub(crate) mocks: Option<String>,

    /// The test case of the mock file; optional if it has only one
    #[arg(long, value_name = "NAME", requires = "mocks", help_heading = "Tasks")]
    pub(crate) test_case: Option<String>,

    /// The state machine of the mock file; optional if it has only one
    #[arg(long, value_name = "NAME", requires = "mocks", help_heading = "Tasks")]
    pub(crate) state_machine: Option<String>,

    #[command(flatten)]
    pub(crate) tasks: TaskArguments,

    /// True if waits take real time [default: virtual with --mocks, otherwise real]
    #[arg(long, value_enum, help_heading = "Time and randomness")]
    pub(crate) clock: Option<Clock>,

    #[command(flatten)]
    pub(crate) time_and_chance: TimeAndChance,

    /// The name of the execution
    #[arg(
        long,
        value_name = "NAME",
        value_parser = NonEmptyStringValueParser::new(),
        help_heading = "Execution"
    )]
    pub(crate) name: Option<String>,

    /// Merge this object into the Context Object
    #[arg(long, value_name = "JSON|@FILE", help_heading = "Execution")]
    pub(crate) context: Option<String>,

    #[command(flatten)]
    pub(crate) rules: Rules,

    /// Fail the execution after this many transitions
    #[arg(
        long,
        value_name = "N",
        value_parser = |text: &str| whole_number(text, 1),
        allow_hyphen_values = true,
        help_heading = "Execution"
    )]
    pub(crate) max_transitions: Option<u64>,

    /// Override limits of the profile by name, such as {"max_payload_bytes": 262144}; null removes a limit
    #[arg(long, value_name = "JSON|@FILE", help_heading = "Execution")]
    pub(crate) limits: Option<String>,

    /// Write the history of the execution in the format of GetExecutionHistory
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) history: Option<PathBuf>,

    /// Maximum size in bytes of the history, and of all child histories together
    #[arg(long, value_name = "N", default_value_t = 1 << 30, help_heading = "Output")]
    pub(crate) max_history_bytes: u64,

    /// Write the child histories of distributed Maps to DIR/STATE/MAP RUN/INDEX.json, with indexes from 0
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) child_histories: Option<PathBuf>,

    /// Print the data that each state changes to stderr; full: print the value of each field, one per line
    #[arg(
        long,
        value_enum,
        value_name = "LEVEL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "changes",
        help_heading = "Output"
    )]
    pub(crate) trace: Option<TraceLevel>,

    /// Stop before each state at an interactive prompt: inspect data, evaluate expressions, continue
    #[arg(long, conflicts_with = "trace", help_heading = "Output")]
    pub(crate) step: bool,

    /// Explain on stderr at the end what each state did and why; with --report json, in the field "account"
    #[arg(long, help_heading = "Output")]
    pub(crate) explain: bool,

    /// With --explain: include all data and every iteration
    #[arg(long, requires = "explain", help_heading = "Output")]
    pub(crate) full: bool,

    /// text: only the output; json: an object with status, output, error, cause and dates
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "FORMAT",
        help_heading = "Output"
    )]
    pub(crate) report: Format,
}
