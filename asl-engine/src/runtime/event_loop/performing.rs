//! Having effects performed: from request to answer.
use super::arrival::Notice;
use super::effects::{Effects, FinishedTask};
use super::handover::Handover;
use super::hosted::{HostedEffect, HostedExecution};
use super::link::Link;
use super::timers::Due;
use crate::error_names::TIMEOUT;
use crate::error_output::ErrorOutput;
use crate::runtime::performer::{
    EffectHost as _, PerformResult, Request, StorageTask, Task, follow, followed_task, follows,
    is_submitted,
};
use crate::runtime::spans::EffectSpan;
use crate::{Answer, Effect, EffectId, Input, PendingEffect, TaskAnswer, TaskError, TaskProgress};
use futures::FutureExt;
use futures::future::BoxFuture;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The reason why a task with a token cannot be requested.
const NAMESAKE: &str = "the task's token is that of a task of another execution with the same name: executions of one \
     runtime need different names";

impl Effects {
    /// Has a task done, or something in an object store.
    pub(super) fn request(&mut self, hosted: &mut HostedExecution, effect: Effect) {
        self.request_pending(hosted, PendingEffect::new(effect));
    }

    /// Has an effect performed. Of a job that was submitted, only the rest.
    fn request_pending(&mut self, hosted: &mut HostedExecution, mut pending: PendingEffect) {
        if let (Some(observer), Effect::Task(invocation)) = (&self.observer, &pending.effect) {
            observer.task_invoked(&hosted.member, invocation);
        }
        let has_token = pending.is_known_by_token();
        if let Some(input) = pending.record_start() {
            self.queue_input(hosted, pending.effect.id(), input);
        }
        let mut effect = HostedEffect::new(pending);
        if has_token && !hosted.member.claim_name() {
            return self.conclude(hosted, effect, Err(TaskError::failed(NAMESAKE)));
        }
        let link = Arc::new(Link::new(
            Arc::clone(&hosted.member),
            effect.pending.effect.id(),
            self.handover(&effect.pending.effect),
        ));
        effect.link = Some(Arc::clone(&link));
        let Some((request, name)) = request_of(&effect.pending, &link) else {
            let error = TaskError::failed("no performer runs children");
            return self.conclude(hosted, effect, Err(error));
        };
        let span = hosted.member.span().effect(&effect.pending.effect);
        if !self.shared.clock.is_virtual() || followed_task(&*self.performer, &request).is_some() {
            let work = self.hand_over(request, link, span);
            return self.work(hosted, effect, work, name);
        }
        match self.start(request, &name, span) {
            Ok(work) => self.work(hosted, effect, work, name),
            Err(answer) => self.conclude(hosted, effect, answer),
        }
    }

    /// Returns the handover of a task. By a virtual clock, its timeouts count from the request, because no time passes
    /// until the performer begins.
    fn handover(&self, effect: &Effect) -> Handover {
        match effect {
            Effect::Task(task)
                if !self.shared.clock.is_virtual()
                    && (task.timeout_seconds.is_some() || task.heartbeat_seconds.is_some()) =>
            {
                Handover::from_request(self.now)
            }
            _ => Handover::default(),
        }
    }

    /// Performs an effect in a task of tokio, as soon as there is a place for it.
    fn hand_over(
        &self,
        request: Request,
        link: Arc<Link>,
        span: EffectSpan,
    ) -> impl Future<Output = PerformResult> + Send + use<> {
        let performer = Arc::clone(&self.performer);
        let places = self.shared.task_places.clone();
        async move {
            // A job that is only followed takes its time, and holds no place.
            let place = match places.as_ref().filter(|_| !is_submitted(&request)) {
                Some(places) => places.acquire().await.ok(),
                None => None,
            };
            if link.is_cancelled() {
                return Err(TaskError::cancelled());
            }
            link.begin();
            let Some(task) = followed_task(&*performer, &request) else {
                return span.perform(|| performer.perform(request)).await;
            };
            let first = span.clone().perform(|| performer.perform(request)).await;
            drop(place);
            span.perform(|| follow(&*performer, task, first)).await
        }
    }

