//! The Map Runs of an execution, with how many of their children went how.
use crate::messages::{CountedChildren, KeptMapRun};
use asl_engine::{EffectId, Execution, HistoryEvent, Timestamp};
use asl_host::engine::{ExecutionStatus, FollowedMapRuns};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The Map Runs of an execution.
#[derive(Default)]
pub(super) struct MapRuns {
    followed: FollowedMapRuns,
    runs: BTreeMap<Arc<str>, MapRun>,
    running: BTreeMap<EffectId, Child>,
    /// How children ended that did not succeed, by their ARNs: a redrive starts them again.
    unsuccessful: BTreeMap<Arc<str>, ExecutionStatus>,
    changed: BTreeSet<Arc<str>>,
}

struct MapRun {
    kept: KeptMapRun,
    /// Whether it was told of.
    is_known: bool,
    /// Children and their items.
    children: BTreeMap<ExecutionStatus, (u64, u64)>,
}

struct Child {
    map_run: Arc<str>,
    arn: Arc<str>,
    items: u64,
}

impl MapRuns {
    pub(super) fn note(&mut self, event: &HistoryEvent) {
        self.followed.note(event);
    }

    /// A child is to run, with so many items.
    pub(super) fn child_starts(
        &mut self,
        id: EffectId,
        map_run: &Arc<str>,
        arn: Arc<str>,
        items: u64,
        now: Timestamp,
    ) {
        let before = self.unsuccessful.remove(&arn);
        let run = self.run(map_run, now);
        if let Some(before) = before {
            run.count(before, items, u64::saturating_sub);
        }
        run.count(ExecutionStatus::Running, items, u64::saturating_add);
        let map_run = Arc::clone(map_run);
        self.running.insert(
            id,
            Child {
                map_run,
                arn,
                items,
            },
        );
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
            self.unsuccessful.insert(child.arn, status);
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
        let changed = changed.filter_map(|arn| self.runs.get(&arn).map(MapRun::kept));
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

    fn kept(&self) -> KeptMapRun {
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
