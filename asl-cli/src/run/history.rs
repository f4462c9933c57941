//! `--history FILE`: what GetExecutionHistory returns.
use crate::exit::Failure;
use asl_engine::history::History;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Refuses, before the run, a file that cannot be written after it.
pub(crate) fn check(path: &Path) -> Result<(), Failure> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let why = match folder {
        _ if path.is_dir() => "it is a directory, not a file".to_owned(),
        Some(folder) if !folder.is_dir() => format!("there is no directory {}", folder.display()),
        _ => return Ok(()),
    };
    Err(Failure::new(format!(
        "cannot write {}: {why}",
        path.display()
    )))
}

/// Writes the events of an execution.
pub(crate) fn write(path: &Path, history: &History) -> Result<(), Failure> {
    try_write(path, history)
        .map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))
}

fn try_write(path: &Path, history: &History) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    history.write_to(&mut file)?;
    file.write_all(b"\n")?;
    file.flush()
}
