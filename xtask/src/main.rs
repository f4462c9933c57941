//! Tasks for developers of this workspace: `cargo xtask`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for developers speaks to its terminal"
)]

mod aws_protocols;
mod bench;
mod ci;
mod conformance;
mod floor;
mod fuzz;
mod growth;
#[cfg(test)]
mod kept_files;
mod lints;
mod measure;
mod prose;
mod public_api;
mod random;
mod release;
mod services;
mod stored_names;
mod workload;
mod workspace;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Tasks for developers of this workspace
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Hold the libraries against cases: exec/, validate/, eval/, test-state/
    Conformance(asl_conformance::Arguments),
    /// Measure whole-engine workloads
    Workload(workload::Arguments),
    /// Run the benches of all crates, then the workloads
    Bench(bench::Arguments),
    /// Run everything that must hold before a change is merged (.ci/run)
    Ci,
    /// Replay the seeds of the fuzz targets, and continue with mutations of them
    Fuzz(fuzz::Arguments),
    /// Measure whether anything takes more time than it is charged for
    Growth(growth::Arguments),
    /// Count what each lint finds in folders of definitions
    Lints(lints::Arguments),
    /// Make the data of asl-services from an installed botocore
    Services(services::Arguments),
    /// Count wording that readers must read twice; fails if a count grew (UPDATE_EXPECT=1 records the counts)
    Prose,
    /// Hold asl-aws to protocol cases in the form of botocore
    AwsProtocols(aws_protocols::Arguments),
    /// Compare the public API of each library crate with its snapshot, and check the documentation (UPDATE_EXPECT=1 writes the snapshots)
    PublicApi,
    /// Compare names that are stored, sent or registered with their list (UPDATE_EXPECT=1 writes the list)
    StoredNames,
    /// Build the binary `asl` for a release
    Release(release::Arguments),
    /// The floor of the workload hello
    #[command(hide = true)]
    HelloFloor {
        /// Its definition
        definition: std::path::PathBuf,
    },
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Conformance(arguments) => conformance::run(&arguments),
        Command::Workload(arguments) => workload::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Ci => ci::run(),
        Command::Fuzz(arguments) => fuzz::run(&arguments),
        Command::Growth(arguments) => growth::run(&arguments),
        Command::Lints(arguments) => lints::run(&arguments),
        Command::Services(arguments) => services::run(&arguments),
        Command::AwsProtocols(arguments) => aws_protocols::run(&arguments),
        Command::Prose => prose::run(),
        Command::PublicApi => public_api::run(),
        Command::StoredNames => stored_names::run(),
        Command::Release(arguments) => release::run(&arguments),
        Command::HelloFloor { definition } => workload::hello_floor(&definition).map(|()| true),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
