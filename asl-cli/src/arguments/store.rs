//! `asl store`.
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Commands of `asl store`.
#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// Check the integrity of the data, and list suspended executions
    #[command(
        after_help = "Exit codes: 0 no problems, 1 problems found, 2 the store cannot be read.\nThe command works while a server uses the store."
    )]
    Check(StoreFolder),
    /// Export the data as lines of JSON, without the key of the task tokens
    #[command(
        after_help = "Example:\n  asl store export .asl --output store.jsonl\nThe command works while a server uses the store."
    )]
    Export(StoreExportArguments),
    /// Delete ended executions past their retention, and return their space to the disk
    #[command(after_help = "Stop the server first: the command needs exclusive access.")]
    Compact(StoreCompactArguments),
    /// Copy the database in its current state, with the key of the task tokens
    #[command(
        after_help = "Examples:\n  asl store backup .asl monday.db\n  asl store backup .asl spare/     # serve it with --data spare\nThe command works while a server uses the store."
    )]
    Backup(StoreBackupArguments),
}

/// Location of a store.
#[derive(Debug, Args)]
pub(crate) struct StoreFolder {
    /// Folder of the store, the --data of asl serve
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

/// Arguments of `asl store export`.
#[derive(Debug, Args)]
pub(crate) struct StoreExportArguments {
    #[command(flatten)]
    pub(crate) store: StoreFolder,

    /// Write to this new file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Arguments of `asl store compact`.
#[derive(Debug, Args)]
pub(crate) struct StoreCompactArguments {
    #[command(flatten)]
    pub(crate) store: StoreFolder,

    #[command(flatten)]
    pub(crate) retention: Retention,
}

/// Retention of ended executions.
#[derive(Debug, Args)]
pub(crate) struct Retention {
    /// Days to retain ended executions
    #[arg(long, value_name = "N", default_value_t = 90, help_heading = "State")]
    pub(crate) retention_days: u32,
}

impl Retention {
    /// Converts the retention to a duration.
    pub(crate) fn duration(&self) -> std::time::Duration {
        std::time::Duration::from_secs(u64::from(self.retention_days) * 24 * 60 * 60)
    }
}

/// Arguments of `asl store backup`.
#[derive(Debug, Args)]
pub(crate) struct StoreBackupArguments {
    #[command(flatten)]
    pub(crate) store: StoreFolder,

    /// A new file; or a folder that becomes a store: an existing one, or a name that ends with /
    #[arg(value_name = "FILE|DIR")]
    pub(crate) to: PathBuf,
}
