//! Where things lie, and how they are built.
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The workspace's folder.
pub(crate) fn root() -> PathBuf {
    let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().map(PathBuf::from).unwrap_or(manifest)
}

/// Where cargo puts what it builds.
pub(crate) fn target_directory() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Whether this program was built with `profile`, by the folder it lies in.
pub(crate) fn is_built_as(profile: &str) -> bool {
    env::current_exe().is_ok_and(|path| {
        path.parent()
            .is_some_and(|folder| folder.ends_with(profile))
    })
}

/// Another program of this build.
pub(crate) fn beside_this_program(name: &str) -> Result<PathBuf, String> {
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

/// Builds `packages` with `profile` and runs this program of that build; whether it succeeded.
pub(crate) fn rerun(
    profile: &str,
    packages: &[&str],
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<bool, String> {
    let mut build = vec!["build", "--quiet", "--profile", profile];
    build.extend(packages.iter().flat_map(|package| ["--package", package]));
    if !cargo(&build)? {
        return Err(format!("the {profile} build failed"));
    }
    let name = format!("xtask{}", env::consts::EXE_SUFFIX);
    let program = target_directory().join(profile).join(name);
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
