//! `asl explain`.
use super::{Format, Rules, Substitutions};
use clap::Args;
use std::path::PathBuf;

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  asl run order.asl.json -i @order.json --history history.json
  asl explain history.json --definition order.asl.json
  aws stepfunctions get-execution-history --execution-arn ARN | asl explain -";

/// Arguments of `asl explain`.
#[derive(Debug, Args)]
#[command(after_help = EXPLAIN_EXAMPLES)]
pub(crate) struct ExplainArguments {
    /// A history from asl run --history or GetExecutionHistory; - for stdin
    pub(crate) history: String,

    /// The definition that ran, JSON or YAML; adds which rule decided and why, and the value of each field
    #[arg(long, value_name = "FILE")]
    pub(crate) definition: Option<String>,

    /// The child histories of distributed Maps, as written by asl run --child-histories
    #[arg(long, value_name = "DIR")]
    pub(crate) child_histories: Option<PathBuf>,

    /// Include all data and every iteration
    #[arg(long)]
    pub(crate) full: bool,

    /// text: for reading; json: an object with all details
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) rules: Rules,

    #[command(flatten)]
    pub(crate) substitutions: Substitutions,
}
