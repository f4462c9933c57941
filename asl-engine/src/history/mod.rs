//! Event histories, as GetExecutionHistory returns them.
mod event;
mod event_type;
mod execution_history;
mod json;
mod parse;
mod task_event;

pub use asl_model::StateType;
pub use event::{EventDetails, HistoryEvent, TaskResource};
pub use execution_history::History;
pub use parse::HistoryEventError;
