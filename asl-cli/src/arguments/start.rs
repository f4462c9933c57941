//! `asl start`.
use super::Input;
use clap::Args;
use std::path::PathBuf;

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

    /// URL of the server [default: AWS_ENDPOINT_URL_SFN, else the server that uses the data in .asl, else port 8083]
    #[arg(long, value_name = "URL")]
    pub(crate) endpoint: Option<String>,

    /// Folder with the data of the server
    #[arg(long, value_name = "DIR", default_value = ".asl")]
    pub(crate) data: PathBuf,
}
