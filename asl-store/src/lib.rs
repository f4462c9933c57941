#![doc = include_str!("../README.md")]

mod abandoned;
mod backup;
mod catalogue;
mod clock;
mod compaction;
mod connection;
mod definitions;
mod described;
mod earlier_run;
mod engine;
mod error;
mod event_loop;
mod held;
mod history;
mod journal;
mod lock;
mod operation;
mod options;
mod reader;
mod replay;
mod retention;
mod row;
mod schema;
mod sealed;
mod sealing;
mod shared;
mod statistics;
mod store;
mod writer;

pub use compaction::{Compacted, compact};
pub use error::OpenError;
pub use held::{Held, HeldExecution};
pub use options::{Durability, Options};
pub use reader::{Checked, Exported, Finding, StoreReader};
pub use statistics::Statistics;
pub use store::Store;
