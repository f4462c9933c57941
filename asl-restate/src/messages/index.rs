//! What lists say of executions.
use super::{Beginning, Ending};
use asl_engine::Timestamp;
use asl_host::engine::{ExecutionStatus, ExecutionSummary};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a list says of an execution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Listed {
    pub(crate) arn: Arc<str>,
    pub(crate) name: Arc<str>,
    pub(crate) state_machine_arn: Arc<str>,
    pub(crate) version_arn: Option<Arc<str>>,
    pub(crate) alias_arn: Option<Arc<str>>,
    pub(crate) map_run_arn: Option<Arc<str>>,
    pub(crate) item_count: Option<u64>,
    pub(crate) status: Arc<str>,
    pub(crate) start_date: Timestamp,
    pub(crate) stop_date: Option<Timestamp>,
}

impl Listed {
    /// One that begins.
    pub(crate) fn new(beginning: &Beginning) -> Self {
        let (start, about) = (beginning.start.start(), &beginning.about);
        Self {
            arn: start.identity.execution_arn().into(),
            name: start.identity.execution_name().into(),
            state_machine_arn: start.identity.state_machine_arn().into(),
            version_arn: about.version_arn.clone(),
            alias_arn: about.alias_arn.clone(),
            map_run_arn: about.map_run_arn.clone(),
            item_count: about.item_count,
            status: ExecutionStatus::Running.word().into(),
            start_date: start.now,
            stop_date: None,
        }
    }

    /// The same, once it has ended.
    #[must_use]
    pub(crate) fn ended(self, ending: &Ending) -> Self {
        Self {
            status: Arc::clone(&ending.status),
            stop_date: Some(ending.stop_date),
            ..self
        }
    }

    pub(crate) fn is_running(&self) -> bool {
        &*self.status == ExecutionStatus::Running.word()
    }

    /// What it is listed under.
    pub(crate) fn parents(&self) -> impl Iterator<Item = &Arc<str>> {
        match &self.map_run_arn {
            Some(map_run) => [Some(map_run), None, None],
            None => [
                Some(&self.state_machine_arn),
                self.version_arn.as_ref(),
                self.alias_arn.as_ref(),
            ],
        }
        .into_iter()
        .flatten()
    }
}

impl From<Listed> for ExecutionSummary {
    fn from(listed: Listed) -> Self {
        let status = ExecutionStatus::from_word(&listed.status);
        Self {
            arn: listed.arn,
            name: listed.name,
            state_machine_arn: listed.state_machine_arn,
            version_arn: listed.version_arn,
            alias_arn: listed.alias_arn,
            // Our own messages have no other words.
            status: status.unwrap_or(ExecutionStatus::Running),
            start_date: listed.start_date,
            stop_date: listed.stop_date,
            redrive_count: 0,
            redrive_date: None,
            map_run_arn: listed.map_run_arn,
            item_count: listed.item_count,
        }
    }
}

/// Which executions of a shard are listed: those before a place, the newest first.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct IndexQuery {
    pub(crate) before: Option<String>,
    pub(crate) status: Option<String>,
    pub(crate) limit: usize,
}

/// Executions with their places.
pub(crate) type IndexPage = Vec<(String, Listed)>;
