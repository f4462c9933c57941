//! `asl serve`.
#[cfg(feature = "restate")]
use super::serve_engine::ServeEngineArguments;
use super::serve_limits::ServeLimits;
use super::shared::whole_number;
use super::{Retention, Substitutions, TaskArguments};
use clap::{Args, ValueEnum};
use std::net::SocketAddr;
use std::path::PathBuf;

const SERVE_EXAMPLES: &str = "\
Examples:
  asl serve
  asl serve --data /var/lib/asl --task 'charge=exec:python3 charge.py'
  asl serve --watch flows --substitute Stage=test
  asl serve --in-memory --port 0";

/// Arguments of `asl serve`.
#[derive(Debug, Args)]
#[command(after_help = SERVE_EXAMPLES)]
pub(crate) struct ServeArguments {
    /// Port on the loopback interface; 0 selects a free port
    #[arg(
        long,
        value_name = "N",
        default_value_t = 8083,
        conflicts_with = "listen",
        help_heading = "Address"
    )]
    pub(crate) port: u16,

    /// Address to listen on, instead of loopback
    #[arg(long, value_name = "ADDRESS:PORT", help_heading = "Address")]
    pub(crate) listen: Option<SocketAddr>,

    /// Allow a non-loopback address without verifying request signatures
    #[arg(long, help_heading = "Address")]
    pub(crate) insecure_bind: bool,

    /// Account ID of requests whose access key is not an account ID [default: 000000000000; of asl dev: that of --aws]
    #[arg(long, value_name = "DIGITS", help_heading = "Address")]
    pub(crate) account: Option<String>,

    /// Region of requests that do not name a region
    #[arg(
        long,
        value_name = "REGION",
        default_value = "us-east-1",
        help_heading = "Address"
    )]
    pub(crate) region: String,

    /// Store state machines and executions in DIR
    #[arg(
        long,
        value_name = "DIR",
        default_value = ".asl",
        help_heading = "State"
    )]
    pub(crate) data: PathBuf,

    /// Store nothing on disk; all data is lost when the process ends
    #[arg(long, conflicts_with_all = ["data", "durability"], help_heading = "State")]
    pub(crate) in_memory: bool,

    /// full: acknowledged data survives a power cut; fast: it survives the end of the process
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "HOW",
        help_heading = "State"
    )]
    pub(crate) durability: ServeDurability,

    #[cfg(feature = "restate")]
    #[command(flatten)]
    pub(crate) engine: ServeEngineArguments,

    /// Accepted in every build, so that a build without Restate can report an error.
    #[cfg(not(feature = "restate"))]
    #[arg(long, hide = true, value_parser = engine_of_this_build)]
    pub(crate) engine: Option<String>,

    /// Seconds to wait for requests and running tasks when stopping. Then tasks are cancelled, and run again after the next
    /// start
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 10,
        help_heading = "State"
    )]
    pub(crate) grace: u32,

    #[command(flatten)]
    pub(crate) retention: Retention,

    /// Delete the oldest ended executions early while the database exceeds this many bytes
    #[arg(
        long,
        value_name = "N",
        value_parser = |text: &str| whole_number(text, 1),
        help_heading = "State"
    )]
    pub(crate) retention_bytes: Option<u64>,

    /// Serve the state machines of a template, of a definition, or of the templates or definitions in a folder
    ///
    /// A definition *.asl.json, *.asl.yaml or *.asl.yml has the file name up to its first dot as its name. A changed file
    /// updates its state machines. A deleted or invalid file changes nothing.
    #[arg(long, value_name = "PATH", help_heading = "Definitions")]
    pub(crate) watch: Option<PathBuf>,

    /// Make the state machine NAME of --watch an Express one; repeatable
    #[arg(
        long,
        value_name = "NAME",
        requires = "watch",
        help_heading = "Definitions"
    )]
    pub(crate) express: Vec<String>,

    #[command(flatten)]
    pub(crate) substitutions: Substitutions,

    #[command(flatten)]
    pub(crate) tasks: TaskArguments,

    /// Invoke Lambda functions without a handler through the Invoke API at http://HOST:PORT
    #[arg(long, value_name = "URL", help_heading = "Tasks")]
    pub(crate) lambda_endpoint: Option<String>,

    /// Answer tasks of executions that select a test case with `#` from a MockConfigFile.json
    #[arg(long, value_name = "FILE", help_heading = "Tasks")]
    pub(crate) mocks: Option<String>,

    #[command(flatten)]
    pub(crate) limits: ServeLimits,

    /// Log each request to stderr, one line each, without payloads
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "HOW",
        help_heading = "Output"
    )]
    pub(crate) log: ServeLog,
}

impl ServeArguments {
    /// Returns the account of requests that name none.
    pub(crate) fn account(&self) -> &str {
        self.account.as_deref().unwrap_or("000000000000")
    }
}

/// Formats of the request log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ServeLog {
    /// No log.
    #[default]
    Off,
    /// For reading.
    Text,
    /// For programs: one JSON object per line.
    Json,
}

/// Durability of acknowledged data.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ServeDurability {
    /// Survives a power cut.
    #[default]
    Full,
    /// Survives the end of the process.
    Fast,
}

#[cfg(not(feature = "restate"))]
fn engine_of_this_build(name: &str) -> Result<String, String> {
    match name {
        "sqlite" => Ok(name.to_owned()),
        "restate" => Err(
            "this build of asl has no engine 'restate': build it with `cargo install --path asl-cli --features restate`".to_owned(),
        ),
        _ => Err("expected sqlite or restate".to_owned()),
    }
}
