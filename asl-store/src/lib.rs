#![doc = include_str!("../README.md")]

mod backup;
mod beginning;
mod catalogue;
mod clock;
mod compaction;
mod connection;
mod definitions;
mod described;
mod engine;
mod error;
mod event_loop;
mod express;
mod history;
mod lock;
mod operation;
mod options;
mod outcome;
mod reader;
mod replay;
mod retention;
mod row;
mod schema;
mod sealed;
mod sealing;
mod shared;
mod single_task;
mod statistics;
mod store;
mod writer;

pub use compaction::{Compacted, compact};
pub use error::OpenError;
pub use options::{Durability, Options};
pub use reader::{Checked, Exported, Finding, StoreReader};
pub use statistics::Statistics;
pub use store::Store;
