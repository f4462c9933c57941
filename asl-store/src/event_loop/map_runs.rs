//! Map Runs, as the database has them.
use super::EventLoop;
use super::resident::Resident;
use crate::clock::milliseconds;
use crate::database::operation::{MapRunRow, Operation};
use crate::database::row::status_number;
use asl_engine::Timestamp;

impl EventLoop {
    /// Writes what began, changed or ended of an execution's Map Runs.
    pub(super) fn follow_map_runs(&mut self, resident: &mut Resident, now: Timestamp) {
        if !resident.execution.program().has_map_runs() {
            return;
        }
        let changes = resident.map_runs.follow(&resident.execution);
        let at = milliseconds(now, false);
        for (arn, run) in changes.told {
            self.outbox
                .operations
                .push(Operation::MapRun(Box::new(MapRunRow {
                    arn: arn.into(),
                    execution: resident.id,
                    started: at,
                    items: run.items,
                    max_concurrency: run.max_concurrency,
                    tolerated_count: run.tolerated_failure_count,
                    tolerated_percentage: run.tolerated_failure_percentage,
                })));
        }
        for (arn, status) in changes.ended {
            self.outbox.operations.push(Operation::MapRunEnded {
                arn: arn.into(),
                status: status_number(status),
                stopped: at,
            });
        }
    }
}
