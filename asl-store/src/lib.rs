#![doc = include_str!("../README.md")]

mod backend;
mod clock;
mod database;
mod draining;
mod error;
mod event_loop;
mod following;
mod history;
mod lock;
mod maintenance;
mod memory;
mod notice;
mod observer;
mod options;
mod pending;
mod priority;
mod shared;
mod statistics;
mod store;
mod suspended;
mod tokens;
mod unsealed;

pub use database::sealed_history::HistoryCounts;
pub use error::OpenError;
pub use maintenance::{CheckReport, ExportReport, Finding, StoreReader};
pub use maintenance::{CompactionReport, compact};
pub use notice::{Notices, StoreNotice};
pub use observer::{ObservedExecution, StoreObserver};
pub use options::{Durability, Options};
pub use statistics::Statistics;
pub use store::Store;
pub use suspended::{SuspendedExecution, SuspendedExecutions};
