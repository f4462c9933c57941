//! The server that a command calls.
use clap::Args;
use std::path::PathBuf;

/// The server that a command calls.
#[derive(Debug, Args)]
pub(crate) struct ServerArguments {
    /// URL of the server [default: AWS_ENDPOINT_URL_SFN, else the server that uses the data in .asl, else port 8083]
    #[arg(long, value_name = "URL")]
    pub(crate) endpoint: Option<String>,

    /// Folder with the data of the server
    #[arg(long, value_name = "DIR", default_value = ".asl")]
    pub(crate) data: PathBuf,
}
