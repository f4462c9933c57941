//! All benches: those of each crate, then whole-engine workloads beside their floors.
use crate::{workload, workspace};
use std::path::PathBuf;

/// What `cargo xtask bench` is given.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A folder of workloads; by default they are made
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,

    /// Only benches whose name holds this text
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
}

/// Runs the criterion benches of every crate, then the table of workloads.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    let mut benches = vec!["bench", "--workspace", "--bench", "*"];
    if let Some(filter) = &arguments.filter {
        benches.extend(["--", filter]);
    }
    if !workspace::cargo(&benches)? {
        return Ok(false);
    }
    workload::all(arguments.dir.as_deref())
}
