//! All checks before a change is merged: `.ci/run`, which works without this program.
use crate::workspace;
use std::process::Command;

/// Runs it; whether all of it holds.
pub(crate) fn run() -> Result<bool, String> {
    let script = workspace::root().join(".ci/run");
    workspace::succeeds(&mut Command::new(&script), &script)
}
