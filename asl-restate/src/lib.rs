#![doc = include_str!("../README.md")]

mod backend;
mod client;
mod deployment;
mod driver;
mod error;
mod messages;
mod node;
mod options;
mod pauses;
mod replayed;
mod services;
mod serving;
mod shards;

pub use backend::RestateBackend;
pub use error::RestateError;
pub use options::Options;
