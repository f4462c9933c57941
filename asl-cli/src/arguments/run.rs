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

/// What `asl run` is given.
#[derive(Debug, Args)]
#[command(after_help = RUN_EXAMPLES)]
pub(crate) struct RunArguments {
    /// The definition: a file, or FILE#NAME of a template that holds several; - for stdin
    pub(crate) definition: String,

    #[command(flatten)]
    pub(crate) input: Input,

    #[command(flatten)]
    pub(crate) substitutions: Substitutions,

    /// Answer tasks from this MockConfigFile.json
    #[arg(long, value_name = "FILE", help_heading = "Tasks")]
    pub(crate) mocks: Option<String>,

    /// Which test case of the mocks; may be left out where there is one
    #[arg(long, value_name = "NAME", requires = "mocks", help_heading = "Tasks")]
    pub(crate) test_case: Option<String>,

    /// Which state machine of the mocks; may be left out where there is one
    #[arg(long, value_name = "NAME", requires = "mocks", help_heading = "Tasks")]
    pub(crate) state_machine: Option<String>,

    #[command(flatten)]
    pub(crate) tasks: TaskArguments,

    /// Whether waits take their time: virtual with --mocks, else real
    #[arg(long, value_enum, help_heading = "Time and chance")]
    pub(crate) clock: Option<Clock>,

    #[command(flatten)]
    pub(crate) time_and_chance: TimeAndChance,

    /// The execution's name
    #[arg(
        long,
        value_name = "NAME",
        value_parser = NonEmptyStringValueParser::new(),
        help_heading = "Execution"
    )]
    pub(crate) name: Option<String>,

    /// Merge this over the Context Object
    #[arg(long, value_name = "JSON|@FILE", help_heading = "Execution")]
    pub(crate) context: Option<String>,

    #[command(flatten)]
    pub(crate) rules: Rules,

    /// Fail after this many transitions
    #[arg(
        long,
        value_name = "N",
        value_parser = |text: &str| whole_number(text, 1),
        allow_hyphen_values = true,
        help_heading = "Execution"
    )]
    pub(crate) max_transitions: Option<u64>,

    /// Bounds in place of the profile's, by name: {"max_payload_bytes": 262144}; null for none
    #[arg(long, value_name = "JSON|@FILE", help_heading = "Execution")]
    pub(crate) limits: Option<String>,

    /// Write the execution's history as GetExecutionHistory returns it
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) history: Option<PathBuf>,

    /// Write no more than so many bytes of the history, and of those of all children
    #[arg(long, value_name = "N", default_value_t = 1 << 30, help_heading = "Output")]
    pub(crate) max_history_bytes: u64,

    /// Write the histories of the children of distributed Maps: DIR/STATE/MAP RUN/INDEX.json, each counted from 0
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) child_histories: Option<PathBuf>,

    /// Show on stderr what each state changes of the data; full: all that each field made, a line each
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

    /// Stop before each state, at a terminal: look at data, evaluate expressions, go on
    #[arg(long, conflicts_with = "trace", help_heading = "Output")]
    pub(crate) step: bool,

    /// Tell on stderr at the end what each state did and why; with --report json, in its field "account"
    #[arg(long, help_heading = "Output")]
    pub(crate) explain: bool,

    /// With --explain: all data, and every iteration
    #[arg(long, requires = "explain", help_heading = "Output")]
    pub(crate) full: bool,

    /// text: the output alone; json: an object with status, output, error, cause, dates
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "FORMAT",
        help_heading = "Output"
    )]
    pub(crate) report: Format,
}
