//! The Map Runs of an execution, with how many of their children went how.
use crate::messages::{ChildAgain, CountedChildren, KeptMapRun};
use asl_backend::{ExecutionStatus, FollowedMapRuns};
use asl_engine::{ChildExecution, EffectId, Execution, HistoryEvent, Timestamp};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The Map Runs of an execution.
#[derive(Default)]
pub(super) struct MapRuns {
    followed: FollowedMapRuns,
    runs: BTreeMap<Arc<str>, MapRun>,
    running: BTreeMap<EffectId, Child>,
    /// Unsuccessful children with their status, by ARN: a redrive starts them again.
    unsuccessful: BTreeMap<Arc<str>, (ExecutionStatus, Child)>,
    changed: BTreeSet<Arc<str>>,
}

struct MapRun {
    kept: KeptMapRun,
    /// True if it was reported.
    is_known: bool,
    /// Children and their items.
    children: BTreeMap<ExecutionStatus, (u64, u64)>,
}

struct Child {
    map_run: Arc<str>,
    arn: Arc<str>,
    items: u64,
    first_start: Timestamp,
    /// The key of its workflow.
    key: Arc<str>,
}

impl MapRuns {
    pub(super) fn note(&mut self, event: &HistoryEvent) {
        self.followed.note(event);
    }

    /// Records the start of a child, and returns its earlier run if a redrive starts it again.
    pub(super) fn child_starts(
        &mut self,
        child: &ChildExecution,
        map_run: &Arc<str>,
        execution: &Execution,
    ) -> Option<ChildAgain> {
        let arn: Arc<str> = child.start.identity.execution_arn().into();
        let (items, now) = (child.item_count, execution.now());
        let before = self.unsuccessful.remove(&arn);
        let run = self.run(map_run, now);
        run.count(ExecutionStatus::Running, items, u64::saturating_add);
        let mut starts = Child {
            map_run: Arc::clone(map_run),
            key: Arc::clone(&arn),
            arn,
            items,
            first_start: child.start.now,
        };
        let again = before.map(|(status, before)| {
            run.count(status, items, u64::saturating_sub);
            let again = ChildAgain {
                redrive_count: execution.redrive_count(),
                first_start: before.first_start,
                key_before: before.key,
            };
            starts.first_start = again.first_start;
            starts.key = again.key(&starts.arn).into();
            again
        });
        self.running.insert(child.id, starts);
        again
    }

    /// A child has ended, or is not waited for any more, which stops it.
    pub(super) fn child_ended(&mut self, id: EffectId, status: ExecutionStatus, now: Timestamp) {
        let Some(child) = self.running.remove(&id) else {
            return;
        };
        let run = self.run(&child.map_run, now);
        run.count(ExecutionStatus::Running, child.items, u64::saturating_sub);
        run.count(status, child.items, u64::saturating_add);
        if status != ExecutionStatus::Succeeded {
            let arn = Arc::clone(&child.arn);
            self.unsuccessful.insert(arn, (status, child));
        }
    }

    /// Those that changed since this was asked last, and the ARNs of those among them that are new.
    pub(super) fn changed(&mut self, execution: &Execution) -> (Vec<KeptMapRun>, Vec<Arc<str>>) {
        let now = execution.now();
        let changes = self.followed.follow(execution);
        let mut begun = Vec::new();
        for (arn, figures) in changes.told {
            let arn = Arc::from(arn);
            let run = self.run(&arn, now);
            run.kept.runs(figures);
            if !std::mem::replace(&mut run.is_known, true) {
                begun.push(arn);
            }
        }
        for (arn, status) in changes.ended {
            self.run(&arn.into(), now).kept.ended(status, now);
        }
        let changed = std::mem::take(&mut self.changed).into_iter();
        let changed = changed.filter_map(|arn| self.runs.get(&arn).map(MapRun::to_kept));
        (changed.collect(), begun)
    }

    /// That of an ARN, which is about to change.
    fn run(&mut self, arn: &Arc<str>, now: Timestamp) -> &mut MapRun {
        self.changed.insert(Arc::clone(arn));
        let begins = || MapRun {
            kept: KeptMapRun::new(Arc::clone(arn), now),
            is_known: false,
            children: BTreeMap::new(),
        };
        self.runs.entry(Arc::clone(arn)).or_insert_with(begins)
    }
}

impl MapRun {
    fn count(&mut self, status: ExecutionStatus, items: u64, by: fn(u64, u64) -> u64) {
        let counted = self.children.entry(status).or_default();
        *counted = (by(counted.0, 1), by(counted.1, items));
    }

    fn to_kept(&self) -> KeptMapRun {
        let children = self.children.iter();
        let counted = children.map(|(status, (count, items))| CountedChildren {
            status: status.word().into(),
            count: *count,
            items: *items,
        });
        KeptMapRun {
            children: counted.collect(),
            ..self.kept.clone()
        }
    }
}
