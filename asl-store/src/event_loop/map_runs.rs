//! Map Runs, as the database has them.
use super::EventLoop;
use super::hot::Hot;
use crate::clock::milliseconds;
use crate::database::operation::{MapRunRow, Operation};
use crate::database::row::status_number;
use asl_engine::Timestamp;

impl EventLoop {
    /// Writes what began, changed or ended of an execution's Map Runs.
    pub(super) fn follow_map_runs(&mut self, hot: &mut Hot, now: Timestamp) {
        if !hot.execution.program().has_map_runs() {
            return;
        }
        let changes = hot.map_runs.follow(&hot.execution);
        let at = milliseconds(now, false);
        for (arn, run) in changes.told {
            self.operations.push(Operation::MapRun(Box::new(MapRunRow {
                arn: arn.into(),
                execution: hot.id,
                started: at,
                items: run.items,
                max_concurrency: run.max_concurrency,
                tolerated_count: run.tolerated_failure_count,
                tolerated_percentage: run.tolerated_failure_percentage,
            })));
        }
        for (arn, status) in changes.ended {
            self.operations.push(Operation::MapRunEnded {
                arn: arn.into(),
                status: status_number(status),
                stopped: at,
            });
        }
    }
}
