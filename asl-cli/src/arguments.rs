//! The command line.
use crate::exit::Failure;
use crate::source::Source;
use asl_model::{Options, Profile, StateMachineType};
use clap::builder::NonEmptyStringValueParser;
use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use serde_json::Value;
use std::path::PathBuf;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Run, check, evaluate and draw state machines of the Amazon States Language
#[derive(Debug, Parser)]
#[command(name = "asl", version, styles = STYLES, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a state machine and print its output
    Run(Box<RunArguments>),
    /// Check definitions and show all that is wrong with them
    Validate(ValidateArguments),
    /// Evaluate a path or a States.* call
    Eval(EvalArguments),
    /// Draw a state machine
    Graph(GraphArguments),
    /// Print the script that makes a shell complete asl
    #[command(
        after_help = "Example:\n  asl completions bash > ~/.local/share/bash-completion/completions/asl"
    )]
    Completions {
        /// Which shell
        shell: Shell,
    },
}

const RUN_EXAMPLES: &str = "\
Examples:
  asl run hello.asl.json -i '{\"name\": \"Ada\"}'
  asl run order.asl.yaml -i @order.json --mocks mocks.json --test-case HappyPath --trace
  asl run order.asl.json --task 'charge=exec:python3 charge.py' --task 'arn:*:ship=http://localhost:8080/ship'";

/// What `asl run` is given.
#[derive(Debug, Args)]
#[command(after_help = RUN_EXAMPLES)]
pub(crate) struct RunArguments {
    /// The definition, JSON or YAML; - for stdin
    pub(crate) definition: String,

    #[command(flatten)]
    pub(crate) input: Input,

    /// Answer tasks from this MockConfigFile.json
    #[arg(long, value_name = "FILE", help_heading = "Tasks")]
    pub(crate) mocks: Option<String>,

    /// Which test case of the mocks; may be left out where there is one
    #[arg(long, value_name = "NAME", requires = "mocks", help_heading = "Tasks")]
    pub(crate) test_case: Option<String>,

    /// Which state machine of the mocks; may be left out where there is one
    #[arg(long, value_name = "NAME", requires = "mocks", help_heading = "Tasks")]
    pub(crate) state_machine: Option<String>,

    /// Who does the tasks of a resource: RESOURCE=exec:CMD ARG… or RESOURCE=http://…; repeatable
    ///
    /// RESOURCE is the Resource as written, or a pattern with `*`, or a Lambda function's name.
    /// exec: gets the payload on stdin and answers on stdout; http: is POSTed the payload.
    #[arg(long = "task", value_name = "RESOURCE=HANDLER", help_heading = "Tasks")]
    pub(crate) tasks: Vec<String>,

    /// Serve Amazon S3 of ItemReader and ResultWriter from DIR/bucket/key
    #[arg(long, value_name = "DIR", help_heading = "Tasks")]
    pub(crate) s3_root: Option<PathBuf>,

    /// Whether waits take their time: virtual with --mocks, else real
    #[arg(long, value_enum, help_heading = "Time and chance")]
    pub(crate) clock: Option<Clock>,

    /// When the execution starts, as 2024-01-31T12:00:00Z; the system's clock by default
    #[arg(long, value_name = "RFC3339", help_heading = "Time and chance")]
    pub(crate) now: Option<String>,

    /// Makes States.UUID, States.MathRandom and retry jitter repeatable
    #[arg(
        long,
        value_name = "N",
        value_parser = |text: &str| whole_number(text, 0),
        allow_hyphen_values = true,
        help_heading = "Time and chance"
    )]
    pub(crate) seed: Option<u64>,

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

    /// Write the execution's history as GetExecutionHistory returns it
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) history: Option<PathBuf>,

    /// Show on stderr what each state changes of the data
    #[arg(long, help_heading = "Output")]
    pub(crate) trace: bool,

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

fn whole_number(text: &str, least: u64) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| *number >= least);
    number.ok_or_else(|| format!("expected a whole number from {least} to {}", u64::MAX))
}

/// What `asl validate` is given.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  asl validate *.asl.json")]
pub(crate) struct ValidateArguments {
    /// Definitions, JSON or YAML; - for stdin
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,

    /// text: for people; json: an array with an object for each file
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) rules: Rules,
}

const EVAL_EXAMPLES: &str = "\
Examples:
  asl eval '$.store.book[?(@.price < 10)].title' -i @store.json
  asl eval \"States.Format('Hello, {}', $.name)\" -i '{\"name\": \"Ada\"}'";

/// What `asl eval` is given.
#[derive(Debug, Args)]
#[command(after_help = EVAL_EXAMPLES)]
pub(crate) struct EvalArguments {
    /// A path ($.a, $$.Execution.Name) or a call (States.Format('{}', $.a))
    pub(crate) expression: String,

    #[command(flatten)]
    pub(crate) input: Input,

    /// What $$ names
    #[arg(long, value_name = "JSON|@FILE")]
    pub(crate) context: Option<String>,

    /// text: the value alone; json: {"value": …} or {"error": …, "cause": …}
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) report: Format,
}

/// What `asl graph` is given.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  asl graph order.asl.json --format svg > order.svg")]
pub(crate) struct GraphArguments {
    /// The definition, JSON or YAML; - for stdin
    pub(crate) definition: String,

    /// In which language
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: GraphFormat,

    /// Mark the way that an execution took: a file of asl run --history or GetExecutionHistory
    #[arg(long, value_name = "FILE")]
    pub(crate) history: Option<String>,
}

/// What $ names at first.
#[derive(Debug, Args)]
pub(crate) struct Input {
    /// The input, which $ names: JSON, @FILE, or - for stdin
    #[arg(
        short,
        long = "input",
        value_name = "JSON|@FILE|-",
        default_value = "{}",
        allow_hyphen_values = true
    )]
    input: String,
}

impl Input {
    /// The argument as it stands.
    pub(crate) fn argument(&self) -> &str {
        &self.input
    }

    /// Reads it.
    pub(crate) fn read(&self) -> Result<Value, Failure> {
        Source::read_argument("--input", &self.input)?.json()
    }
}

/// Which rules a definition is held against.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Rules {
    /// The kind of state machine
    #[arg(long = "type", value_enum, default_value_t, value_name = "TYPE")]
    machine_type: MachineType,

    /// Whose behaviour counts where the service and the specification differ
    #[arg(long, value_enum, default_value_t, value_name = "PROFILE")]
    profile: ProfileName,
}

impl Rules {
    /// The same for the libraries.
    pub(crate) fn options(self) -> Options {
        Options {
            profile: match self.profile {
                ProfileName::Aws => Profile::Aws,
                ProfileName::Spec => Profile::Spec,
            },
            state_machine_type: match self.machine_type {
                MachineType::Standard => StateMachineType::Standard,
                MachineType::Express => StateMachineType::Express,
            },
            ..Options::default()
        }
    }
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum MachineType {
    #[default]
    Standard,
    Express,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum ProfileName {
    #[default]
    Aws,
    Spec,
}

/// For whom a command writes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// People.
    #[default]
    Text,
    /// Programs.
    Json,
}

/// Which clock an execution follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Clock {
    /// Waits take their time.
    Real,
    /// Waits end at once, in the right order.
    Virtual,
}

/// Languages of graphs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// Mermaid, as Markdown viewers draw it.
    #[default]
    Mermaid,
    /// Graphviz.
    Dot,
    /// A picture.
    Svg,
}
