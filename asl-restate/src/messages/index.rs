//! Entries of lists of executions.
use super::{ExecutionOutcome, ExecutionStart, Redrives};
use asl_backend::{ExecutionStatus, ExecutionSummary, map_run_state_machine};
use asl_engine::Timestamp;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The entry of an execution in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ListEntry {
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
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) redrive_count: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) redrive_date: Option<Timestamp>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl ListEntry {
    /// Creates the entry of an execution that starts.
    pub(crate) fn new(beginning: &ExecutionStart) -> Self {
        let (start, about) = (beginning.start.start(), &beginning.about);
        Self {
            arn: start.identity.execution_arn().into(),
            name: start.identity.execution_name().into(),
            state_machine_arn: match &about.map_run_arn {
                Some(map_run) => map_run_state_machine(map_run).into(),
                None => start.identity.state_machine_arn().into(),
            },
            version_arn: about.version_arn.clone(),
            alias_arn: about.alias_arn.clone(),
            map_run_arn: about.map_run_arn.clone(),
            item_count: about.item_count,
            status: ExecutionStatus::Running.word().into(),
            // It stays in the place of its first start.
            start_date: about
                .again
                .as_ref()
                .map_or(start.now, |again| again.first_start),
            stop_date: None,
            redrive_count: about.again.as_ref().map_or(0, |again| again.redrive_count),
            redrive_date: about.again.as_ref().map(|_| start.now),
        }
    }

    /// The same, after it was redriven so.
    #[must_use]
    pub(crate) fn redriven(self, redrives: &Redrives) -> Self {
        // A child of a Map Run is not redriven itself: what its parent's redrive made of it stays.
        if redrives.count == 0 {
            return self;
        }
        Self {
            redrive_count: redrives.count,
            redrive_date: redrives.date,
            ..self
        }
    }

    /// Returns true if this entry is later than the other one of the same execution: it ends after it ran, and runs again
    /// after a redrive.
    pub(crate) fn is_newer_than(&self, other: &Self) -> bool {
        let order = |listed: &Self| (listed.redrive_count, !listed.is_running());
        order(self) > order(other)
    }

    /// The same, once it has ended.
    #[must_use]
    pub(crate) fn ended(self, ending: &ExecutionOutcome) -> Self {
        Self {
            status: Arc::clone(&ending.status),
            stop_date: Some(ending.stop_date),
            ..self
        }
    }

    pub(crate) fn is_running(&self) -> bool {
        &*self.status == ExecutionStatus::Running.word()
    }

    /// Returns the parents of the lists with this entry.
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

impl From<ListEntry> for ExecutionSummary {
    fn from(listed: ListEntry) -> Self {
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
            redrive_count: listed.redrive_count,
            redrive_date: listed.redrive_date,
            map_run_arn: listed.map_run_arn,
            item_count: listed.item_count,
        }
    }
}

/// Selects executions of an index object: those before a position, newest first.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct IndexQuery {
    pub(crate) before: Option<String>,
    pub(crate) status: Option<String>,
    pub(crate) is_redriven: Option<bool>,
    pub(crate) limit: usize,
}

impl IndexQuery {
    /// Returns true if an execution is among those that are requested.
    pub(crate) fn is_met(&self, listed: &ListEntry) -> bool {
        let is_redriven = listed.redrive_count > 0;
        let has_status = self
            .status
            .as_deref()
            .is_none_or(|it| *it == *listed.status);
        has_status && self.is_redriven.is_none_or(|wanted| wanted == is_redriven)
    }

    /// The objects that may have some are marked by this.
    pub(crate) fn mark(&self) -> Option<Arc<str>> {
        match self.is_redriven {
            Some(true) => Some(REDRIVEN.into()),
            _ => self.status.as_deref().map(Arc::from),
        }
    }
}

/// Executions with their places.
pub(crate) type IndexPage = Vec<(String, ListEntry)>;

/// Mark of an index object with redriven executions; other marks are words of a status.
pub(crate) const REDRIVEN: &str = "REDRIVEN";

/// That a part of a day's index holds executions of these kinds, or holds none any more.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct IndexMark {
    pub(crate) part: String,
    pub(crate) marks: Vec<Arc<str>>,
}

/// Selects parts of a day's index: those up to a part in the order of the starts, and with a mark.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct PartQuery {
    pub(crate) mark: Option<Arc<str>>,
    pub(crate) until: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_filtered_by_status_and_by_redrives() {
        let failed = ListEntry {
            arn: "arn:e".into(),
            name: "e".into(),
            state_machine_arn: "arn:m".into(),
            version_arn: None,
            alias_arn: None,
            map_run_arn: None,
            item_count: None,
            status: "FAILED".into(),
            start_date: Timestamp::default(),
            stop_date: None,
            redrive_count: 0,
            redrive_date: None,
        };
        let redriven = ListEntry {
            redrive_count: 1,
            ..failed.clone()
        };
        let met = |status: Option<&str>, is_redriven| {
            let query = IndexQuery {
                status: status.map(str::to_owned),
                is_redriven,
                ..IndexQuery::default()
            };
            [&failed, &redriven].map(|listed| query.is_met(listed))
        };
        assert_eq!(met(None, None), [true, true]);
        assert_eq!(met(Some("FAILED"), Some(true)), [false, true]);
        assert_eq!(met(None, Some(false)), [true, false]);
        assert_eq!(met(Some("RUNNING"), None), [false, false]);
    }
}
