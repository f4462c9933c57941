//! What becomes of the Map Runs of an execution, as engines keep it.
use super::ExecutionStatus;
use asl_engine::history::EventDetails;
use asl_engine::{Execution, HistoryEvent, MapRunStatus};
use std::collections::BTreeMap;

/// What a Map Run has besides its children; it is told of again where that changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MapRunFigures {
    /// Items that there are; 0 while they are read.
    pub items: u64,
    /// Children that run at a time; 0 for no limit.
    pub max_concurrency: u64,
    /// Items that may fail.
    pub tolerated_failure_count: u64,
    /// Percentage of the items that may fail.
    pub tolerated_failure_percentage: f64,
}

impl From<&MapRunStatus> for MapRunFigures {
    fn from(run: &MapRunStatus) -> Self {
        Self {
            items: run.items,
            max_concurrency: run.max_concurrency,
            tolerated_failure_count: run.tolerated_failure_count,
            tolerated_failure_percentage: run.tolerated_failure_percentage,
        }
    }
}

/// The Map Runs of an execution that are under way, as they were told of last. The execution records its history: how a Map
/// Run ended is in its events.
#[derive(Debug, Default)]
pub struct FollowedMapRuns {
    present: BTreeMap<String, MapRunFigures>,
    ended: Vec<ExecutionStatus>,
}

/// What became of the Map Runs of an execution since they were looked at last.
#[derive(Debug, Default)]
pub struct MapRunChanges {
    /// Those that began or have other figures, by their ARNs.
    pub told: Vec<(String, MapRunFigures)>,
    /// Those that ended, and how.
    pub ended: Vec<(String, ExecutionStatus)>,
}

impl FollowedMapRuns {
    /// Those that are under way, all of them told of.
    pub fn of(execution: &Execution) -> Self {
        let runs = execution.map_runs();
        Self {
            present: runs.map(|run| (run.arn.clone(), (&run).into())).collect(),
            ended: Vec::new(),
        }
    }

    /// Whether it is under way.
    pub fn contains(&self, arn: &str) -> bool {
        self.present.contains_key(arn)
    }

    /// Takes from an event what it says of Map Runs.
    pub fn note(&mut self, event: &HistoryEvent) {
        match event.details {
            EventDetails::MapRunSucceeded => self.ended.push(ExecutionStatus::Succeeded),
            EventDetails::MapRunFailed(_) => self.ended.push(ExecutionStatus::Failed),
            _ => {}
        }
    }

    /// What became of them since. One that ended without an event of its own was stopped.
    pub fn follow(&mut self, execution: &Execution) -> MapRunChanges {
        let Self { present, .. } = Self::of(execution);
        let is_told = |(arn, run): &(&String, &MapRunFigures)| self.present.get(*arn) == Some(*run);
        let told = present.iter().filter(|run| !is_told(run));
        let told = told.map(|(arn, run)| (arn.clone(), *run)).collect();
        let gone = std::mem::take(&mut self.present).into_keys();
        let mut ends = std::mem::take(&mut self.ended).into_iter();
        let ended = gone.filter(|arn| !present.contains_key(arn));
        let ended = ended.map(|arn| (arn, ends.next().unwrap_or(ExecutionStatus::Aborted)));
        let ended = ended.collect();
        self.present = present;
        MapRunChanges { told, ended }
    }
}
