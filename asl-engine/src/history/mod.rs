//! Event histories, as GetExecutionHistory returns them.
mod event;
mod json;

pub use event::{EventDetails, HistoryEvent, StateType, TaskResource};
