//! The arguments of `asl validate`.
use super::{Rules, Substitutions};
use clap::{Args, ValueEnum};

/// Arguments of `asl validate`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  asl validate *.asl.json\n  asl validate . --fix\n  asl validate template.yaml#Order 'flows/**/*.asl.yaml'\n  asl validate . --format github --deny-warnings\n  asl validate --explain unknown-target"
)]
pub(crate) struct ValidateArguments {
    /// Definitions in JSON or YAML, and SAM, CloudFormation, CDK, Serverless and Terraform files that contain them; folders,
    /// quoted globs, or FILE#NAME for one of several; - for stdin
    #[arg(value_name = "FILE", default_value = ".")]
    pub(crate) files: Vec<String>,

    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: ValidateFormat,

    /// Exit with the code for errors if there are warnings
    #[arg(long)]
    pub(crate) deny_warnings: bool,

    /// Apply safe fixes in place; report the rest
    #[arg(long)]
    pub(crate) fix: bool,

    /// Explain a rule with an example: the name in brackets, or a code of the service; without RULE, list all rules
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["files", "fix", "deny_warnings"])]
    pub(crate) explain: Option<String>,

    #[command(flatten)]
    pub(crate) rules: Rules,

    #[command(flatten)]
    pub(crate) substitutions: Substitutions,
}

/// Output formats of diagnostics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ValidateFormat {
    /// For reading.
    #[default]
    Text,
    /// For programs: an array with one object per definition.
    Json,
    /// For code scanning tools: SARIF 2.1.0.
    Sarif,
    /// For GitHub Actions: annotations on the change under review.
    Github,
}
