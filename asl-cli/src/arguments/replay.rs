//! `asl replay`.
use super::{Format, Rules, ServerArguments, Substitutions};
use clap::Args;

const REPLAY_EXAMPLES: &str = "\
Examples:
  asl run order.asl.json -i @order.json --history history.json
  asl replay history.json --definition order.asl.json
  aws stepfunctions get-execution-history --execution-arn ARN | asl replay - --definition order.asl.json";

/// Arguments of `asl replay`.
#[derive(Debug, Args)]
#[command(after_help = REPLAY_EXAMPLES)]
pub(crate) struct ReplayArguments {
    /// A history from asl run --history or GetExecutionHistory; - for stdin; or the ARN of an execution of a running server
    pub(crate) history: String,

    /// The definition that ran, JSON or YAML, or FILE#NAME of a template
    #[arg(long, value_name = "FILE")]
    pub(crate) definition: String,

    /// The name of the execution, for states that read it
    #[arg(long, value_name = "NAME", default_value = "execution")]
    pub(crate) name: String,

    /// text: for reading; json: an object with all differences
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) server: ServerArguments,

    #[command(flatten)]
    pub(crate) rules: Rules,

    #[command(flatten)]
    pub(crate) substitutions: Substitutions,
}
