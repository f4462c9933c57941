//! `asl test`.
use super::{CoverageArguments, ServerArguments, Substitutions};
use clap::{Args, Subcommand, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;

const TEST_EXAMPLES: &str = "\
Examples:
  asl test
  asl test order.test.yaml --filter 'busy'
  asl test --format junit > report.xml
  asl test --coverage text,html --coverage-threshold 80 --coverage-threshold states=100
  asl test --schema > asl-test.schema.json";

/// Arguments of `asl test`.
#[derive(Debug, Clone, Args)]
#[command(after_help = TEST_EXAMPLES)]
pub(crate) struct TestArguments {
    /// Test files, or folders to search for *.test.yaml, *.test.yml and *.test.json
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,

    /// Run only cases whose file or name contains TEXT; repeatable, cases that match any TEXT run
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Vec<String>,

    /// Stop after the first failure
    #[arg(long)]
    pub(crate) fail_fast: bool,

    /// Maximum concurrent cases [default: the number of processors]
    #[arg(long, short, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Run again when a test file, definition, mock or object changes, until Ctrl-C
    #[arg(long)]
    pub(crate) watch: bool,

    /// Write actual outputs to the files named by outputFile
    #[arg(long)]
    pub(crate) update: bool,

    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TestFormat,

    #[command(flatten)]
    pub(crate) coverage: CoverageArguments,

    /// Print the JSON Schema of test files, for completion in editors
    #[arg(long)]
    pub(crate) schema: bool,
}

/// Commands of `asl mocks`.
#[derive(Debug, Subcommand)]
pub(crate) enum MocksCommand {
    /// Write a test file with a mock for each task, to be completed
    Init(MocksInitArguments),
    /// Write a test case from the history of an execution: its input, what its tasks were answered, and its outcome
    Record(MocksRecordArguments),
}

/// Arguments of `asl mocks init`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  asl mocks init order.asl.json\n  asl mocks init order.asl.json - | less"
)]
pub(crate) struct MocksInitArguments {
    /// The definition, JSON or YAML; - for stdin
    pub(crate) definition: String,

    /// The test file to write; - for stdout [default: order.test.yaml next to order.asl.json]
    #[arg(value_name = "FILE")]
    pub(crate) output: Option<String>,

    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) substitutions: Substitutions,
}

const RECORD_EXAMPLES: &str = "\
Examples:
  asl run order.asl.json -i @order.json --task charge=exec:./charge.sh --history history.json
  asl mocks record history.json --definition order.asl.json --name 'a good order'
  aws stepfunctions get-execution-history --execution-arn ARN | asl mocks record - --definition order.asl.json --mask '*card*'";

/// Arguments of `asl mocks record`.
#[derive(Debug, Args)]
#[command(after_help = RECORD_EXAMPLES)]
pub(crate) struct MocksRecordArguments {
    /// A history from asl run --history or GetExecutionHistory; - for stdin; or the ARN of an execution of a running server
    pub(crate) history: String,

    /// The definition that ran, JSON or YAML
    #[arg(long, value_name = "FILE")]
    pub(crate) definition: String,

    /// The test file to write, or to add the case to; - for stdout [default: order.test.yaml next to order.asl.json]
    #[arg(value_name = "FILE")]
    pub(crate) output: Option<String>,

    /// Name of the case
    #[arg(long, value_name = "NAME", default_value = "recorded")]
    pub(crate) name: String,

    /// Mask the values of fields by their names; * stands for any text
    #[arg(long = "mask", value_name = "PATTERN")]
    pub(crate) masked: Vec<String>,

    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) server: ServerArguments,

    #[command(flatten)]
    pub(crate) substitutions: Substitutions,
}

/// Formats of the test report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TestFormat {
    /// For reading.
    #[default]
    Pretty,
    /// One JSON object.
    Json,
    /// JUnit XML.
    Junit,
    /// The Test Anything Protocol.
    Tap,
    /// GitHub Actions annotations, in addition to text on stderr.
    Github,
}
