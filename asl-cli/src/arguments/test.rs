//! `asl test`.
use super::Substitutions;
use asl_test::coverage::Threshold;
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

/// What `asl test` is given.
#[derive(Debug, Clone, Args)]
#[command(after_help = TEST_EXAMPLES)]
pub(crate) struct TestArguments {
    /// Test files, or folders to look for *.test.yaml, *.test.yml and *.test.json in
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,

    /// Run only cases whose file or name has TEXT in it; repeatable, any of them will do
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Vec<String>,

    /// Begin no case after one that failed
    #[arg(long)]
    pub(crate) fail_fast: bool,

    /// How many cases run at a time; as many as there are processors, if it is not given
    #[arg(long, short, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Run again where a test file, a definition, mocks or objects of them change, until Ctrl-C
    #[arg(long)]
    pub(crate) watch: bool,

    /// Write the outputs that came out to the files that outputFile names
    #[arg(long)]
    pub(crate) update: bool,

    /// pretty: for people; the others for programs
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TestFormat,

    #[command(flatten)]
    pub(crate) coverage: CoverageArguments,

    /// Print the JSON Schema of test files, by which editors complete them
    #[arg(long)]
    pub(crate) schema: bool,
}

/// What is to be told of what the cases reached.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Coverage")]
pub(crate) struct CoverageArguments {
    /// Tell what of the definitions was reached: text to stderr, json and lcov to stdout, html to coverage.html; several with commas
    #[arg(long, value_enum, value_name = "FORMAT", value_delimiter = ',')]
    pub(crate) coverage: Vec<CoverageFormat>,

    /// Write it to this file; - for stdout
    #[arg(long, value_name = "FILE", requires = "coverage")]
    pub(crate) coverage_output: Option<String>,

    /// Fail where less was reached of all definitions together: 80, or of a kind, states=100 (states, transitions, choices,
    /// retriers, catchers, branches); repeatable
    #[arg(long, value_name = "[KIND=]PERCENT")]
    pub(crate) coverage_threshold: Vec<Threshold>,
}

/// Formats of reports of coverage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CoverageFormat {
    /// A table, and what was not reached.
    Text,
    /// One JSON object.
    Json,
    /// A tracefile of lcov.
    Lcov,
    /// A page.
    Html,
}

/// What `asl mocks` is given.
#[derive(Debug, Subcommand)]
pub(crate) enum MocksCommand {
    /// Write a test file with a mock of the right shape for each task, to be filled in
    Init(MocksInitArguments),
}

/// What `asl mocks init` is given.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  asl mocks init order.asl.json\n  asl mocks init order.asl.json - | less"
)]
pub(crate) struct MocksInitArguments {
    /// The definition, JSON or YAML; - for stdin
    pub(crate) definition: String,

    /// The test file to write, or - for stdout; order.test.yaml beside order.asl.json, if it is not given
    #[arg(value_name = "FILE")]
    pub(crate) output: Option<String>,

    /// Write over a file that is there
    #[arg(long)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) substitutions: Substitutions,
}

/// Formats of reports of tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TestFormat {
    /// People.
    #[default]
    Pretty,
    /// One JSON object.
    Json,
    /// JUnit XML.
    Junit,
    /// The Test Anything Protocol.
    Tap,
    /// Annotations of GitHub Actions, beside what people read on stderr.
    Github,
}
