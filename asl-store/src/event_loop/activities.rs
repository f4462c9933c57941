//! Tasks of activities, and the workers that wait for them.
use super::computing::DeferredWork;
use super::resident::Resident;
use super::{EventLoop, Message};
use crate::database::row::RowId;
use asl_backend::ActivityTask;
use asl_engine::{Effect, EffectId, Input, TaskInvocation, TaskProgress, Timestamp};
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

/// A task with the worker that takes it.
pub(crate) struct TakenTask {
    activity: Arc<str>,
    row: RowId,
    id: EffectId,
    worker: Worker,
}

impl EventLoop {
    /// Gives tasks of an activity to workers that wait, those of other event loops by these.
    pub(super) fn assign_tasks(&mut self, activity: &Arc<str>, now: Timestamp) {
        loop {
            let Some((row, id, worker)) = self.loops.activities().pair(activity) else {
                return;
            };
            let taken = TakenTask {
                activity: Arc::clone(activity),
                row,
                id,
                worker,
            };
            if self.runs(row) {
                self.give(taken, now);
            } else {
                let message = Message::TakenTask(Box::new(taken));
                self.loops.send_to_row(row, message);
            }
        }
    }

    /// Gives a task to the worker that another event loop found for it.
    pub(super) fn take_task(&mut self, taken: TakenTask, now: Timestamp) {
        let activity = Arc::clone(&taken.activity);
        self.give(taken, now);
        self.assign_tasks(&activity, now);
    }

    /// Gives a task to a worker, which continues to wait if the task no longer exists.
    fn give(&mut self, taken: TakenTask, now: Timestamp) {
        let TakenTask {
            activity,
            row,
            id,
            worker,
        } = taken;
        // It is offered again once its execution has had its turn.
        if self.defer_waiting(row, || DeferredWork::Perform(id)) {
            return self.loops.activities().put_back(&activity, worker);
        }
        let Some(mut resident) = self.take_resident(row) else {
            return self.loops.activities().put_back(&activity, worker);
        };
        match take_from(&mut resident, id) {
            Some(task) => self.start_task(&mut resident, &task, worker, now),
            None => self.loops.activities().put_back(&activity, worker),
        }
        self.put_resident(resident);
    }

    fn start_task(
        &mut self,
        resident: &mut Resident,
        task: &TaskInvocation,
        worker: Worker,
        now: Timestamp,
    ) {
        let id = task.id;
        let token = match &task.task_token {
            Some(token) => token.to_string(),
            None => self.shared.tokens.token(&task.identity, id),
        };
        let worker_name = worker.name.as_deref().map(str::to_owned);
        self.apply_input(resident, Input::TaskStarted { id, worker_name }, now);
        let task = ActivityTask {
            token: token.into(),
            input: asl_path::json::printed(&task.payload).into(),
        };
        self.outbox.notify(move || {
            // A worker that left has taken it: its heartbeat or timeout is what reports.
            let _ = worker.told.send(task);
        });
    }
}

/// The task of an effect that no worker has taken yet; from now on one has.
fn take_from(resident: &mut Resident, id: EffectId) -> Option<Arc<TaskInvocation>> {
    let effect = resident.effects.get_mut(id)?;
    match &effect.pending.effect {
        Effect::Task(task) if effect.pending.progress == TaskProgress::Asked => {
            effect.pending.progress = TaskProgress::Started;
            Some(Arc::clone(task))
        }
        _ => None,
    }
}
