//! Histories: of ended executions from their sealed pieces, and of running ones by replay. Until its end, the workflow
//! stores only the inputs of its execution, which are much smaller than its events.
use crate::driver::block_thread;
use crate::messages::{ExecutionStart, HistorySource, SealedHistory};
use crate::node::Node;
use crate::replayed::ReplayedExecution;
use crate::services::names::EXECUTION;
use asl_backend::{BackendError, HistoryPage, HistoryQuery, UnpackedPiece};
use asl_engine::{CORE_VERSION, JournalRecord};
use std::sync::Arc;

/// Number of attempts to read a history that is being sealed.
const ATTEMPTS: usize = 3;

/// Returns a part of an execution's history.
pub(super) async fn page(
    node: &Node,
    arn: Arc<str>,
    query: HistoryQuery,
) -> Result<Option<HistoryPage>, BackendError> {
    for _ in 0..ATTEMPTS {
        let source: Option<HistorySource> = node.client.query((EXECUTION, &arn, "history")).await?;
        let page = match source {
            None => return Ok(None),
            Some(HistorySource::Sealed(sealed)) => {
                Some(sealed_page(node, &arn, &sealed, query).await?)
            }
            Some(HistorySource::Records(beginning)) => {
                replayed_page(node, &arn, *beginning, query).await?
            }
        };
        if page.is_some() {
            return Ok(page);
        }
    }
    let why = "the execution is ending: try again";
    Err(BackendError::Unavailable(why.to_owned()))
}

/// Returns a page, of which only the pieces are read that its events are in.
async fn sealed_page(
    node: &Node,
    arn: &str,
    sealed: &SealedHistory,
    query: HistoryQuery,
) -> Result<HistoryPage, BackendError> {
    let (ids, next) = query.ids(sealed.events);
    let mut events = Vec::with_capacity(ids.len());
    let mut piece = UnpackedPiece::default();
    for id in ids {
        if piece.get(id).is_none() {
            let first = sealed.piece_of(id);
            let place = (EXECUTION, arn, "history_piece");
            let packed = node.client.fetch(place, &first).await?;
            piece = UnpackedPiece::unpack(first.unwrap_or(id), &packed)?;
        }
        let missing = || BackendError::Broken(format!("event {id} of the history is missing"));
        events.push(piece.get(id).cloned().ok_or_else(missing)?);
    }
    Ok(HistoryPage { events, next })
}

/// Returns a page by replay; nothing where the history was sealed meanwhile.
async fn replayed_page(
    node: &Node,
    arn: &str,
    beginning: ExecutionStart,
    query: HistoryQuery,
) -> Result<Option<HistoryPage>, BackendError> {
    if beginning.is_express() {
        let why = "Restate stores no history of an Express execution: describe it, or list it by its Map Run";
        return Err(BackendError::Unavailable(why.to_owned()));
    }
    check_version(beginning.core_version)?;
    let mut replayed = match take_replayed(node, arn, &beginning.nonce) {
        Some(replayed) => replayed,
        None => {
            let program = node.program(&beginning.definition).await?;
            let tokens = node.tokens().await;
            block_thread(|| ReplayedExecution::new(program, beginning, tokens))
        }
    };
    loop {
        let from = replayed.records();
        let records: Option<Vec<JournalRecord>> =
            node.client.call((EXECUTION, arn, "records"), &from).await?;
        let Some(records) = records else {
            return Ok(None);
        };
        if records.is_empty() {
            break;
        }
        // It computes as long as the execution did.
        replayed = block_thread(|| replayed.apply_records(records))?;
    }
    let page = replayed.page(query);
    node.replayed
        .put(arn.into(), replayed, |known| **known == *arn);
    Ok(Some(page))
}

/// Returns the history so far, if it was replayed lately. Another execution may have had the name before.
fn take_replayed(node: &Node, arn: &str, nonce: &str) -> Option<ReplayedExecution> {
    let (_, replayed) = node.replayed.take(|known| **known == *arn)?;
    replayed.is_of(nonce).then_some(replayed)
}

/// Histories of what runs are made by the core that it runs by.
fn check_version(began_with: u32) -> Result<(), BackendError> {
    if began_with == CORE_VERSION {
        return Ok(());
    }
    Err(BackendError::Unavailable(format!(
        "the execution runs with version {began_with} of the core, and this build has version {CORE_VERSION}: ask a build of that \
         version for its history, or any build once the execution has ended"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_core_runs_is_asked_of_a_build_that_has_it() {
        assert_eq!(check_version(CORE_VERSION), Ok(()));
        let refused = check_version(CORE_VERSION + 1).unwrap_err().to_string();
        let runs = format!("runs with version {} of the core", CORE_VERSION + 1);
        assert!(refused.contains(&runs), "{refused}");
    }
}
