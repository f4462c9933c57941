//! Event histories, as GetExecutionHistory returns them.
mod event;
mod event_type;
mod execution_history;
mod json;

pub use event::{EventDetails, HistoryEvent, StateType, TaskResource};
pub use execution_history::History;
