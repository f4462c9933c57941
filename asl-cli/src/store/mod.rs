//! `asl store`.
mod backup;
mod check;
mod export;

use crate::arguments::{StoreCommand, StoreCompactArguments, StoreFolder};
use crate::exit::{Exit, Failure};
use crate::terminal::{self, count_noun};
use asl_store::{HistoryCounts, OpenError, StoreReader};

/// Runs a command of `asl store`.
pub(crate) fn store(command: &StoreCommand) -> Result<Exit, Failure> {
    match command {
        StoreCommand::Check(arguments) => check::check(arguments),
        StoreCommand::Export(arguments) => export::export(arguments),
        StoreCommand::Compact(arguments) => compact(arguments),
        StoreCommand::Backup(arguments) => backup::backup(arguments),
    }
}

fn compact(arguments: &StoreCompactArguments) -> Result<Exit, Failure> {
    let compacted = asl_store::compact(&arguments.store.folder, arguments.retention.duration());
    let compacted = compacted.map_err(failure)?;
    let describe = |count, what| count_noun(usize::try_from(count).unwrap_or(usize::MAX), what);
    terminal::error_line(&format!(
        "{} bytes before, {} after; deleted {} and {}",
        compacted.bytes_before,
        compacted.bytes_after,
        describe(compacted.retired, "execution"),
        describe(compacted.definitions, "definition"),
    ));
    terminal::error_line(&histories(compacted.histories));
    Ok(Exit::Success)
}

/// Says how the histories of a store are kept.
fn histories(counts: HistoryCounts) -> String {
    let HistoryCounts {
        sealed,
        replayed,
        unsealed,
        ..
    } = counts;
    let next = match unsealed {
        0 => "",
        _ => ": asl serve packs them after its next start",
    };
    format!(
        "histories of ended executions: {sealed} packed, {replayed} rebuilt when read, {unsealed} not packed yet{next}"
    )
}

fn open(arguments: &StoreFolder) -> Result<StoreReader, Failure> {
    StoreReader::open(&arguments.folder).map_err(failure)
}

fn failure(error: OpenError) -> Failure {
    Failure::new(error.to_string())
}
