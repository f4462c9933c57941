//! All benches: those of each crate, then whole-engine workloads next to their floors; or JSONata next to loops and Node.js.

mod cases;
mod jsonata;
mod node;

use crate::{workload, workspace};
use std::path::PathBuf;

/// Arguments of `cargo xtask bench`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A folder of workloads; by default they are made
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,

    /// Only benches whose name holds this text
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,

    /// Only JSONata: against hand-written loops, and against the npm package jsonata where its folder is given
    #[arg(long, value_name = "NODE_MODULE", num_args = 0..=1, conflicts_with_all = ["dir", "filter"])]
    #[expect(
        clippy::option_option,
        reason = "an option whose value may be left out"
    )]
    jsonata: Option<Option<PathBuf>>,
}

/// Runs the criterion benches of every crate, then the table of workloads; or the table of JSONata.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    if let Some(module) = &arguments.jsonata {
        return jsonata::run(module.as_deref());
    }
    let mut benches = vec!["bench", "--workspace", "--bench", "*"];
    if let Some(filter) = &arguments.filter {
        benches.extend(["--", filter]);
    }
    if !workspace::cargo(&benches)? {
        return Ok(false);
    }
    workload::all(arguments.dir.as_deref())
}
