//! Tasks of activities, given to workers.
use super::activities::{TakenTask, Worker};
use super::computing::DeferredWork;
use super::resident::Resident;
use super::{EventLoop, Message};
use asl_backend::ActivityTask;
use asl_engine::{Effect, EffectId, Input, TaskInvocation, TaskProgress, Timestamp};
use std::sync::Arc;

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
