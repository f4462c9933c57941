//! What workloads cost in instructions, counted by valgrind: other load on the machine does not change them.
use super::files::Workload;
use super::generated::{NAMES, TWINS, named};
use super::subject::{Host, Subject};
use crate::measure::Measured as _;
use std::env;
use std::path::Path;
use std::process::Command;

/// Runs of the shorter count; what only the first run costs is in both.
const FEW: u32 = 2;

/// Differences of fewer instructions are taken over more runs, so that start-up's chances do not count.
const SURE: u64 = 20_000_000;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Asl,
    Floor,
}

/// Runs the engine, or the floor, so many times; true where the first output is right.
pub(super) fn run_times(workload: &Workload, times: u32, floor: bool) -> Result<bool, String> {
    let mut subject = match floor {
        true => Subject::floor(workload)?,
        false => Subject::load(workload, Host::Core)?,
    };
    for _ in 1..times {
        drop(subject.run());
    }
    Ok(subject.ok)
}

/// Prints instructions of one run, beside the floor's: of one workload, or of all and their twins in JSONata.
pub(super) fn table(name: Option<&str>, folder: Option<&Path>) -> Result<(), String> {
    if let Some(name) = name {
        // A wrong name is told before valgrind speaks.
        Workload::named(name, folder)?;
    }
    println!(
        "{:<24}{:>16}{:>16}{:>10}",
        "instructions", "floor", "asl", "ratio"
    );
    let twins = TWINS.map(|(name, keeping)| format!("{name}{}", keeping.suffix()));
    let all = NAMES.map(str::to_owned).into_iter().chain(twins);
    let chosen: Vec<String> = match name {
        Some(name) => vec![name.to_owned()],
        None => all.collect(),
    };
    for name in chosen {
        let twin_of = named(&name).map(|(of, _)| of);
        let floor = of_one_run(twin_of.unwrap_or(&name), Side::Floor, folder)?;
        let asl = of_one_run(&name, Side::Asl, folder.filter(|_| twin_of.is_none()))?;
        let ratio = format!("{:.2}×", asl / floor);
        println!("{name:<24}{floor:>16.0}{asl:>16.0}{ratio:>10}");
    }
    Ok(())
}

/// The difference between two numbers of runs, by run.
fn of_one_run(name: &str, side: Side, folder: Option<&Path>) -> Result<f64, String> {
    let few = of_runs(name, FEW, side, folder)?;
    for more in [4, 100, 2_000] {
        let difference = of_runs(name, FEW + more, side, folder)?.saturating_sub(few);
        if difference >= SURE || more == 2_000 {
            return Ok(difference as f64 / f64::from(more));
        }
    }
    Err(format!("{name} costs nothing"))
}

fn of_runs(name: &str, times: u32, side: Side, folder: Option<&Path>) -> Result<u64, String> {
    let this = env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    command
        .arg(this)
        .args(["workload", name, "--times"])
        .arg(times.to_string());
    if side == Side::Floor {
        command.arg("--floor");
    }
    if let Some(folder) = folder {
        command.arg("--dir").arg(folder);
    }
    let output = command
        .output()
        .map_err(|error| format!("valgrind, which counts instructions, does not start: {error}"))?;
    let printed = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("{name} went wrong under valgrind: {printed}"));
    }
    let collected = printed.split("Collected : ").nth(1);
    let count = collected.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
    count.ok_or_else(|| format!("valgrind printed no count of instructions: {printed}"))
}
