//! Records read, decided on and written.
use super::recent::Recent;
use super::{ActivityRecord, StateMachineRecord, Tags};
use crate::protocol::{ApiError, ErrorCode};
use crate::scope::Scope;
use asl_backend::{Backend, Entry, EntryKey, EntryKind, WriteOutcome};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// Maximum number of attempts when other writers change the record.
const ATTEMPTS: usize = 64;

/// A record of the catalogue.
pub(crate) trait Record: Serialize + DeserializeOwned + Send + Sync {
    const KIND: EntryKind;

    fn tags(&mut self) -> &mut Tags;
}

impl Record for StateMachineRecord {
    const KIND: EntryKind = EntryKind::StateMachine;

    fn tags(&mut self) -> &mut Tags {
        &mut self.tags
    }
}

impl Record for ActivityRecord {
    const KIND: EntryKind = EntryKind::Activity;

    fn tags(&mut self) -> &mut Tags {
        &mut self.tags
    }
}

/// The new record, and the response of the request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Change<R, T> {
    /// It stays.
    None(T),
    /// It becomes another.
    Write(R, T),
    /// It goes.
    Remove(T),
}

impl<R, T> Change<R, T> {
    /// Creates a change that is written only if the record changed.
    pub(crate) fn written_if(is_changed: bool, record: R, answer: T) -> Self {
        match is_changed {
            true => Self::Write(record, answer),
            false => Self::None(answer),
        }
    }
}

/// Location of a record.
#[derive(Debug, Clone)]
pub(crate) struct Key {
    pub(crate) scope: Scope,
    pub(crate) name: Arc<str>,
}

impl Key {
    pub(crate) fn new(scope: &Scope, name: &str) -> Self {
        Self {
            scope: scope.clone(),
            name: name.into(),
        }
    }

    fn of_kind(&self, kind: EntryKind) -> EntryKey {
        EntryKey {
            kind,
            scope: self.scope.to_string().into(),
            name: Arc::clone(&self.name),
        }
    }
}

/// The records that a backend keeps.
#[derive(Clone)]
pub(crate) struct Catalogue {
    backend: Arc<dyn Backend>,
    recent: Arc<Recent>,
}

impl Catalogue {
    pub(crate) fn new(backend: Arc<dyn Backend>) -> Self {
        let recent = Arc::default();
        Self { backend, recent }
    }

    /// Returns a record, as it was last written.
    pub(crate) async fn read<R: Record>(&self, key: &Key) -> Result<Option<R>, ApiError> {
        let entry = self.backend.entry(key.of_kind(R::KIND)).await?;
        entry.map(|entry| parsed(&entry)).transpose()
    }

    /// Returns the record of a state machine, cached in parsed form until it is written.
    pub(crate) async fn machine(
        &self,
        key: &Key,
    ) -> Result<Option<Arc<StateMachineRecord>>, ApiError> {
        let entry = self.backend.entry(key.of_kind(EntryKind::StateMachine));
        let Some(entry) = entry.await? else {
            return Ok(None);
        };
        if let Some(known) = self.recent.get(&entry) {
            return Ok(Some(known));
        }
        let record = Arc::new(parsed(&entry)?);
        self.recent.insert(entry, &record);
        Ok(Some(record))
    }

    /// Lists records in the order of their names, after a given name.
    pub(crate) async fn list<R: Record>(
        &self,
        scope: &Scope,
        after: Option<String>,
        limit: usize,
    ) -> Result<Vec<(Arc<str>, R)>, ApiError> {
        let scope = scope.to_string().into();
        let after = after.map(Arc::from);
        let entries = self.backend.entries(R::KIND, scope, after, limit).await?;
        entries
            .iter()
            .map(|entry| Ok((Arc::clone(&entry.key.name), parsed(entry)?)))
            .collect()
    }

    /// Decides on a change of a record, and writes it.
    pub(crate) async fn change<R: Record, T>(
        &self,
        key: &Key,
        decide: impl Fn(Option<R>) -> Result<Change<R, T>, ApiError>,
    ) -> Result<T, ApiError> {
        for _ in 0..ATTEMPTS {
            let entry = self.backend.entry(key.of_kind(R::KIND)).await?;
            let version = entry.as_ref().map(|entry| entry.version);
            let record = entry.as_ref().map(parsed).transpose()?;
            let (value, answer) = match decide(record)? {
                Change::None(answer) => return Ok(answer),
                Change::Write(record, answer) => (Some(written(&record)?), answer),
                Change::Remove(answer) => (None, answer),
            };
            let key = key.of_kind(R::KIND);
            match self.backend.write_entry(key, version, value).await? {
                WriteOutcome::Done => return Ok(answer),
                WriteOutcome::Changed => {}
            }
        }
        Err(ApiError::new(
            ErrorCode::ServiceUnavailable,
            format!(
                "'{}' is being changed by many requests at a time: try again",
                key.name
            ),
        ))
    }
}

fn parsed<R: Record>(entry: &Entry) -> Result<R, ApiError> {
    serde_json::from_str(&entry.value).map_err(|error| {
        ApiError::new(
            ErrorCode::InternalServerError,
            format!(
                "the record of the {} '{}' cannot be read: {error}",
                R::KIND.word(),
                entry.key.name
            ),
        )
    })
}

fn written<R: Record>(record: &R) -> Result<Arc<str>, ApiError> {
    let text = serde_json::to_string(record);
    text.map(Arc::from)
        .map_err(|error| ApiError::new(ErrorCode::InternalServerError, error.to_string()))
}
