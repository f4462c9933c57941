//! `asl store`.
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// What is done with a store.
#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// Say whether all that is kept is as it was written, and who is held
    #[command(
        after_help = "Exits with 0 where all is well, 1 where there are faults, 2 where it cannot be read.\nA server may have it open."
    )]
    Check(StoreFolder),
    /// Write all that is kept as lines of JSON, without the key of the task tokens
    #[command(
        after_help = "Example:\n  asl store export .asl --output store.jsonl\nA server may have it open."
    )]
    Export(StoreExportArguments),
    /// Let go of what ended long ago, and give its room back to the disk
    #[command(after_help = "No server may have it open.")]
    Compact(StoreCompactArguments),
    /// Copy it as it is now, with the key of the task tokens
    #[command(
        after_help = "Examples:\n  asl store backup .asl monday.db\n  asl store backup .asl spare/     # serve it with --data spare\nA server may have it open."
    )]
    Backup(StoreBackupArguments),
}

/// Which store.
#[derive(Debug, Args)]
pub(crate) struct StoreFolder {
    /// Its folder, as asl serve has it in --data
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

/// What `asl store export` is given.
#[derive(Debug, Args)]
pub(crate) struct StoreExportArguments {
    #[command(flatten)]
    pub(crate) store: StoreFolder,

    /// Write to a file that is not there yet, in place of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// What `asl store compact` is given.
#[derive(Debug, Args)]
pub(crate) struct StoreCompactArguments {
    #[command(flatten)]
    pub(crate) store: StoreFolder,

    #[command(flatten)]
    pub(crate) retention: Retention,
}

/// How long what ended is kept.
#[derive(Debug, Args)]
pub(crate) struct Retention {
    /// Keep executions for so many days after their end
    #[arg(long, value_name = "N", default_value_t = 90, help_heading = "State")]
    pub(crate) retention_days: u32,
}

impl Retention {
    /// The same as a duration.
    pub(crate) fn duration(&self) -> std::time::Duration {
        std::time::Duration::from_secs(u64::from(self.retention_days) * 24 * 60 * 60)
    }
}

/// What `asl store backup` is given.
#[derive(Debug, Args)]
pub(crate) struct StoreBackupArguments {
    #[command(flatten)]
    pub(crate) store: StoreFolder,

    /// A file that is not there yet; or a folder, which becomes a store: one that is there, or a name that ends with /
    #[arg(value_name = "FILE|DIR")]
    pub(crate) to: PathBuf,
}
