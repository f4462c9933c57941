#![doc = include_str!("../README.md")]

#[cfg(feature = "host")]
mod code;
#[cfg(feature = "host")]
mod dependencies;
mod difference;
mod discovery;
#[cfg(feature = "host")]
mod host;
mod plan;
#[cfg(feature = "host")]
mod resources;

pub use difference::Difference;
pub use discovery::sources_of_folder;
#[cfg(feature = "host")]
pub use host::{Applied, Host, HostOptions, Outcome, Part};
pub use plan::{Plan, PlannedMachine};
