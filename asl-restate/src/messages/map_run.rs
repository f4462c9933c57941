//! Map Runs, as the workflow of their execution keeps them.
use asl_backend::{
    ExecutionStatus, ItemCounts, MapRunDescription, MapRunFigures, map_run_state_machine,
};
use asl_engine::Timestamp;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Stored data of a Map Run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct KeptMapRun {
    pub(crate) arn: Arc<str>,
    pub(crate) status: Arc<str>,
    pub(crate) start_date: Timestamp,
    pub(crate) stop_date: Option<Timestamp>,
    pub(crate) items: u64,
    pub(crate) max_concurrency: u64,
    pub(crate) tolerated_failure_count: u64,
    pub(crate) tolerated_failure_percentage: f64,
    pub(crate) children: Vec<CountedChildren>,
}

/// Number of children with a status, and of their items.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CountedChildren {
    pub(crate) status: Arc<str>,
    pub(crate) count: u64,
    pub(crate) items: u64,
}

/// The Map Runs of an execution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct MapRunsOf {
    pub(crate) execution_arn: Arc<str>,
    pub(crate) runs: Vec<KeptMapRun>,
    pub(crate) redrive_count: u64,
    pub(crate) redrive_date: Option<Timestamp>,
}

impl KeptMapRun {
    /// Creates a Map Run that starts.
    pub(crate) fn new(arn: Arc<str>, start_date: Timestamp) -> Self {
        Self {
            arn,
            status: ExecutionStatus::Running.word().into(),
            start_date,
            stop_date: None,
            items: 0,
            max_concurrency: 0,
            tolerated_failure_count: 0,
            tolerated_failure_percentage: 0.0,
            children: Vec::new(),
        }
    }

    /// It is under way, with these figures.
    pub(crate) fn runs(&mut self, figures: MapRunFigures) {
        self.status = ExecutionStatus::Running.word().into();
        self.stop_date = None;
        self.items = figures.items;
        self.max_concurrency = figures.max_concurrency;
        self.tolerated_failure_count = figures.tolerated_failure_count;
        self.tolerated_failure_percentage = figures.tolerated_failure_percentage;
    }

    pub(crate) fn ended(&mut self, status: ExecutionStatus, stop_date: Timestamp) {
        self.status = status.word().into();
        self.stop_date = Some(stop_date);
    }

    fn description(self, of: &MapRunsOf) -> MapRunDescription {
        let status = read(&self.status);
        let children = self.children.iter();
        let children = children.map(|it| (read(&it.status), it.count, it.items));
        let (items, executions) = ItemCounts::of_map_run(children, self.items, status);
        MapRunDescription {
            state_machine_arn: map_run_state_machine(&self.arn).into(),
            arn: self.arn,
            execution_arn: Arc::clone(&of.execution_arn),
            status,
            start_date: self.start_date,
            stop_date: self.stop_date,
            max_concurrency: self.max_concurrency,
            tolerated_failure_percentage: self.tolerated_failure_percentage,
            tolerated_failure_count: self.tolerated_failure_count,
            items,
            executions,
            redrive_count: of.redrive_count,
            redrive_date: of.redrive_date,
        }
    }
}

/// Our own messages have no other words.
fn read(word: &str) -> ExecutionStatus {
    ExecutionStatus::from_word(word).unwrap_or(ExecutionStatus::Running)
}

impl From<MapRunsOf> for Vec<MapRunDescription> {
    /// Converts Map Runs to a list, newest first.
    fn from(mut of: MapRunsOf) -> Self {
        let runs = std::mem::take(&mut of.runs).into_iter();
        let mut runs: Self = runs.map(|run| run.description(&of)).collect();
        runs.sort_by(|a, b| b.start_date.cmp(&a.start_date).then(a.arn.cmp(&b.arn)));
        runs
    }
}
