//! Whole-engine workloads: how long they take, and how that compares with a floor.

mod core_host;
mod files;
mod generated;
mod instructions;
mod process;
mod stubs;
mod subject;
mod table;
mod tokio_host;

pub(crate) use process::floor as hello_floor;

use crate::measure::{Budget, Measurement, interleaved};
use crate::workspace::{self, Purpose};
use files::Workload;
use serde_json::json;
use std::ffi::OsString;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use subject::{Host, Subject};

/// Arguments of `cargo xtask workload`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Name of the workload
    #[arg(required_unless_present = "all")]
    name: Option<String>,

    /// A folder with NAME.asl.json, NAME.input.json, NAME.expected.json, NAME.meta.json; by default workloads are made
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,

    /// Run through this host in place of the bare core
    #[arg(long, value_enum)]
    runtime: Option<Runtime>,

    /// Measure the floor in the same run too: hand-written Rust that does the same data work
    #[arg(long)]
    floor: bool,

    /// Measure every workload against its floor, and three of them at twice and four times the size
    #[arg(long, conflicts_with_all = ["name", "floor"])]
    all: bool,

    /// Count instructions and cache misses (by valgrind) next to times: of the engine and of the floor
    #[arg(long, conflicts_with_all = ["floor", "runtime"])]
    instructions: bool,

    /// Run so many times and measure nothing, for a profiler: the engine, or with --floor the floor
    #[arg(long, value_name = "N", requires = "name", conflicts_with_all = ["instructions", "runtime"])]
    times: Option<NonZeroU32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Runtime {
    Tokio,
}

/// Measures what this program was built of. True if all outputs are right.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    if let Some(succeeded) = workspace::rerun_unless_built_for(Purpose::Measuring)? {
        return Ok(succeeded);
    }
    let (name, folder) = (arguments.name.as_deref(), arguments.dir.as_deref());
    if arguments.instructions {
        return instructions::table(name, folder).map(|()| true);
    }
    if let (Some(name), Some(times)) = (name, arguments.times) {
        return instructions::run_times(
            &Workload::load(name, folder)?,
            times.get(),
            arguments.floor,
        );
    }
    let host = match arguments.runtime {
        None => Host::Core,
        Some(Runtime::Tokio) => Host::Tokio,
    };
    match name {
        Some(name) => one(name, arguments, host),
        None => table::all(folder, host),
    }
}

/// Measures every workload in a release build.
pub(crate) fn all(folder: Option<&Path>) -> Result<bool, String> {
    let folder = folder.map(|folder| [OsString::from("--dir"), folder.into()]);
    let arguments = ["workload".into(), "--all".into()].into_iter();
    workspace::rerun(
        Purpose::Measuring,
        arguments.chain(folder.into_iter().flatten()),
    )
}

/// Measures one workload and prints one line of JSON (with the floor: one object in it).
fn one(name: &str, arguments: &Arguments, host: Host) -> Result<bool, String> {
    let budget = Budget::from_environment()?;
    if name == "hello" {
        let measured = process::hello(arguments.dir.as_deref(), budget)?;
        println!("{}", measured.to_json());
        return Ok(measured.ok);
    }
    let workload = Workload::load(name, arguments.dir.as_deref())?;
    let mut subject = Subject::load(&workload, host)?;
    let floor = arguments
        .floor
        .then(|| Subject::floor(&workload))
        .transpose()?;
    let mut subjects: Vec<&mut Subject> = vec![&mut subject];
    let mut floor = floor;
    subjects.extend(&mut floor);
    let measured = interleaved(&mut subjects, budget);
    let mut line = report(&subject, &measured[0]);
    if let (Some(floor), Some(measured)) = (&floor, measured.get(1)) {
        line["floor"] = report(floor, measured);
    }
    println!("{line}");
    Ok(line["ok"] == true && line.get("floor").is_none_or(|floor| floor["ok"] == true))
}

fn report(subject: &Subject, measured: &Measurement) -> serde_json::Value {
    json!({
        "seconds": measured.seconds, "min": measured.min, "cpu": measured.cpu, "load": subject.load_seconds,
        "reps": measured.reps, "transitions": subject.transitions, "ok": subject.ok,
    })
}
