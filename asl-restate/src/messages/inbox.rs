//! Inboxes, and what is said to an execution as such.
use asl_engine::{ErrorOutput, MapRunUpdate, Timestamp};
use serde::{Deserialize, Serialize};

/// An inbox that waits for a message, as the state of its workflow keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OpenInbox {
    /// What to resolve.
    pub(crate) awakeable: String,
    /// How many messages it heard before.
    pub(crate) turn: u64,
}

/// What is asked of an execution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Command {
    pub(crate) at: Timestamp,
    pub(crate) what: Commanded,
}

/// What can be asked of an execution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Commanded {
    Stop(ErrorOutput),
    UpdateMapRun(MapRunUpdate),
}

/// What came of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum CommandAnswer {
    /// The execution has ended, by the command or before it.
    Ended(Timestamp),
    /// Whether the Map Run that is to have other limits was under way.
    Updated(bool),
}
