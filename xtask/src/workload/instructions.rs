//! Costs of workloads in instructions, counted by valgrind: other load on the machine does not change them.
use super::files::Workload;
use super::generated::{NAMES, TWINS, find};
use super::subject::{Host, Subject};
use crate::measure::{Budget, Measurable as _, interleaved};
use std::env;
use std::path::Path;
use std::process::Command;

/// Runs of the shorter count; what only the first run costs is in both.
const FEW: u32 = 2;

/// Differences of fewer instructions are taken over more runs, so that start-up's chances do not count.
const SURE: u64 = 20_000_000;

/// The measured program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Asl,
    Floor,
}

/// Runs the engine, or the floor, so many times; true if the first output is right.
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

/// The cost of one run in valgrind's simulation of a processor and its caches.
#[derive(Debug, Clone, Copy, Default)]
struct Cost {
    instructions: f64,
    /// Of the first-level caches of instructions and of data.
    instruction_misses: f64,
    data_misses: f64,
}

/// Counts by valgrind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Counts {
    instructions: u64,
    instruction_misses: u64,
    data_misses: u64,
}

/// Prints the instructions and cache misses of one run, and its time in the same run of this program, next to the floor's:
/// of one workload, or of all and their twins in JSONata. Instructions alone do not say how long something takes: code that
/// does not fit into the first-level cache takes several times as long as code that does.
pub(super) fn table(name: Option<&str>, folder: Option<&Path>) -> Result<(), String> {
    if let Some(name) = name {
        // A wrong name is told before valgrind speaks.
        Workload::load(name, folder)?;
    }
    println!(
        "{:<24}{:>14}{:>14}{:>8}{:>10}{:>10}{:>10}{:>10}{:>8}",
        "workload", "instructions", "asl", "ratio", "I1 miss", "asl", "D1 miss", "asl", "time"
    );
    let twins = TWINS.map(|(name, keeping)| format!("{name}{}", keeping.suffix()));
    let all = NAMES.map(str::to_owned).into_iter().chain(twins);
    let chosen: Vec<String> = match name {
        Some(name) => vec![name.to_owned()],
        None => all.collect(),
    };
    for name in chosen {
        let twin_of = find(&name).map(|(of, _)| of);
        let of_floor = twin_of.unwrap_or(&name);
        let floor = of_one_run(of_floor, Side::Floor, folder)?;
        let of_asl = folder.filter(|_| twin_of.is_none());
        let asl = of_one_run(&name, Side::Asl, of_asl)?;
        let time = time_ratio(of_floor, folder, &name, of_asl)?;
        println!(
            "{name:<24}{:>14.0}{:>14.0}{:>8.2}{:>10.0}{:>10.0}{:>10.0}{:>10.0}{time:>8.2}",
            floor.instructions,
            asl.instructions,
            asl.instructions / floor.instructions,
            floor.instruction_misses,
            asl.instruction_misses,
            floor.data_misses,
            asl.data_misses,
        );
    }
    Ok(())
}

/// Returns the shortest time of a run over the floor's, both by turns.
fn time_ratio(
    floor: &str,
    floor_folder: Option<&Path>,
    asl: &str,
    asl_folder: Option<&Path>,
) -> Result<f64, String> {
    let mut floor = Subject::floor(&Workload::load(floor, floor_folder)?)?;
    let mut asl = Subject::load(&Workload::load(asl, asl_folder)?, Host::Core)?;
    let measured = interleaved(&mut [&mut floor, &mut asl], Budget::from_environment()?);
    Ok(measured[1].min / measured[0].min)
}

/// Returns the difference between two numbers of runs, by run.
fn of_one_run(name: &str, side: Side, folder: Option<&Path>) -> Result<Cost, String> {
    let few = of_runs(name, FEW, side, folder)?;
    for more in [4, 100, 2_000] {
        let many = of_runs(name, FEW + more, side, folder)?;
        let difference = |of: fn(&Counts) -> u64| of(&many).saturating_sub(of(&few));
        let instructions = difference(|counts| counts.instructions);
        if instructions >= SURE || more == 2_000 {
            let by_run = |count: u64| count as f64 / f64::from(more);
            return Ok(Cost {
                instructions: by_run(instructions),
                instruction_misses: by_run(difference(|counts| counts.instruction_misses)),
                data_misses: by_run(difference(|counts| counts.data_misses)),
            });
        }
    }
    Err(format!("{name} costs nothing"))
}

fn of_runs(name: &str, times: u32, side: Side, folder: Option<&Path>) -> Result<Counts, String> {
    let this = env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new("valgrind");
    command.args([
        "--tool=callgrind",
        "--callgrind-out-file=/dev/null",
        "--cache-sim=yes",
    ]);
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
    counts(&printed).ok_or_else(|| format!("valgrind printed no counts: {printed}"))
}

/// Returns the counts in what callgrind prints: `Collected : Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw`.
fn counts(printed: &str) -> Option<Counts> {
    let line = printed.split("Collected : ").nth(1)?.lines().next()?;
    let numbers: Vec<u64> = line
        .split_whitespace()
        .map_while(|number| number.parse().ok())
        .collect();
    let [instructions, _, _, instruction_misses, read, written, ..] = *numbers else {
        return None;
    };
    Some(Counts {
        instructions,
        instruction_misses,
        data_misses: read + written,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_from_what_callgrind_prints() {
        let printed = "==7== Events    : Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw\n==7== Collected : 100 20 10 5 3 2 1 1 1\n==7==\n";
        let expected = Counts {
            instructions: 100,
            instruction_misses: 5,
            data_misses: 5,
        };
        assert_eq!(counts(printed), Some(expected));
        assert_eq!(counts("==7== Collected : 100\n"), None);
    }
}
