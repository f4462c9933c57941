//! `--history FILE`: what GetExecutionHistory returns.
use crate::exit::Failure;
use asl_engine::HistoryEvent;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes the events, one a line.
pub(crate) fn write(path: &Path, events: &[HistoryEvent]) -> Result<(), Failure> {
    try_write(path, events)
        .map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))
}

fn try_write(path: &Path, events: &[HistoryEvent]) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    file.write_all(b"{\"events\":[")?;
    for (index, event) in events.iter().enumerate() {
        file.write_all(if index == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut file, &event.to_json())?;
    }
    file.write_all(b"\n]}\n")?;
    file.flush()
}
