//! Tasks of activities, and the workers that wait for them.
use crate::database::row::RowId;
use asl_backend::ActivityTask;
use asl_engine::EffectId;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use tokio::sync::oneshot;

/// Activity tasks that no worker has started, and workers that wait for one.
#[derive(Default)]
pub(super) struct Activities(HashMap<Arc<str>, Activity>);

#[derive(Default)]
struct Activity {
    /// In the order in which they came.
    tasks: BTreeMap<u64, (RowId, EffectId)>,
    /// Their places in that order.
    places: BTreeMap<(RowId, EffectId), u64>,
    offered: u64,
    workers: VecDeque<Worker>,
}

/// A worker that waits for a task.
pub(crate) struct Worker {
    pub(super) name: Option<Arc<str>>,
    pub(super) told: oneshot::Sender<ActivityTask>,
}

impl Activities {
    /// A task that a worker is to take; one that is there already is not there twice.
    pub(super) fn offer(&mut self, activity: &Arc<str>, row: RowId, id: EffectId) {
        let activity = self.0.entry(Arc::clone(activity)).or_default();
        if let Entry::Vacant(place) = activity.places.entry((row, id)) {
            activity.offered += 1;
            activity
                .tasks
                .insert(*place.insert(activity.offered), (row, id));
        }
    }

    /// A worker that wants one.
    pub(super) fn wait(
        &mut self,
        activity: Arc<str>,
        name: Option<Arc<str>>,
        told: oneshot::Sender<ActivityTask>,
    ) {
        let activity = self.0.entry(activity).or_default();
        // Those that left are forgotten when others come.
        activity.workers.retain(|worker| !worker.told.is_closed());
        activity.workers.push_back(Worker { name, told });
    }

    /// Removes a task that is no longer needed.
    pub(super) fn withdraw(&mut self, name: &str, row: RowId, id: EffectId) {
        let Some(activity) = self.0.get_mut(name) else {
            return;
        };
        if let Some(place) = activity.places.remove(&(row, id)) {
            activity.tasks.remove(&place);
        }
        if activity.tasks.is_empty() && activity.workers.is_empty() {
            self.0.remove(name);
        }
    }

    /// A task with a worker for it that is still there.
    pub(super) fn pair(&mut self, activity: &str) -> Option<(RowId, EffectId, Worker)> {
        let activity = self.0.get_mut(activity)?;
        activity.workers.retain(|worker| !worker.told.is_closed());
        if activity.workers.is_empty() {
            return None;
        }
        let (_, (row, id)) = activity.tasks.pop_first()?;
        activity.places.remove(&(row, id));
        Some((row, id, activity.workers.pop_front()?))
    }

    /// Lets a worker wait on, before all others.
    pub(super) fn put_back(&mut self, activity: &str, worker: Worker) {
        if let Some(activity) = self.0.get_mut(activity) {
            activity.workers.push_front(worker);
        }
    }
}

/// A task with the worker that takes it.
pub(crate) struct TakenTask {
    pub(super) activity: Arc<str>,
    pub(super) row: RowId,
    pub(super) id: EffectId,
    pub(super) worker: Worker,
}
