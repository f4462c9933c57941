//! Lists of all that a scope has of one kind, by pages, in the order of their names.
use super::{members, read, text};
use crate::api::{Api, Call};
use crate::catalogue::Record;
use crate::page::{Pages, cut, page_size};
use crate::protocol::ApiError;
use crate::scope::Scope;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct List {
    max_results: Option<usize>,
    next_token: Option<String>,
}

/// Answers with a page of entries in the member of this name.
pub(super) async fn list_by_name<R: Record>(
    api: &Api,
    call: Call,
    member: &str,
    entry: impl Fn(&Scope, &str, &R) -> Value,
) -> Result<Value, ApiError> {
    let request: List = read(call.request)?;
    let scope = call.scope.to_string();
    let pages = Pages {
        list: &[&call.operation, &scope],
        now: api.backend.now(),
    };
    let after = pages.cursor(request.next_token.as_deref())?;
    let size = page_size(request.max_results);
    let mut records: Vec<(Arc<str>, R)> = api.catalogue.list(&call.scope, after, size + 1).await?;
    let next = cut(&mut records, size).map(|(name, _)| pages.token(name));
    let entries = records
        .iter()
        .map(|(name, record)| entry(&call.scope, name, record));
    let entries: Vec<Value> = entries.collect();
    Ok(members([
        (member, Some(entries.into())),
        ("nextToken", text(next)),
    ]))
}
