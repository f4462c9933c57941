#![doc = include_str!("../README.md")]

mod account;
mod attempt;
mod builder;
mod definition;
mod event;
mod history;
mod inspection;
mod mentions;
mod recorder;
mod replay;
mod rules;

pub use account::{Account, Finding, Reason, Step, Strand, StrandKind, TimedFinding};
pub use builder::{DataRetention, Holder};
pub use history::{ChildHistory, History, HistoryError};
pub use recorder::{Entry, Recorder};
pub use replay::replay;
