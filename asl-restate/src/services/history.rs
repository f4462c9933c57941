//! Stored history of an execution's workflow: records of its inputs, and at its end the events, in pieces.
use super::execution::{BEGINNING, ENDING};
use crate::messages::{
    ExecutionOutcome, ExecutionStart, HistorySource, SealedHistory, message_bytes,
};
use asl_backend::HistoryPiece;
use asl_engine::JournalRecord;
use restate_sdk::prelude::*;

const SEALED: &str = "sealed-history";
/// Records that are requested at a time.
const BATCH: u64 = 64;
/// Records of one answer, and bytes after which it gets no more.
const MOST_RECORDS: usize = 2_048;
const MOST_BYTES: usize = 4 << 20;

/// Returns the key of a record; in the order of the numbers.
pub(super) fn record_key(number: u64) -> String {
    format!("record-{number:020}")
}

fn piece_key(first: u64) -> String {
    format!("history-{first}")
}

/// Stores the events of an ended execution after the sealed ones; `events` is their total number.
pub(super) async fn seal(
    ctx: &WorkflowContext<'_>,
    sealed: &mut SealedHistory,
    pieces: Vec<HistoryPiece>,
    events: u64,
) -> Result<(), TerminalError> {
    for HistoryPiece { first, packed } in pieces {
        // An entry of its own: another version of what packs it would write other bytes.
        let packed = ctx.run(move || async move { Ok(packed) });
        let packed: Vec<u8> = packed.name("history").await?;
        ctx.set(&piece_key(first), packed);
        sealed.firsts.push(first);
    }
    sealed.events = events;
    ctx.set(SEALED, Json(sealed.clone()));
    Ok(())
}

/// Returns the history, where all events up to the end are in pieces.
async fn sealed(ctx: &SharedWorkflowContext<'_>) -> Result<Option<SealedHistory>, TerminalError> {
    let ending = ctx.get::<Json<ExecutionOutcome>>(ENDING).await?;
    let sealed = ctx.get::<Json<SealedHistory>>(SEALED).await?;
    Ok(sealed
        .map(Json::into_inner)
        .zip(ending)
        .filter(|(sealed, ending)| sealed.events == ending.0.event_count)
        .map(|(sealed, _)| sealed))
}

/// Returns the source of the history; None if the execution does not exist.
pub(super) async fn source(
    ctx: &SharedWorkflowContext<'_>,
) -> Result<Option<HistorySource>, TerminalError> {
    if let Some(sealed) = sealed(ctx).await? {
        return Ok(Some(HistorySource::Sealed(sealed)));
    }
    let beginning = ctx.get::<Json<ExecutionStart>>(BEGINNING).await?;
    Ok(beginning.map(|Json(beginning)| HistorySource::Records(Box::new(beginning))))
}

/// Returns the records from a number on, as many as fit in a message; none if the history was sealed meanwhile.
pub(super) async fn records(
    ctx: &SharedWorkflowContext<'_>,
    mut from: u64,
) -> Result<Option<Vec<JournalRecord>>, TerminalError> {
    let (mut records, mut bytes) = (Vec::new(), 0);
    'all: while records.len() < MOST_RECORDS {
        let keys: Vec<String> = (from..from + BATCH).map(record_key).collect();
        // All are requested before the first is waited for.
        let batch: Vec<_> = keys
            .iter()
            .map(|key| ctx.get::<Json<JournalRecord>>(key))
            .collect();
        for record in batch {
            let Some(Json(record)) = record.await? else {
                break 'all;
            };
            bytes += message_bytes(&record);
            records.push(record);
            if bytes >= MOST_BYTES {
                break 'all;
            }
        }
        from += BATCH;
    }
    // Records go when the history is sealed for good.
    Ok(sealed(ctx).await?.is_none().then_some(records))
}

/// The piece that begins with an event.
pub(super) async fn piece(
    ctx: &SharedWorkflowContext<'_>,
    first: u64,
) -> Result<Vec<u8>, TerminalError> {
    Ok(ctx.get(&piece_key(first)).await?.unwrap_or_default())
}
