//! hello: from the start of a process to its exit.
use super::generated;
use crate::measure::{Budget, Measurement, Sample};
use crate::workspace;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// At least so many processes are started.
const LEAST_RUNS: usize = 50;

/// Times of starting processes.
pub(super) struct StartupTimes {
    pub(super) measured: Measurement,
    /// A program that only reads the file and prints its result.
    pub(super) floor: Measurement,
    pub(super) ok: bool,
}

impl StartupTimes {
    pub(super) fn to_json(&self) -> Value {
        let line = |measured: &Measurement| {
            json!({"seconds": measured.seconds, "min": measured.min, "cpu": measured.cpu, "load": 0.0,
                "reps": measured.reps, "transitions": 1, "ok": self.ok})
        };
        let mut report = line(&self.measured);
        report["floor"] = line(&self.floor);
        report
    }
}

/// `asl run hello.asl.json` and its floor in turn.
pub(super) fn hello(folder: Option<&Path>, budget: Budget) -> Result<StartupTimes, String> {
    let definition = match folder {
        Some(folder) => folder.join("hello.asl.json"),
        None => written_hello()?,
    };
    let xtask = std::env::current_exe().map_err(|error| error.to_string())?;
    let asl = workspace::program_next_to_this("asl")?;
    let commands: [(PathBuf, [&str; 1]); 2] = [(asl, ["run"]), (xtask, ["hello-floor"])];
    let mut samples = [Vec::new(), Vec::new()];
    let mut ok = true;
    let begun = Instant::now();
    while samples[0].len() < LEAST_RUNS || begun.elapsed() < budget.0 {
        for ((program, arguments), samples) in commands.iter().zip(&mut samples) {
            let (sample, right) = start(program, arguments, &definition)?;
            samples.push(sample);
            ok &= right;
        }
    }
    let [measured, floor] = samples.map(|samples| Measurement {
        // One process takes less than a tick of the clock that counts it: only the mean says something.
        cpu: samples.iter().map(|sample| sample.cpu).sum::<f64>() / samples.len() as f64,
        ..Measurement::from_samples(&samples)
    });
    Ok(StartupTimes {
        measured,
        floor,
        ok,
    })
}

/// Returns the definition as a file.
fn written_hello() -> Result<PathBuf, String> {
    let folder = workspace::target_directory();
    let path = folder.join("hello.asl.json");
    let written =
        fs::create_dir_all(folder).and_then(|()| fs::write(&path, generated::hello().to_string()));
    written.map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}

fn start(program: &Path, arguments: &[&str], definition: &Path) -> Result<(Sample, bool), String> {
    let cpu = children_seconds();
    let begun = Instant::now();
    let output = Command::new(program)
        .args(arguments)
        .arg(definition)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let sample = Sample {
        wall: begun.elapsed().as_secs_f64(),
        cpu: children_seconds() - cpu,
    };
    let printed: Option<Value> = serde_json::from_slice(&output.stdout).ok();
    Ok((sample, printed == Some(json!({"msg": "hello"}))))
}

/// Processor seconds of the children that ended, in steps of the system's clock tick (Linux; 0 elsewhere).
fn children_seconds() -> f64 {
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or("");
    let ticks = after_name
        .split_whitespace()
        .skip(13)
        .take(2)
        .filter_map(|ticks| ticks.parse::<f64>().ok());
    ticks.sum::<f64>() / TICKS_PER_SECOND
}

/// Runs the floor's process: it reads a definition and prints the Result of its first state.
pub(crate) fn floor(definition: &Path) -> Result<(), String> {
    let text = fs::read_to_string(definition).map_err(|error| error.to_string())?;
    let definition: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    println!("{}", definition["States"]["Hello"]["Result"]);
    Ok(())
}
