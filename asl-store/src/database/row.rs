//! An execution, as its row keeps it.
use crate::database::statement::{ids_to_bytes, run};
pub(crate) use asl_backend::CoreStart;
use asl_backend::{ExecutionStatus, NestedTask, StartExecution};
use asl_engine::CORE_VERSION;
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The row of an execution.
pub(crate) type RowId = i64;

/// The slots that rows may be of (see `event_loop::slots`).
pub(crate) const LARGEST_SLOT: i64 = 63;
/// Bits of a row below its slot: rows of a slot grow with time.
const ROW_BITS: u32 = 48;

/// Returns the row of this number in a slot.
pub(crate) fn row_of(slot: i64, number: i64) -> RowId {
    (slot << ROW_BITS) | number
}

/// Returns the slot of a row.
pub(crate) fn slot_of(row: RowId) -> i64 {
    row >> ROW_BITS
}

/// Returns all rows of a slot.
pub(crate) fn rows_of_slot(slot: i64) -> RangeInclusive<RowId> {
    row_of(slot, 0)..=row_of(slot + 1, 0) - 1
}

/// Hasher for numbers that the store assigns: clients cannot choose them.
pub(crate) type ByNumber = foldhash::fast::FixedState;

/// Metadata of an execution from its start.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct StartMetadata {
    pub(crate) revision: Arc<str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) trace_header: Option<Arc<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) mock_test_case: Option<Arc<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) nested: Option<NestedTask>,
    /// The version and the alias that it was started by, of one that a task waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) version_arn: Option<Arc<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) alias_arn: Option<Arc<str>>,
    /// The root execution of a child.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) root: Option<RowId>,
}

impl StartMetadata {
    /// Returns the metadata of a start.
    pub(crate) fn from_start(start: &StartExecution) -> Self {
        Self {
            revision: Arc::clone(&start.revision),
            trace_header: start.trace_header.clone(),
            mock_test_case: start.mock_test_case.clone(),
            nested: start.nested.clone(),
            version_arn: start.version_arn.clone().filter(|_| start.nested.is_some()),
            alias_arn: start.alias_arn.clone().filter(|_| start.nested.is_some()),
            root: None,
        }
    }
}

/// End of an execution, as stored in its row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct End {
    pub(crate) status: ExecutionStatus,
    pub(crate) stopped: i64,
    pub(crate) output: Option<Arc<str>>,
    pub(crate) error: Option<String>,
    pub(crate) cause: Option<String>,
    pub(crate) events: u64,
    /// State of its history: `history::seal` has the values.
    pub(crate) is_sealed: i64,
    /// The records that it is made of until it is sealed; none where a snapshot knows them.
    pub(crate) records: Option<Vec<i64>>,
}

impl End {
    /// Writes how an execution ended.
    pub(crate) fn write(&self, connection: &Connection, execution: RowId) -> rusqlite::Result<()> {
        let sql = "UPDATE executions SET status = ?2, stopped = ?3, output = ?4, error = ?5, cause = ?6, events = ?7,
            parked = 0, due = NULL, held = NULL, is_sealed = ?8, records = ?9, core = ?10 WHERE id = ?1";
        let status = status_number(self.status);
        let values = params![
            execution,
            status,
            self.stopped,
            self.output,
            self.error,
            self.cause,
            self.events as i64,
            self.is_sealed,
            self.records.as_deref().map(ids_to_bytes),
            CORE_VERSION,
        ];
        run(connection, sql, values)
    }
}

/// Returns the number of a status.
pub(crate) fn status_number(status: ExecutionStatus) -> i64 {
    match status {
        ExecutionStatus::Running => 0,
        ExecutionStatus::Succeeded => 1,
        ExecutionStatus::Failed => 2,
        ExecutionStatus::TimedOut => 3,
        ExecutionStatus::Aborted => 4,
        ExecutionStatus::PendingRedrive => 5,
    }
}

/// Returns the status of a number.
pub(crate) fn status_of(number: i64) -> ExecutionStatus {
    let all = ExecutionStatus::ALL.into_iter();
    all.clone()
        .find(|status| status_number(*status) == number)
        .unwrap_or(ExecutionStatus::Running)
}

/// As bytes of a column.
pub(crate) fn encoded(value: &impl Serialize) -> Vec<u8> {
    // Our own types have no part that this could refuse.
    rmp_serde::to_vec_named(value).unwrap_or_default()
}

/// Encodes a column, reusing the buffer: most records are much shorter than its capacity.
pub(crate) fn encoded_by(room: &mut Vec<u8>, value: &impl Serialize) -> Vec<u8> {
    /// More than this is not kept.
    const MOST: usize = 64 << 10;
    room.clear();
    // Our own types have no part that this could refuse.
    let written = rmp_serde::encode::write_named(room, value);
    debug_assert!(written.is_ok());
    let bytes = room.to_vec();
    room.shrink_to(MOST);
    bytes
}

/// From bytes of a column.
pub(crate) fn decoded<T: for<'de> Deserialize<'de>>(bytes: &[u8]) -> rusqlite::Result<T> {
    rmp_serde::from_slice(bytes).map_err(|error| unreadable(error.into()))
}

/// The input of a start, and nothing else of it.
#[derive(Deserialize)]
enum StartInput<'a> {
    #[serde(borrow)]
    Root(InputTexts<'a>),
    Child(ChildInput<'a>),
}

#[derive(Deserialize)]
struct ChildInput<'a> {
    #[serde(borrow)]
    start: InputTexts<'a>,
}

/// The input as sent, if stored, and as printed.
#[derive(Deserialize)]
struct InputTexts<'a> {
    input: &'a str,
    input_text: Option<&'a str>,
}

/// Returns the input that the bytes of a [`CoreStart`] say, without reading the rest.
pub(crate) fn input_of_start(bytes: &[u8]) -> rusqlite::Result<&str> {
    let start = rmp_serde::from_slice(bytes).map_err(|error| unreadable(error.into()))?;
    let (StartInput::Root(texts) | StartInput::Child(ChildInput { start: texts })) = start;
    Ok(texts.input_text.unwrap_or(texts.input))
}

/// Creates the error for a column whose content is invalid.
pub(crate) fn unreadable(error: Box<dyn std::error::Error + Send + Sync>) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Blob, error)
}

/// Bytes packed.
pub(crate) fn packed(bytes: &[u8]) -> Vec<u8> {
    lz4_flex::compress_prepend_size(bytes)
}

/// And unpacked.
pub(crate) fn unpacked(bytes: &[u8]) -> rusqlite::Result<Vec<u8>> {
    lz4_flex::decompress_size_prepended(bytes).map_err(|error| unreadable(error.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use asl_engine::{Start, Timestamp};
    use serde_json::json;

    #[test]
    fn the_input_of_a_start_is_read_alone() {
        let mut start = Start::new("e", json!({"n": 1}), Timestamp::from_milliseconds(0));
        let root = |start: &Start| encoded(&CoreStart::Root(Box::new(start.clone())));
        assert_eq!(input_of_start(&root(&start)), Ok(r#"{"n":1}"#));
        start.input_text = Some(r#"{"n": 1}"#.into());
        assert_eq!(input_of_start(&root(&start)), Ok(r#"{"n": 1}"#));
        assert!(input_of_start(&root(&start)[1..]).is_err());
    }
}