    /// Requests all pending effects of an execution again. Submitted jobs are followed, if the performer does that; other
    /// submitted and started tasks are only awaited, by their tokens.
    pub(super) fn resume(&mut self, hosted: &mut HostedExecution) {
        let pending: Vec<PendingEffect> = hosted.execution.pending().collect();
        for pending in pending {
            match (pending.effect, &pending.progress) {
                (Effect::Child(child), _) => self.start_child(hosted, *child),
                (effect, TaskProgress::Asked) => self.request(hosted, effect),
                (Effect::Task(task), TaskProgress::Submitted(_))
                    if follows(&*self.performer, &task) =>
                {
                    let effect = Effect::Task(task);
                    self.request_pending(hosted, PendingEffect { effect, ..pending });
                }
                (effect, _) => self.await_answer(hosted, PendingEffect { effect, ..pending }),
            }
        }
    }

    fn await_answer(&mut self, hosted: &mut HostedExecution, pending: PendingEffect) {
        let effect = HostedEffect::new(pending);
        if hosted.member.claim_name() {
            let id = effect.pending.effect.id();
            hosted.effects.insert(id, Box::new(effect));
        } else {
            self.conclude(hosted, effect, Err(TaskError::failed(NAMESAKE)));
        }
    }

    /// Starts to perform an effect within the event loop: returns the remaining work, or the result if it is available
    /// immediately, so that such results arrive in the order of the requests.
    fn start(
        &self,
        request: Request,
        name: &RequestName,
        span: EffectSpan,
    ) -> Result<BoxFuture<'static, PerformResult>, PerformResult> {
        let performer = &self.performer;
        let begun = catch_unwind(AssertUnwindSafe(|| {
            let mut work = span.perform(|| performer.perform(request));
            match (&mut work).now_or_never() {
                Some(answer) => Err(answer),
                None => Ok(work),
            }
        }));
        match begun {
            Ok(Ok(work)) => Ok(work),
            Ok(Err(answer)) => Err(answer),
            Err(panic) => Err(Err(name.panicked(&*panic))),
        }
    }

    /// Lets the rest be done as a task of tokio.
    fn work(
        &mut self,
        hosted: &mut HostedExecution,
        mut effect: HostedEffect,
        work: impl Future<Output = PerformResult> + Send + 'static,
        name: RequestName,
    ) {
        let (execution, id) = (hosted.member.id, effect.pending.effect.id());
        effect.at_work = true;
        self.busy += 1;
        hosted.effects.insert(id, Box::new(effect));
        let finished = async move {
            let answer = AssertUnwindSafe(work).catch_unwind().await;
            let answer = answer.unwrap_or_else(|panic| Err(name.panicked(&*panic)));
            FinishedTask(execution, id, answer)
        };
        self.spawned.spawn_on(finished, &self.tokio);
    }

    /// Takes an answer, of the performer or by the token; a stale one is ignored.
    pub(super) fn settle(
        &mut self,
        hosted: &mut HostedExecution,
        id: EffectId,
        answer: PerformResult,
    ) {
        if let Some(mut effect) = hosted.effects.remove(id) {
            self.busy -= usize::from(effect.is_busy());
            effect.at_work = false;
            self.conclude(hosted, *effect, answer);
        }
    }

    /// Reports the execution what its effect came to, which is kept where the answer comes later.
    fn conclude(
        &mut self,
        hosted: &mut HostedExecution,
        mut effect: HostedEffect,
        answer: PerformResult,
    ) {
        if let Err(error) = &answer
            && let Some(input) = error.failing_input()
        {
            return self.send_input(hosted.member.root, input);
        }
        let id = effect.pending.effect.id();
        if let Some(input) = effect.submission() {
            self.queue_input(hosted, id, input);
        }
        let times_out = self.shared.clock.is_virtual() && times_out(&effect.pending, &answer);
        let comes_later = matches!(answer, Ok(Answer::Task(TaskAnswer::Submitted(_))));
        if !times_out {
            for input in effect.pending.record_answer(answer) {
                self.queue_input(hosted, id, input);
            }
        }
        if comes_later || times_out {
            // The work may continue elsewhere, with the task in hand.
            let link = effect.link.take();
            effect.link = link.filter(|link| Arc::strong_count(link) > 1);
            hosted.effects.insert(id, Box::new(effect));
        }
    }

    /// Cancels an effect.
    pub(super) fn cancel(&mut self, hosted: &mut HostedExecution, id: EffectId) {
        if let Some(effect) = hosted.effects.remove(id) {
            self.busy -= usize::from(effect.is_busy());
        }
        while let Some((answer, _)) = hosted.answers.range((id, 0)..=(id, u64::MAX)).next() {
            let answer = *answer;
            hosted.answers.remove(&answer);
        }
    }

    pub(super) fn take_notice(
        &mut self,
        hosted: &mut HostedExecution,
        id: EffectId,
        notice: Notice,
    ) {
        let Some(effect) = hosted.effects.get_mut(id) else {
            return;
        };
        let execution = hosted.member.id;
        match notice {
            Notice::Begun => {
                if let Some(link) = &effect.link {
                    link.handover().finish();
                }
                self.send_input(execution, Input::TasksPostponed { ids: vec![id] });
            }
            Notice::Heartbeat => {
                if let Some(link) = &effect.link {
                    link.heartbeat_received();
                }
                self.send_input(execution, Input::TaskHeartbeat { id });
            }
            Notice::Submitted => {
                if let Some(input) = effect.submission() {
                    // A save that waits for its turn has it.
                    self.send_urgent_input(execution, input);
                }
            }
            Notice::Sleep { until, wake } => {
                self.busy -= usize::from(effect.is_busy());
                effect.sleeps += 1;
                let sleeper = Due::Sleeper {
                    execution,
                    id,
                    wake,
                };
                self.timers.add(until, sleeper);
            }
            Notice::SleepLeft => self.end_sleep(hosted, id),
        }
    }

    /// One of a performer's sleeps is over.
    pub(super) fn end_sleep(&mut self, hosted: &mut HostedExecution, id: EffectId) {
        if let Some(effect) = hosted.effects.get_mut(id)
            && effect.sleeps > 0
        {
            effect.sleeps -= 1;
            self.busy += usize::from(effect.is_busy());
        }
    }
}

