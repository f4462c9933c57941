//! Map Runs, and their descriptions.
use super::ExecutionStatus;
use asl_engine::{Execution, Timestamp};
use std::sync::Arc;

/// Numbers of items by status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ItemCounts {
    /// Items that have not started.
    pub pending: u64,
    /// Number that are running.
    pub running: u64,
    /// Number that succeeded.
    pub succeeded: u64,
    /// Number that failed with an error.
    pub failed: u64,
    /// Took too long.
    pub timed_out: u64,
    /// Number that were aborted.
    pub aborted: u64,
    /// Number of ended ones whose results are written.
    pub results_written: u64,
    /// Total number.
    pub total: u64,
}

impl ItemCounts {
    /// Items and children of a Map Run: of the children that were started, how many went how, with how many items, and how
    /// many items there are in all.
    ///
    /// ```
    /// use asl_backend::{ExecutionStatus, ItemCounts};
    ///
    /// let children = [(ExecutionStatus::Succeeded, 2, 10), (ExecutionStatus::Running, 1, 5)];
    /// let (items, executions) = ItemCounts::of_map_run(children, 20, ExecutionStatus::Running);
    /// assert_eq!((items.succeeded, items.running, items.pending, items.total), (10, 5, 5, 20));
    /// assert_eq!((executions.succeeded, executions.running, executions.total), (2, 1, 3));
    /// ```
    pub fn of_map_run(
        children: impl IntoIterator<Item = (ExecutionStatus, u64, u64)>,
        total: u64,
        status: ExecutionStatus,
    ) -> (Self, Self) {
        let (mut items, mut executions) = (Self::default(), Self::default());
        for (child, count, of_items) in children {
            for (counts, count) in [(&mut executions, count), (&mut items, of_items)] {
                counts.total += count;
                *counts.place(child) += count;
            }
        }
        items.pending = total.saturating_sub(items.total);
        items.total = items.total.max(total);
        if status != ExecutionStatus::Running {
            items.results_written = items.succeeded;
            executions.results_written = executions.succeeded;
        }
        (items, executions)
    }

    fn place(&mut self, status: ExecutionStatus) -> &mut u64 {
        match status {
            ExecutionStatus::Running => &mut self.running,
            ExecutionStatus::Succeeded => &mut self.succeeded,
            ExecutionStatus::Failed => &mut self.failed,
            ExecutionStatus::TimedOut => &mut self.timed_out,
            ExecutionStatus::Aborted => &mut self.aborted,
            ExecutionStatus::PendingRedrive => &mut self.pending,
        }
    }
}

/// The description of a Map Run.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "backends and their callers fill in every field"
)]
pub struct MapRunDescription {
    /// ARN of the Map Run.
    pub arn: Arc<str>,
    /// The execution that it is of.
    pub execution_arn: Arc<str>,
    /// The state machine's ARN, with the label of the Map State.
    pub state_machine_arn: Arc<str>,
    /// The current status.
    pub status: ExecutionStatus,
    /// Time of the start.
    pub start_date: Timestamp,
    /// Time of the end.
    pub stop_date: Option<Timestamp>,
    /// Children that run at a time; 0 for no limit.
    pub max_concurrency: u64,
    /// Percentage of the items that may fail.
    pub tolerated_failure_percentage: f64,
    /// Items that may fail.
    pub tolerated_failure_count: u64,
    /// Counts of items.
    pub items: ItemCounts,
    /// Counts of child executions.
    pub executions: ItemCounts,
    /// Number of redrives since the start.
    pub redrive_count: u64,
    /// Time of the last redrive.
    pub redrive_date: Option<Timestamp>,
}

/// Returns the state machine's ARN with the label of the Map state, from the ARN of a Map Run.
pub fn map_run_state_machine(arn: &str) -> String {
    let run = arn.rsplit_once(':').map_or(arn, |(run, _)| run);
    run.replacen(":mapRun:", ":stateMachine:", 1)
}

/// Returns the Map Run that a child execution belongs to. The ARN of the child has the label of the Map state.
pub fn map_run_of(execution: &Execution, child_arn: &str) -> Option<Arc<str>> {
    let machine = child_arn.rsplit_once(':')?.0;
    let label = machine.rsplit_once('/')?.1;
    let runs = execution.map_runs().map(|run| run.arn);
    let mut runs = runs.filter(|arn| {
        arn.rsplit_once(':')
            .is_some_and(|(run, _)| run.ends_with(&format!("/{label}")))
    });
    runs.next().map(Into::into)
}
