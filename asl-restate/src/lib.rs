#![doc = include_str!("../README.md")]

mod client;
mod deployment;
mod driver;
mod engine;
mod error;
mod messages;
mod node;
mod options;
mod replayed;
mod services;
mod serving;
mod shards;

pub use engine::RestateEngine;
pub use error::RestateError;
pub use options::Options;
