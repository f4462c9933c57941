//! What is done with a store beside running executions: it is checked, written out, copied, and made small.
pub(crate) mod backup;
mod compaction;
mod reader;

pub use compaction::{CompactionReport, compact};
pub use reader::{CheckReport, ExportReport, Finding, StoreReader};
