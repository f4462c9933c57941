//! `asl completions`.
use crate::arguments::Arguments;
use crate::exit::{Exit, Failure, print};
use clap::CommandFactory;
use clap_complete::Shell;

/// Prints the script that makes a shell complete `asl`.
pub(crate) fn completions(shell: Shell) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "asl", &mut script);
    print(String::from_utf8_lossy(&script).trim_end())?;
    Ok(Exit::Success)
}
