//! The arguments of `asl validate`.
use super::{Rules, Substitutions};
use clap::{Args, ValueEnum};

/// What `asl validate` is given.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  asl validate *.asl.json\n  asl validate . --fix\n  asl validate template.yaml#Order 'flows/**/*.asl.yaml'\n  asl validate . --format github --deny-warnings\n  asl validate --explain unknown-target"
)]
pub(crate) struct ValidateArguments {
    /// Definitions, JSON or YAML, and files of SAM, CloudFormation, CDK, Serverless and Terraform that hold some; folders, patterns in
    /// quotes, FILE#NAME for one of several; - for stdin
    #[arg(value_name = "FILE", default_value = ".")]
    pub(crate) files: Vec<String>,

    /// For whom
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: ValidateFormat,

    /// Exit as for errors where there are warnings
    #[arg(long)]
    pub(crate) deny_warnings: bool,

    /// Mend what can only be meant in one way, in the files; tell of the rest
    #[arg(long)]
    pub(crate) fix: bool,

    /// Tell what a rule is about, with an example: the name in brackets, or a code of the service; without one, list all
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["files", "fix", "deny_warnings"])]
    pub(crate) explain: Option<String>,

    #[command(flatten)]
    pub(crate) rules: Rules,

    #[command(flatten)]
    pub(crate) substitutions: Substitutions,
}

/// For whom diagnostics are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ValidateFormat {
    /// People.
    #[default]
    Text,
    /// Programs: an array with an object for each definition.
    Json,
    /// Tools for code scanning: SARIF 2.1.0.
    Sarif,
    /// GitHub Actions: annotations of the change under review.
    Github,
}
