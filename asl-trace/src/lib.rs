#![doc = include_str!("../README.md")]

mod account;
mod attempt;
mod builder;
mod definition;
mod history;
mod inspection;
mod mentions;
#[cfg(feature = "runtime")]
mod recorder;
mod replay;
mod rerun;
mod rules;
mod span;
mod spans;
mod state_texts;
mod state_tree;
mod visit;

pub use account::{Account, Finding, Reason, Step, Strand, StrandKind, TimedFinding};
pub use builder::DataRetention;
pub use history::{ChildHistory, History, HistoryError, read_events};
#[cfg(feature = "runtime")]
pub use recorder::{Entry, Recorder};
pub use replay::replay;
pub use rerun::{Difference, Rerun, rerun};
pub use span::{Span, SpanId, SpanKind, SpanRecorder, SpanStatus};
pub use spans::{EventContext, Spans};
pub use state_tree::StateTree;
pub use visit::{Attempt, Holder, PreviousVisit, Visit, VisitFailure};
