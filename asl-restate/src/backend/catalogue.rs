//! Entries and definitions.
use crate::client::Client;
use crate::messages::{EntryList, EntryMessage, EntryWrite, KeptDefinition};
use crate::node::Node;
use crate::services::names::{CATALOGUE, DEFINITION};
use asl_backend::{
    BackendError, Definition, DefinitionId, Entry, EntryKey, EntryKind, WriteOutcome,
};
use std::sync::Arc;

/// Returns the object of a kind and a scope.
fn object(kind: EntryKind, scope: &str) -> String {
    format!("{}|{scope}", kind.word())
}

fn entry_of(kind: EntryKind, scope: &Arc<str>, message: EntryMessage) -> Entry {
    Entry {
        key: EntryKey {
            kind,
            scope: Arc::clone(scope),
            name: message.name,
        },
        version: message.version,
        value: message.value,
    }
}

pub(super) async fn entry(client: &Client, key: EntryKey) -> Result<Option<Entry>, BackendError> {
    let object = object(key.kind, &key.scope);
    let found: Option<EntryMessage> = client.call((CATALOGUE, &object, "read"), &key.name).await?;
    Ok(found.map(|found| entry_of(key.kind, &key.scope, found)))
}

pub(super) async fn write(
    client: &Client,
    key: EntryKey,
    expected: Option<u64>,
    value: Option<Arc<str>>,
) -> Result<WriteOutcome, BackendError> {
    let object = object(key.kind, &key.scope);
    let write = EntryWrite {
        name: key.name,
        expected,
        value,
    };
    let is_written = client.call((CATALOGUE, &object, "write"), &write).await?;
    Ok(match is_written {
        true => WriteOutcome::Done,
        false => WriteOutcome::Changed,
    })
}

pub(super) async fn list(
    client: &Client,
    kind: EntryKind,
    scope: Arc<str>,
    after: Option<Arc<str>>,
    limit: usize,
) -> Result<Vec<Entry>, BackendError> {
    let object = object(kind, &scope);
    let list = EntryList { after, limit };
    let found: Vec<EntryMessage> = client.call((CATALOGUE, &object, "list"), &list).await?;
    let entries = found.into_iter();
    Ok(entries.map(|it| entry_of(kind, &scope, it)).collect())
}

pub(super) async fn store_definition(
    node: &Node,
    definition: Definition,
) -> Result<DefinitionId, BackendError> {
    let id = definition.id();
    let digits = id.digits();
    if node.definition(&digits).await?.is_some() {
        return Ok(id);
    }
    let compiled = definition.compile().map(drop);
    compiled.map_err(|error| BackendError::Broken(error.to_string()))?;
    let kept = KeptDefinition::from(&definition);
    node.client
        .order((DEFINITION, &digits, "keep"), &kept)
        .await?;
    Ok(id)
}
