//! Locations in the workspace, and builds.
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the workspace's folder.
pub(crate) fn root() -> PathBuf {
    let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().map(PathBuf::from).unwrap_or(manifest)
}

/// Returns cargo's target directory.
pub(crate) fn target_directory() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Purposes of a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Optimised, without checks.
    Measuring,
    /// Optimised, with checks.
    Fuzzing,
}

impl Purpose {
    /// Returns the purpose of this program's build, independent of its folder; None if it is not optimised.
    fn from_this_program() -> Option<Self> {
        let optimised = matches!(env!("OPT_LEVEL"), "2" | "3");
        optimised.then_some(match cfg!(debug_assertions) {
            false => Self::Measuring,
            true => Self::Fuzzing,
        })
    }

    fn profile(self) -> &'static str {
        match self {
            Self::Measuring => "release",
            Self::Fuzzing => "fuzz",
        }
    }

    /// Returns the packages of a build: this program, and `asl` if processes are measured.
    fn packages(self) -> &'static [&'static str] {
        match self {
            Self::Measuring => &["xtask", "asl-cli"],
            Self::Fuzzing => &["xtask"],
        }
    }
}

/// None if this program was built for `purpose`. Where cargo has just built it from this workspace for something else, as
/// `cargo xtask` does, it is built again for that, says so, and runs with the same arguments: whether it succeeded.
///
/// # Errors
///
/// Any other program might be of another state of the workspace than the one that would be built: it says what to do.
pub(crate) fn rerun_unless_built_for(purpose: Purpose) -> Result<Option<bool>, String> {
    if Purpose::from_this_program() == Some(purpose) {
        return Ok(None);
    }
    let built_by_cargo = env::var_os("CARGO_MANIFEST_DIR")
        .is_some_and(|folder| Path::new(&folder) == Path::new(env!("CARGO_MANIFEST_DIR")));
    if !built_by_cargo {
        let (profile, packages) = (purpose.profile(), purpose.packages().join(" --package "));
        return Err(format!(
            "this program was not built with the profile {profile}, and what it would build now need not be what it was \
             built of: use `cargo xtask`, or call what `cargo build --profile {profile} --package {packages}` builds"
        ));
    }
    rerun(purpose, env::args_os().skip(1)).map(Some)
}

/// Another program of this build.
pub(crate) fn program_next_to_this(name: &str) -> Result<PathBuf, String> {
    let this = env::current_exe().map_err(|error| error.to_string())?;
    let program = this.with_file_name(format!("{name}{}", env::consts::EXE_SUFFIX));
    if program.is_file() {
        Ok(program)
    } else {
        Err(format!(
            "{} is missing: build it with cargo build --release",
            program.display()
        ))
    }
}

/// Builds the workspace's programs for `purpose` and runs this one of that build; whether it succeeded.
pub(crate) fn rerun(
    purpose: Purpose,
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<bool, String> {
    let profile = purpose.profile();
    let mut build = vec!["build", "--quiet", "--profile", profile];
    build.extend(
        purpose
            .packages()
            .iter()
            .flat_map(|package| ["--package", package]),
    );
    let name = format!("xtask{}", env::consts::EXE_SUFFIX);
    let program = target_directory().join(profile).join(name);
    eprintln!("building and running {}", program.display());
    if !cargo(&build)? {
        return Err(format!("the {profile} build failed"));
    }
    succeeds(Command::new(&program).args(arguments), &program)
}

/// Runs cargo in the workspace; whether it succeeded.
pub(crate) fn cargo(arguments: &[&str]) -> Result<bool, String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    succeeds(
        Command::new(&cargo).args(arguments).current_dir(root()),
        Path::new(&cargo),
    )
}

/// Runs a command; whether it succeeded.
pub(crate) fn succeeds(command: &mut Command, program: &Path) -> Result<bool, String> {
    let status = command
        .status()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    Ok(status.success())
}

/// Returns true if files of expectations are to be written, not compared: `UPDATE_EXPECT=1`.
pub(crate) fn updates_expectations() -> bool {
    env::var_os("UPDATE_EXPECT").is_some()
}

/// Returns the names of the crates of the workspace that are libraries.
pub(crate) fn libraries() -> Result<Vec<String>, String> {
    let root = root();
    let entries = fs::read_dir(&root).map_err(|error| format!("{}: {error}", root.display()))?;
    let mut names: Vec<String> = entries
        .flatten()
        .filter(|entry| entry.path().join("src/lib.rs").is_file())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    Ok(names)
}
