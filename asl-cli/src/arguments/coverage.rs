//! `asl coverage`, and the options of coverage reports.
use super::{Rules, Substitutions};
use asl_test::coverage::Threshold;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  asl run order.asl.json -i @order.json --history history.json
  asl coverage order.asl.json history.json
  asl coverage template.yaml#Order histories/*.json --format html --output coverage.html";

/// Arguments of `asl coverage`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RecordedCoverageArguments {
    /// The definition that ran: a file, or FILE#NAME for one of several in a template; - for stdin
    pub(crate) definition: String,

    /// Histories from asl run --history or GetExecutionHistory; - for stdin
    #[arg(required = true, value_name = "HISTORY")]
    pub(crate) histories: Vec<String>,

    /// Formats of the report: text, json and lcov to stdout, html to coverage.html; separate several with commas
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        value_delimiter = ',',
        default_value = "text"
    )]
    pub(crate) format: Vec<CoverageFormat>,

    /// Write the report to this file; - for stdout
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<String>,

    /// Fail if coverage is lower: 80, or for one kind, states=100 (states, transitions, choices, retriers, catchers,
    /// branches); repeatable
    #[arg(long, value_name = "[KIND=]PERCENT")]
    pub(crate) threshold: Vec<Threshold>,

    /// The child histories of distributed Maps of the only history, as written by asl run --child-histories
    #[arg(long, value_name = "DIR")]
    pub(crate) child_histories: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) rules: Rules,

    #[command(flatten)]
    pub(crate) substitutions: Substitutions,
}

/// Options of the coverage report.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Coverage")]
pub(crate) struct CoverageArguments {
    /// Report coverage: text to stderr, json and lcov to stdout, html to coverage.html; separate several with commas
    #[arg(long, value_enum, value_name = "FORMAT", value_delimiter = ',')]
    pub(crate) coverage: Vec<CoverageFormat>,

    /// Write the coverage report to this file; - for stdout
    #[arg(long, value_name = "FILE", requires = "coverage")]
    pub(crate) coverage_output: Option<String>,

    /// Fail if coverage of all definitions together is lower: 80, or for one kind, states=100 (states, transitions, choices,
    /// retriers, catchers, branches); repeatable
    #[arg(long, value_name = "[KIND=]PERCENT")]
    pub(crate) coverage_threshold: Vec<Threshold>,
}

/// Formats of the coverage report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CoverageFormat {
    /// A table, and a list of what is not covered.
    Text,
    /// One JSON object.
    Json,
    /// An lcov tracefile.
    Lcov,
    /// An HTML page.
    Html,
}
