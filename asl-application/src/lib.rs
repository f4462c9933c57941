#![doc = include_str!("../README.md")]

#[cfg(feature = "host")]
mod apis;
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
mod proxy;
#[cfg(feature = "host")]
mod resources;
mod routes;

#[cfg(feature = "host")]
pub use apis::Apis;
pub use difference::Difference;
pub use discovery::sources_of_folder;
#[cfg(feature = "host")]
pub use host::{ApplicationHost, ApplicationHostOptions, AppliedPart, Outcome, PartKind};
pub use plan::{IgnoredMachine, Plan, PlannedMachine};
#[cfg(feature = "host")]
pub use proxy::{ApiRequest, ApiResponse};
pub use routes::{PayloadForm, Route, RouteTarget};
