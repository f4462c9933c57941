//! The API over HTTP, for a backend that keeps everything in memory.
mod client;
mod contract;
mod executions;
#[path = "../fake/mod.rs"]
mod fake;
mod laws;
mod machines;
mod protocol;
mod self_calls;
mod workers;
