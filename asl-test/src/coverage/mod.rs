//! Coverage: the parts of definitions that the cases of a run, or recorded executions, reached.
mod account;
mod collector;
pub mod format;
mod lines;
mod overlay;
mod points;
mod report;
mod repository;
mod tally;
mod threshold;

pub(crate) use collector::Collector;
pub use collector::ReachedPoints;
pub use overlay::overlay_from_json;
pub(crate) use points::Points;
pub use points::{Point, PointKind};
pub use report::{Coverage, CoveredFile, CoveredPoint, Way};
pub use tally::Tally;
pub use threshold::{MissedThreshold, Threshold};
