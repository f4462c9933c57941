//! Having effects performed, once what requested them is durable.
use super::computing::DeferredWork;
use super::effects::{InFlight, activity_of};
use super::link::{EffectMessage, Link};
use super::resident::Resident;
use super::{EventLoop, EventLoops};
use crate::database::row::RowId;
use crate::shared::StoreContext;
use crate::statistics::count;
use asl_backend::{follow, perform};
use asl_engine::runtime::{
    EffectHost as _, ExecutionId, PerformResult, Performer, Request, RunningExecution, StorageTask,
    Task, followed_task, follows, is_submitted,
};
use asl_engine::{Effect, EffectId, Identity, PendingEffect, TaskProgress};
use std::sync::Arc;
use std::sync::atomic::Ordering;

impl EventLoop {
    /// Has an effect performed that is still waited for.
    pub(super) fn perform(&mut self, row: RowId, id: EffectId) {
        if self.defer_waiting(row, || DeferredWork::Perform(id)) {
            return;
        }
        let resident = self.residents.by_row.get(&row);
        let Some(effect) = resident.and_then(|it| it.effects.get(id)) else {
            return;
        };
        if effect.is_performing() || !self.is_to_be_performed(&effect.pending) {
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
        let resident = self.residents.by_row.get_mut(&row);
        let prepared = resident.and_then(|it| prepare(&self.loops, it, id));
        let Some((request, link)) = prepared else {
            return;
        };
        if let Some(request) = self.answer_mocked(row, id, request) {
            self.spawn(request, link);
        }
    }

    /// Returns true if a performer is to be asked: no one has begun, or it is a job that was submitted and is followed.
    pub(super) fn is_to_be_performed(&self, pending: &PendingEffect) -> bool {
        match pending.progress {
            TaskProgress::Asked => true,
            TaskProgress::Submitted(_) => is_followed(&*self.shared.options.performer, pending),
            _ => false,
        }
    }

    /// Leaves the jobs that are followed as they are, for those who open the store again.
    pub(super) fn leave_jobs(&mut self) {
        let performer = &*self.shared.options.performer;
        for resident in self.residents.by_row.values_mut() {
            let of_job = |effect: &InFlight| is_followed(performer, &effect.pending);
            resident.effects.take_links(of_job);
        }
    }

    /// Performs an effect, unless it was cancelled.
    pub(super) fn spawn(&self, request: Request, link: Arc<Link>) {
        let shared = Arc::clone(&self.shared);
        self.shared.tokio.spawn(async move {
            let performed = match is_submitted(&request) {
                true => Some(perform(&*shared.options.performer, request).await),
                false => perform_in_turn(&shared, request, &link).await,
            };
            if let Some(answer) = performed {
                link.send(EffectMessage::Answered(answer));
            }
        });
    }
}

/// Returns true if an effect is a job that a performer follows.
fn is_followed(performer: &dyn Performer, pending: &PendingEffect) -> bool {
    matches!(&pending.effect, Effect::Task(task) if follows(performer, task))
}

/// Performs an effect once it is its turn, and follows the job that it submits. None if it was cancelled before, or no more
/// are performed.
async fn perform_in_turn(
    shared: &StoreContext,
    request: Request,
    link: &Link,
) -> Option<PerformResult> {
    let counters = &shared.counters;
    counters.waiting_to_perform.fetch_add(1, Ordering::Relaxed);
    // The semaphore is never closed.
    let permit = shared.performing.acquire().await;
    counters.waiting_to_perform.fetch_sub(1, Ordering::Relaxed);
    let under_way = shared.draining.take_on()?;
    if link.is_cancelled() {
        return None;
    }
    count(&counters.performed, 1);
    let performer = &*shared.options.performer;
    let followed = followed_task(performer, &request);
    let first = perform(performer, request).await;
    // A job takes its time, and continues without this process.
    drop((permit, under_way));
    Some(match followed {
        Some(task) => follow(performer, task, first).await,
        None => first,
    })
}

/// Returns the request for the performer of an effect, which counts as running from now on.
pub(super) fn prepare(
    loops: &Arc<EventLoops>,
    resident: &mut Resident,
    id: EffectId,
) -> Option<(Request, Arc<Link>)> {
    let link = Link::new(Arc::clone(loops), running(resident), resident.id, id);
    let pending = &resident.effects.get(id)?.pending;
    let request = request_of(pending, &link)?;
    resident.effects.start(id, Arc::clone(&link));
    Some((request, link))
}

/// Returns the request.
fn request_of(pending: &PendingEffect, link: &Arc<Link>) -> Option<Request> {
    let host: Arc<Link> = Arc::clone(link);
    Some(match &pending.effect {
        Effect::Task(invocation) => {
            let task = Task::new(Arc::clone(invocation), host);
            match &pending.progress {
                TaskProgress::Submitted(output) => task.with_submission(Arc::clone(output)).into(),
                _ => task.into(),
            }
        }
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
