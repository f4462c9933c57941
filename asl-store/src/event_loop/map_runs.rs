//! Map Runs, as the database has them.
use super::EventLoop;
use super::hot::{Hot, WrittenMapRun};
use crate::clock::milliseconds;
use crate::operation::{MapRunRow, Operation};
use crate::row::status_number;
use asl_engine::{Execution, MapRunStatus, Timestamp};
use asl_host::engine::ExecutionStatus;
use std::collections::BTreeMap;

/// What was written of the Map Runs that are under way.
pub(super) fn written(execution: &Execution) -> BTreeMap<String, WrittenMapRun> {
    let runs = execution.map_runs();
    runs.map(|run| (run.arn.clone(), limits(&run))).collect()
}

fn limits(run: &MapRunStatus) -> WrittenMapRun {
    WrittenMapRun {
        items: run.items,
        max_concurrency: run.max_concurrency,
        tolerated_count: run.tolerated_failure_count,
        tolerated_percentage: run.tolerated_failure_percentage,
    }
}

impl EventLoop {
    /// Writes what began, changed or ended of an execution's Map Runs; `ended` says how, in order.
    pub(super) fn follow_map_runs(
        &mut self,
        hot: &mut Hot,
        ended: &[&'static str],
        now: Timestamp,
    ) {
        if !hot.execution.program().has_map_runs() {
            return;
        }
        let present = written(&hot.execution);
        let started = milliseconds(now, false);
        for (arn, limits) in &present {
            if hot.map_runs.get(arn) == Some(limits) {
                continue;
            }
            self.operations.push(Operation::MapRun(Box::new(MapRunRow {
                arn: arn.as_str().into(),
                execution: hot.id,
                started,
                items: limits.items,
                max_concurrency: limits.max_concurrency,
                tolerated_count: limits.tolerated_count,
                tolerated_percentage: limits.tolerated_percentage,
            })));
        }
        let mut ended = ended.iter();
        for arn in hot
            .map_runs
            .keys()
            .filter(|arn| !present.contains_key(*arn))
        {
            let status = match ended.next() {
                Some(&"SUCCEEDED") => ExecutionStatus::Succeeded,
                Some(_) => ExecutionStatus::Failed,
                None => ExecutionStatus::Aborted,
            };
            self.operations.push(Operation::MapRunEnded {
                arn: arn.as_str().into(),
                status: status_number(status),
                stopped: started,
            });
        }
        hot.map_runs = present;
    }
}
