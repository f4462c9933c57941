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

/// What `asl serve` is given.
#[derive(Debug, Args)]
#[command(after_help = SERVE_EXAMPLES)]
pub(crate) struct ServeArguments {
    /// The port on this machine; 0 for any that is free
    #[arg(
        long,
        value_name = "N",
        default_value_t = 8083,
        conflicts_with = "listen",
        help_heading = "Address"
    )]
    pub(crate) port: u16,

    /// Another address than this machine's own
    #[arg(long, value_name = "ADDRESS:PORT", help_heading = "Address")]
    pub(crate) listen: Option<SocketAddr>,

    /// Let everybody in who reaches the address: signatures are not verified
    #[arg(long, help_heading = "Address")]
    pub(crate) insecure_bind: bool,

    /// The account of requests whose access key is not one
    #[arg(
        long,
        value_name = "DIGITS",
        default_value = "000000000000",
        help_heading = "Address"
    )]
    pub(crate) account: String,

    /// The region of requests that name none
    #[arg(
        long,
        value_name = "REGION",
        default_value = "us-east-1",
        help_heading = "Address"
    )]
    pub(crate) region: String,

    /// Keep state machines and executions in DIR
    #[arg(
        long,
        value_name = "DIR",
        default_value = ".asl",
        help_heading = "State"
    )]
    pub(crate) data: PathBuf,

    /// Keep nothing beyond the end of the process
    #[arg(long, conflicts_with_all = ["data", "durability"], help_heading = "State")]
    pub(crate) in_memory: bool,

    /// full: what was acknowledged survives a power cut; fast: it survives the end of the process
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

    /// Taken in every build, so that one without the other engine says so
    #[cfg(not(feature = "restate"))]
    #[arg(long, hide = true, value_parser = engine_of_this_build)]
    pub(crate) engine: Option<String>,

    /// At the end, wait so many seconds for requests and tasks under way; then tasks are cancelled, and done again at the next start
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 10,
        help_heading = "State"
    )]
    pub(crate) grace: u32,

    #[command(flatten)]
    pub(crate) retention: Retention,

    /// Let go of the executions that ended first, before that, while the database holds more than so many bytes
    #[arg(
        long,
        value_name = "N",
        value_parser = |text: &str| whole_number(text, 1),
        help_heading = "State"
    )]
    pub(crate) retention_bytes: Option<u64>,

    /// Have the definitions *.asl.json, *.asl.yaml and *.asl.yml below DIR as state machines, named up to their first dot
    ///
    /// What changes is updated; a file that goes takes nothing with it, and a broken one changes nothing.
    #[arg(long, value_name = "DIR", help_heading = "Definitions")]
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

    /// Have the other Lambda functions invoked by the Invoke API at http://HOST:PORT
    #[arg(long, value_name = "URL", help_heading = "Tasks")]
    pub(crate) lambda_endpoint: Option<String>,

    /// Answer the tasks of executions that name a test case behind `#` from this MockConfigFile.json
    #[arg(long, value_name = "FILE", help_heading = "Tasks")]
    pub(crate) mocks: Option<String>,

    #[command(flatten)]
    pub(crate) limits: ServeLimits,

    /// Tell each request on stderr, a line each, without what it held
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "HOW",
        help_heading = "Output"
    )]
    pub(crate) log: ServeLog,
}

/// How requests are told of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ServeLog {
    /// Not at all.
    #[default]
    Off,
    /// For people.
    Text,
    /// For programs: an object a line.
    Json,
}

/// What survives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ServeDurability {
    /// A power cut.
    #[default]
    Full,
    /// The end of the process.
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
