//! Histories, by replay: what the workflow keeps is what its execution was told, which is a fraction of its events.
use crate::node::Node;
use crate::services::HistorySource;
use crate::services::names::EXECUTION;
use asl_engine::{HistoryEvent, Program, TaskTokens};
use asl_host::engine::{EngineError, HistoryPage, HistoryQuery};
use std::sync::Arc;

/// A part of an execution's history.
pub(super) async fn page(
    node: &Node,
    arn: Arc<str>,
    query: HistoryQuery,
) -> Result<Option<HistoryPage>, EngineError> {
    let place = (EXECUTION, &*arn, "history");
    let source: Option<HistorySource> = node.client.ask(place).await?;
    let Some(source) = source else {
        return Ok(None);
    };
    if source.beginning.is_express() {
        let why = "an Express execution keeps no history on Restate: its child execution is described, and listed by its Map Run";
        return Err(EngineError::Unavailable(why.to_owned()));
    }
    let program = node.program(&source.beginning.definition).await?;
    let tokens = node.tokens().await;
    // It computes as long as the execution did.
    let replayed = tokio::task::spawn_blocking(move || replayed(program, source, tokens)).await;
    let events =
        replayed.map_err(|_| EngineError::Broken("the replay was interrupted".to_owned()))??;
    Ok(Some(part(&events, query)))
}

fn replayed(
    program: Program,
    source: HistorySource,
    tokens: Arc<dyn TaskTokens>,
) -> Result<Vec<Arc<str>>, EngineError> {
    let mut start = source.beginning.start;
    start.record_history();
    let mut events = Vec::new();
    let mut execution = start.begin(program, tokens);
    let now = execution.now();
    let mut record = |event: HistoryEvent| events.push(text(&event));
    let mut step = execution.step_with(now, None, &mut record);
    let replay = execution.replay_on_with(source.records, &mut record);
    replay.map_err(|error| EngineError::Broken(error.to_string()))?;
    // What ran on after the last record, without one.
    while execution.outcome().is_none() {
        let now = execution.now();
        step = execution.step_with(now, None, &mut record);
        if !step.yielded {
            break;
        }
    }
    drop(step);
    Ok(events)
}

/// An event, as the API shows it.
fn text(event: &HistoryEvent) -> Arc<str> {
    let mut text = Vec::with_capacity(512);
    // Writing to memory cannot fail, and JSON is UTF-8.
    let _ = event.write_to(&mut text);
    String::from_utf8(text).unwrap_or_default().into()
}

/// The events of a page; ids count from 1.
fn part(events: &[Arc<str>], query: HistoryQuery) -> HistoryPage {
    let count = events.len();
    let first = if query.is_reversed { count as u64 } else { 1 };
    let from = usize::try_from(query.from.unwrap_or(first)).unwrap_or(usize::MAX);
    if from == 0 || from > count {
        return HistoryPage {
            events: Vec::new(),
            next: None,
        };
    }
    let ids: Vec<usize> = match query.is_reversed {
        true => (1..=from).rev().take(query.limit).collect(),
        false => (from..=count).take(query.limit).collect(),
    };
    let next = ids.last().and_then(|last| match query.is_reversed {
        true => Some(last - 1).filter(|next| *next >= 1),
        false => Some(last + 1).filter(|next| *next <= count),
    });
    HistoryPage {
        events: ids
            .iter()
            .filter_map(|id| events.get(id - 1).cloned())
            .collect(),
        next: next.map(|next| next as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(is_reversed: bool) -> Vec<String> {
        let events: Vec<Arc<str>> = (1..=5).map(|id| id.to_string().into()).collect();
        let (mut from, mut pages) = (None, Vec::new());
        loop {
            let query = HistoryQuery {
                from,
                limit: 2,
                is_reversed,
            };
            let page = part(&events, query);
            pages.push(page.events.concat());
            from = page.next;
            if from.is_none() {
                return pages;
            }
        }
    }

    #[test]
    fn pages_hold_each_event_once_in_either_order() {
        assert_eq!(pages(false), ["12", "34", "5"]);
        assert_eq!(pages(true), ["54", "32", "1"]);
    }
}
