//! Having effects performed, once what requested them is durable.
use super::computing::DeferredWork;
use super::effects::{activity_of, is_asked};
use super::link::{EffectMessage, Link};
use super::resident::Resident;
use super::{EventLoop, EventLoops};
use crate::database::row::RowId;
use crate::statistics::count;
use asl_backend::perform;
use asl_engine::runtime::{
    EffectHost as _, ExecutionId, Request, RunningExecution, StorageTask, Task,
};
use asl_engine::{Effect, EffectId, Identity};
use std::sync::Arc;
use std::sync::atomic::Ordering;

impl EventLoop {
    /// Has an effect performed that is still waited for.
    pub(super) fn perform(&mut self, row: RowId, id: EffectId) {
        if self.defer_waiting(row, || DeferredWork::Perform(id)) {
            return;
        }
        let Some(resident) = self.residents.by_row.get_mut(&row) else {
            return;
        };
        let Some(effect) = resident.effects.get(id) else {
            return;
        };
        if effect.is_performing() || !is_asked(&effect.pending) {
            return;
        }
        let activity = activity_of(&effect.pending).filter(|_| effect.attempt.is_none());
        if let Some(activity) = activity {
            let activity: Arc<str> = activity.into();
            self.loops.activities().offer(&activity, row, id);
            let now = self.shared.clock.now();
            self.assign_tasks(&activity, now);
            return;
        }
        let Some((request, link)) = prepare(&self.loops, resident, id) else {
            return;
        };
        if let Some(request) = self.answer_mocked(row, id, request) {
            self.spawn(request, link);
        }
    }

    /// Performs an effect, unless it was cancelled.
    pub(super) fn spawn(&self, request: Request, link: Arc<Link>) {
        let shared = Arc::clone(&self.shared);
        let permits = Arc::clone(&shared.performing);
        self.shared.tokio.spawn(async move {
            shared
                .counters
                .waiting_to_perform
                .fetch_add(1, Ordering::Relaxed);
            // The semaphore is never closed.
            let _permit = permits.acquire_owned().await;
            shared
                .counters
                .waiting_to_perform
                .fetch_sub(1, Ordering::Relaxed);
            let Some(_under_way) = shared.draining.take_on() else {
                return;
            };
            if link.is_cancelled() {
                return;
            }
            count(&shared.counters.performed, 1);
            let answer = perform(&*shared.options.performer, request).await;
            link.send(EffectMessage::Answered(answer));
        });
    }
}

/// Returns the request for the performer of an effect, which counts as running from now on.
pub(super) fn prepare(
    loops: &Arc<EventLoops>,
    resident: &mut Resident,
    id: EffectId,
) -> Option<(Request, Arc<Link>)> {
    let link = Link::new(Arc::clone(loops), running(resident), resident.id, id);
    let effect = &resident.effects.get(id)?.pending.effect;
    let request = request_of(effect, &link)?;
    resident.effects.start(id, Arc::clone(&link));
    Some((request, link))
}

/// Returns the request.
fn request_of(effect: &Effect, link: &Arc<Link>) -> Option<Request> {
    let host: Arc<Link> = Arc::clone(link);
    Some(match effect {
        Effect::Task(task) => Task::new(Arc::clone(task), host).into(),
        Effect::Storage(request) => StorageTask::new(request.clone(), host).into(),
        Effect::Child(_) => return None,
    })
}

/// Returns the description of an execution for the performers of its tasks.
fn running(resident: &Resident) -> RunningExecution {
    let identity: &Arc<Identity> = &resident.execution.start_parameters().identity;
    let number = |row: RowId| ExecutionId::new(row.unsigned_abs());
    RunningExecution {
        id: number(resident.id),
        root: number(resident.root()),
        identity: Arc::clone(identity),
        child: None,
    }
}
