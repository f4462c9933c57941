//! `asl explain`.
use super::{Format, Rules, Substitutions};
use clap::Args;
use std::path::PathBuf;

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  asl run order.asl.json -i @order.json --history history.json
  asl explain history.json --definition order.asl.json
  aws stepfunctions get-execution-history --execution-arn ARN | asl explain -";

/// What `asl explain` is given.
#[derive(Debug, Args)]
#[command(after_help = EXPLAIN_EXAMPLES)]
pub(crate) struct ExplainArguments {
    /// A history: a file of asl run --history or GetExecutionHistory; - for stdin
    pub(crate) history: String,

    /// The definition that ran, JSON or YAML: says which rule decided and why, and what each field made
    #[arg(long, value_name = "FILE")]
    pub(crate) definition: Option<String>,

    /// The histories of the children of distributed Maps, as asl run --child-histories writes them
    #[arg(long, value_name = "DIR")]
    pub(crate) child_histories: Option<PathBuf>,

    /// All data, and every iteration
    #[arg(long)]
    pub(crate) full: bool,

    /// text: for people; json: an object with all that is known
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) rules: Rules,

    #[command(flatten)]
    pub(crate) substitutions: Substitutions,
}
