//! Release builds of the binary `asl`: plain, or optimised by a profile of the workloads.
use crate::workspace::{self, succeeds};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{self, Path, PathBuf};
use std::process::Command;

/// Seconds each workload runs for while its profile is taken.
const SECONDS_OF_A_WORKLOAD: &str = "0.3";

/// Workloads of a durable store whose profile is taken, with the number of executions (`asl-store/examples/load`).
const STORE_WORKLOADS: [(&str, &str); 3] = [("loop", "200"), ("map", "30"), ("chain", "1000")];

/// Programs optimised by a profile: `asl`, and this program, so that `workload` measures the same build.
const PROGRAMS: [&str; 4] = ["--package", "xtask", "--package", "asl-cli"];

/// Arguments of `cargo xtask release`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Run the workloads first, and optimise for them (needs `rustup component add llvm-tools`)
    #[arg(long)]
    profile_guided: bool,
}

/// Builds `asl`, and prints its path; returns true on success.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    let programs = match arguments.profile_guided {
        false => build_plainly()?,
        true => build_by_profile(&Toolchain::find()?)?,
    };
    println!("{}", programs.join(executable("asl")).display());
    Ok(true)
}

/// Builds as `cargo build` does; returns the folder of the program.
fn build_plainly() -> Result<PathBuf, String> {
    expect(
        workspace::cargo(&["build", "--release", "--package", "asl-cli"])?,
        "building",
    )?;
    Ok(workspace::target_directory().join("release"))
}

/// Builds with counters, runs the workloads, and builds again with what the counters say; returns the folder of the programs.
fn build_by_profile(toolchain: &Toolchain) -> Result<PathBuf, String> {
    let merge = toolchain.profile_tool()?;
    let folder = path::absolute(workspace::target_directory().join("profile-guided"))
        .map_err(|error| error.to_string())?;
    let (raw, merged) = (folder.join("raw"), folder.join("asl.profdata"));
    empty(&raw)?;

    let counted = folder.join("counted");
    let flag = format!("-Cprofile-generate={}", raw.display());
    let programs = toolchain.build(&counted, &flag, &PROGRAMS)?;
    toolchain.build(
        &counted,
        &flag,
        &["--package", "asl-store", "--example", "load"],
    )?;
    run_workloads(&programs, &folder.join("store"))?;
    let mut merging = Command::new(&merge);
    merging.args(["merge", "--output"]).arg(&merged).arg(&raw);
    expect(succeeds(&mut merging, &merge)?, "merging the profiles")?;

    let flag = format!("-Cprofile-use={}", merged.display());
    toolchain.build(&folder, &flag, &PROGRAMS)
}

/// Runs what the counters count: the workloads of the core, then those of a durable store.
fn run_workloads(programs: &Path, store: &Path) -> Result<(), String> {
    let xtask = programs.join(executable("xtask"));
    let mut workloads = Command::new(&xtask);
    workloads.args(["workload", "--all"]);
    workloads.env("BUDGET", SECONDS_OF_A_WORKLOAD);
    expect(succeeds(&mut workloads, &xtask)?, "running the workloads")?;
    let load = programs.join("examples").join(executable("load"));
    for (workload, executions) in STORE_WORKLOADS {
        empty(store)?;
        let mut command = Command::new(&load);
        command.args([workload, executions]).arg(store);
        expect(
            succeeds(&mut command, &load)?,
            "running the workloads of the store",
        )?;
    }
    fs::remove_dir_all(store).map_err(|error| format!("{}: {error}", store.display()))
}

/// The Rust toolchain that builds.
struct Toolchain {
    rustc: OsString,
    /// The target triple of this machine.
    host: String,
}

impl Toolchain {
    fn find() -> Result<Self, String> {
        let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let host = output(&rustc, &["--print", "host-tuple"])?;
        Ok(Self { rustc, host })
    }

    /// Finds the program that merges profiles: it has to be of this compiler's LLVM.
    fn profile_tool(&self) -> Result<PathBuf, String> {
        let sysroot = PathBuf::from(output(&self.rustc, &["--print", "sysroot"])?);
        let programs = sysroot.join("lib/rustlib").join(&self.host).join("bin");
        let tool = programs.join(executable("llvm-profdata"));
        if tool.is_file() {
            return Ok(tool);
        }
        Err(format!(
            "{} is missing: install it with rustup component add llvm-tools",
            tool.display()
        ))
    }

    /// Builds a release of packages in a target directory of its own, with a flag of the compiler; returns the folder of the
    /// programs.
    fn build(&self, folder: &Path, flag: &str, packages: &[&str]) -> Result<PathBuf, String> {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(&cargo);
        // When a target is named, the flags do not reach build scripts and procedural macros.
        command.args(["build", "--release", "--target", &self.host]);
        command.arg("--target-dir").arg(folder).args(packages);
        let given = env::var("RUSTFLAGS").unwrap_or_default();
        let flags: Vec<&str> = given.split_whitespace().chain([flag]).collect();
        command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
        command.current_dir(workspace::root());
        expect(succeeds(&mut command, Path::new(&cargo))?, "building")?;
        Ok(folder.join(&self.host).join("release"))
    }
}

/// Returns the name of a program's file on this system.
fn executable(name: &str) -> String {
    format!("{name}{}", env::consts::EXE_SUFFIX)
}

/// Makes a folder that has nothing in it.
fn empty(folder: &Path) -> Result<(), String> {
    let removed = match folder.exists() {
        true => fs::remove_dir_all(folder),
        false => Ok(()),
    };
    removed
        .and_then(|()| fs::create_dir_all(folder))
        .map_err(|error| format!("{}: {error}", folder.display()))
}

/// Returns what a command prints, without the end of its line.
fn output(program: &OsString, arguments: &[&str]) -> Result<String, String> {
    let name = Path::new(program).display();
    let output = Command::new(program)
        .args(arguments)
        .output()
        .map_err(|error| format!("{name}: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
        false => Err(format!("{name} {} failed", arguments.join(" "))),
    }
}

fn expect(succeeded: bool, what: &str) -> Result<(), String> {
    match succeeded {
        true => Ok(()),
        false => Err(format!("{what} failed: its messages are above")),
    }
}
