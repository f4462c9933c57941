//! Messages between an API node, the services and Restate, as JSON. Journals can contain every part: new fields have a
//! default, and existing ones never change their meaning.
mod catalogue;
mod execution_start;
mod feed;
mod history;
mod inbox;
mod index;
mod map_run;
mod mocked;
mod nested;
mod performing;
mod redrives;
mod shard;
mod size;
mod task;

pub(crate) use catalogue::{EntryList, EntryMessage, EntryWrite, KeptDefinition};
pub(crate) use execution_start::{
    Began, ChildAgain, ExecutionDetails, ExecutionOutcome, ExecutionStart, StartMetadata,
};
pub(crate) use feed::{FeedEntry, FeedPage, FeedQuery};
pub(crate) use history::{HistorySource, SealedHistory};
pub(crate) use inbox::{Command, CommandAnswer, CommandReply, OpenInbox};
pub(crate) use index::{IndexMark, IndexPage, IndexQuery, ListEntry, PartQuery, REDRIVEN};
pub(crate) use map_run::{CountedChildren, KeptMapRun, MapRunsOf};
pub(crate) use mocked::{MockedRequest, MockedTestCase};
pub(crate) use nested::{NestedMessage, Waiter};
pub(crate) use performing::{
    AnswerMessage, PerformRequest, Performable, PerformedRequest, too_large,
};
pub(crate) use redrives::Redrives;
pub(crate) use shard::{
    ChildBeginning, ChildEnding, ShardBeginning, ShardOrder, ShardReport, order_signal,
    report_signal,
};
pub(crate) use size::{MOST_OBJECT_BYTES, message_bytes};
pub(crate) use task::{ActivityOffer, Delivery, ExternalEvent, ExternalMessage};

use asl_path::json::{DEFAULT_MAX_DEPTH, parse, printed};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// JSON as a string: it may be nested more deeply than the surrounding message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct JsonText(pub(crate) Arc<str>);

impl JsonText {
    pub(crate) fn new(value: &Value) -> Self {
        Self(printed(value).into())
    }

    /// Returns the value; null for invalid JSON, which own messages never contain.
    pub(crate) fn value(&self) -> Value {
        parse(&self.0, DEFAULT_MAX_DEPTH).unwrap_or_default()
    }
}
