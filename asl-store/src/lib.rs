#![doc = include_str!("../README.md")]

mod beginning;
mod catalogue;
mod clock;
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
mod replay;
mod retention;
mod row;
mod schema;
mod sealing;
mod shared;
mod statistics;
mod store;
mod writer;

pub use error::OpenError;
pub use options::{Durability, Options};
pub use statistics::Statistics;
pub use store::Store;
