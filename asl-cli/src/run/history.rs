//! `--history FILE`: what GetExecutionHistory returns.
use crate::exit::Failure;
use asl_engine::history::History;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

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
