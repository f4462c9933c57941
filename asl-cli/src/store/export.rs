//! `asl store export`.
use super::{failure, open};
use crate::arguments::StoreExportArguments;
use crate::exit::{Exit, Failure};
use crate::terminal::{self, WARNING, count_noun};
use asl_store::{ExportReport, OpenError, StoreReader};
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

/// Writes all of a store; fails where the history of an execution could not be had.
pub(super) fn export(arguments: &StoreExportArguments) -> Result<Exit, Failure> {
    let reader = open(&arguments.store)?;
    let exported = match &arguments.output {
        Some(file) => to_file(&reader, file)?,
        None => match reader.export(BufWriter::new(io::stdout().lock())) {
            // Whoever went away has read what it wanted.
            Err(error) if is_broken_pipe(&error) => return Ok(Exit::Success),
            exported => exported.map_err(failure)?,
        },
    };
    for (arn, why) in &exported.without_history {
        terminal::error_line(&format!(
            "{WARNING}warning:{WARNING:#} {arn} is exported without its history: {why}"
        ));
    }
    let count = |number: u64, noun| count_noun(usize::try_from(number).unwrap_or(usize::MAX), noun);
    terminal::error_line(&format!(
        "{} of {} written",
        count(exported.lines, "line"),
        count(exported.executions, "execution")
    ));
    Ok(match exported.without_history.is_empty() {
        true => Exit::Success,
        false => Exit::Failed,
    })
}

/// Writes to a new file, which is deleted if the export fails.
fn to_file(reader: &StoreReader, path: &Path) -> Result<ExportReport, Failure> {
    let cannot =
        |error: io::Error| Failure::new(format!("cannot write {}: {error}", path.display()));
    let file = new_file(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::new(format!(
            "{} already exists: choose another name",
            path.display()
        )),
        _ => cannot(error),
    })?;
    let mut to = BufWriter::new(file);
    let exported = reader.export(&mut to).map_err(failure);
    let written = exported.and_then(|exported| {
        let synced = to.flush().and_then(|()| to.get_ref().sync_all());
        synced.map(|()| exported).map_err(cannot)
    });
    if written.is_err() {
        // Half of a store is no store; why is told.
        let _ = std::fs::remove_file(path);
    }
    written
}

/// Returns a file of its owner alone: it holds all data.
fn new_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn is_broken_pipe(error: &OpenError) -> bool {
    matches!(error, OpenError::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
}
