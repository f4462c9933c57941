//! Tasks of activities, and the workers that wait for them.
use super::computing::Waiting;
use super::{Afterwards, EventLoop};
use crate::database::row::RowId;
use asl_engine::{Effect, EffectId, Input, TaskProgress, Timestamp};
use asl_host::engine::ActivityTask;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use tokio::sync::oneshot;

/// Tasks of activities that nobody has taken, and workers that wait for one.
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

struct Worker {
    name: Option<Arc<str>>,
    told: oneshot::Sender<ActivityTask>,
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

    /// Nobody waits for this task any more.
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
    fn pair(&mut self, activity: &str) -> Option<(RowId, EffectId, Worker)> {
        let activity = self.0.get_mut(activity)?;
        activity.workers.retain(|worker| !worker.told.is_closed());
        if activity.workers.is_empty() {
            return None;
        }
        let (_, (row, id)) = activity.tasks.pop_first()?;
        activity.places.remove(&(row, id));
        Some((row, id, activity.workers.pop_front()?))
    }

    fn put_back(&mut self, activity: &str, worker: Worker) {
        if let Some(activity) = self.0.get_mut(activity) {
            activity.workers.push_front(worker);
        }
    }
}

impl EventLoop {
    /// Gives tasks of an activity to workers that wait.
    pub(super) fn hand_out(&mut self, activity: &str, now: Timestamp) {
        while let Some((row, id, worker)) = self.activities.pair(activity) {
            // It is offered again once that has had its turn.
            if self.defer_waiting(row, || Waiting::Perform(id)) {
                self.activities.put_back(activity, worker);
                continue;
            }
            let Some(mut hot) = self.take_hot(row) else {
                self.activities.put_back(activity, worker);
                continue;
            };
            let task = hot
                .effects
                .get_mut(id)
                .and_then(|effect| match &effect.pending.effect {
                    Effect::Task(task) if effect.pending.progress == TaskProgress::Asked => {
                        effect.pending.progress = TaskProgress::Started;
                        Some(Arc::clone(task))
                    }
                    _ => None,
                });
            match task {
                Some(task) => {
                    let token = match &task.task_token {
                        Some(token) => token.to_string(),
                        None => self.shared.tokens.token(&task.identity, id),
                    };
                    let worker_name = worker.name.as_deref().map(str::to_owned);
                    self.tell_hot(&mut hot, Input::TaskStarted { id, worker_name }, now);
                    let task = ActivityTask {
                        token: token.into(),
                        input: asl_path::json::printed(&task.payload).into(),
                    };
                    let tell = move || {
                        // A worker that left has taken it: its heartbeat or timeout is what tells.
                        let _ = worker.told.send(task);
                    };
                    self.afterwards.push(Afterwards::Tell(Box::new(tell)));
                }
                None => self.activities.put_back(activity, worker),
            }
            self.put_hot(hot);
        }
    }
}
