//! Fuzzing on the stable toolchain: every parser, and the core with definitions, inputs and orders of inputs.
//!
//! A target is a function from bytes that panics where a law is broken. Inputs come from `fuzz/seeds/TARGET/` and from
//! mutations of them; those that show something new are kept and mutated further. A worker with a stack of 2 MiB (that
//! of a tokio worker) runs them; each input is on disk before it runs, so that one which kills the process is not lost.
//! No input may take more than 5 seconds of a processor, nor the process more than 1 GiB of memory.

mod campaign;
mod corpus;
mod machine;
mod memory;
mod mutate;
mod targets;
mod watchdog;

use crate::workspace::{self, Purpose};
use campaign::{Campaign, Report};
use std::path::PathBuf;
use std::time::Duration;
use targets::{TARGETS, Target};

/// Arguments of `cargo xtask fuzz`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Targets to run [default: all]
    targets: Vec<String>,

    /// Seconds to run each target after replaying its seeds
    #[arg(long, value_name = "N", default_value_t = 0)]
    seconds: u64,

    /// Makes the mutations repeatable
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Run this one input and nothing else
    #[arg(long, value_name = "FILE", requires = "targets")]
    input: Option<PathBuf>,

    /// List the targets
    #[arg(long)]
    list: bool,
}

/// Replays seeds and fuzzes; an error where an input breaks a law or takes too long.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    if arguments.list {
        TARGETS
            .iter()
            .for_each(|target| println!("{:<18}{}", target.name, target.about));
        return Ok(true);
    }
    if let Some(succeeded) = workspace::rerun_unless_built_for(Purpose::Fuzzing)? {
        return Ok(succeeded);
    }
    for target in chosen(&arguments.targets)? {
        let campaign = Campaign::new(
            target,
            arguments.seed,
            Duration::from_secs(arguments.seconds),
        )?;
        let report = match &arguments.input {
            Some(path) => campaign.run_one(path)?,
            None => campaign.run()?,
        };
        let Report {
            seeds,
            inputs,
            kept,
            slowest,
        } = report;
        let name = target.name;
        println!(
            "{name:<18}{seeds:>6} seeds{inputs:>12} inputs{kept:>8} kept   slowest {} ms",
            slowest.as_millis()
        );
    }
    Ok(true)
}

fn chosen(names: &[String]) -> Result<Vec<&'static Target>, String> {
    if names.is_empty() {
        return Ok(TARGETS.iter().collect());
    }
    let by_name = |name: &String| {
        let target = TARGETS.iter().find(|target| target.name == name);
        target.ok_or_else(|| {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            format!(
                "there is no target {name}: choose among {}",
                names.join(", ")
            )
        })
    };
    names.iter().map(by_name).collect()
}
