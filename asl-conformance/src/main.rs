//! `asl-conformance`: holds an interpreter to cases.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program speaks to its terminal"
)]

use asl_conformance::Arguments;
use clap::Parser;
use std::process::ExitCode;

/// Hold an interpreter to conformance cases of the Amazon States Language
#[derive(Debug, Parser)]
#[command(name = "asl-conformance", version)]
struct Program {
    #[command(flatten)]
    arguments: Arguments,
}

fn main() -> ExitCode {
    match Program::parse().arguments.run() {
        Ok((report, true)) => {
            print!("{report}");
            ExitCode::SUCCESS
        }
        Ok((report, false)) => {
            print!("{report}");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