/// Returns true if a task is said to time out, for no other reason than its "TimeoutSeconds": by a virtual clock it does so
/// when that is over, together with all that is due then.
fn times_out(pending: &PendingEffect, answer: &PerformResult) -> bool {
    let (Effect::Task(invocation), Err(error)) = (&pending.effect, answer) else {
        return false;
    };
    let ErrorOutput { error, cause } = &error.error_output;
    let by_itself = error.as_deref() == Some(TIMEOUT) && cause.is_none();
    by_itself && invocation.timeout_seconds.is_some() && invocation.heartbeat_seconds.is_none()
}

/// Returns the request for a performer, and its name. The event loop runs children itself.
fn request_of(pending: &PendingEffect, link: &Arc<Link>) -> Option<(Request, RequestName)> {
    let link = Arc::clone(link);
    match &pending.effect {
        Effect::Task(invocation) => {
            let resource = Arc::clone(&invocation.resource);
            let mut task = Task::new(Arc::clone(invocation), link);
            if let TaskProgress::Submitted(output) = &pending.progress {
                task = task.with_submission(Arc::clone(output));
            }
            Some((Request::Task(task), RequestName::Resource(resource)))
        }
        Effect::Storage(request) => {
            let task = StorageTask::new(request.clone(), link);
            Some((Request::Storage(task), RequestName::ObjectStore))
        }
        Effect::Child(_) => None,
    }
}

/// Name of a request that failed with a panic.
enum RequestName {
    Resource(Arc<crate::Resource>),
    ObjectStore,
}

impl RequestName {
    fn panicked(&self, panic: &(dyn Any + Send)) -> TaskError {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        let text = text.unwrap_or("no message");
        TaskError::failed(match self {
            Self::Resource(resource) => {
                format!("the handler of `{}` panicked: {text}", resource.uri)
            }
            Self::ObjectStore => format!("the object store panicked: {text}"),
        })
    }
}
