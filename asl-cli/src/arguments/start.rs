//! `asl start`.
use super::{Input, ServerArguments};
use clap::Args;

/// Arguments of `asl start`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  asl start order -i '{\"id\": 1}'\n  asl start order -i @order.json --endpoint http://127.0.0.1:8083"
)]
pub(crate) struct StartArguments {
    /// The state machine: its name or its ARN [default: the only one]
    pub(crate) machine: Option<String>,

    #[command(flatten)]
    pub(crate) input: Input,

    /// Name of the execution [default: a random one]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// Print the ARN of the execution, and do not wait for its end
    #[arg(long)]
    pub(crate) detach: bool,

    #[command(flatten)]
    pub(crate) server: ServerArguments,
}
