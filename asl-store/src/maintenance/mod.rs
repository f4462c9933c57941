//! Maintenance of a store while executions run: check, export, backup, compaction.
pub(crate) mod backup;
mod compaction;
mod reader;

pub use compaction::{CompactionReport, compact};
pub use reader::{CheckReport, ExportReport, Finding, StoreReader};
