//! Having tasks done: from invocation to answer.
use super::effects::{Effects, Finished};
use super::hosted::{Hosted, PendingTask};
use super::task::{Notice, Task};
use super::timers::Due;
use crate::answer::{self, TaskAnswer, TaskError};
use crate::{EffectId, Input, TaskInvocation};
use futures::FutureExt;
use futures::future::BoxFuture;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use tokio::sync::watch;

/// Why a task that waits for its token cannot be asked for.
const NAMESAKE: &str = "the task's token is that of a task of another execution with the same name: executions of one \
     runtime need different names";

type Answer = Result<TaskAnswer, TaskError>;

impl Effects {
    pub(super) fn invoke_task(&mut self, hosted: &mut Hosted, invocation: Arc<TaskInvocation>) {
        let (execution, id) = (hosted.identity.id, invocation.id);
        if let Some(observer) = &self.observer {
            observer.task_invoked(&hosted.identity, &invocation);
        }
        if let Some(input) = answer::started(&invocation.resource, id) {
            self.tell(execution, input);
        }
        let (canceller, cancellation) = watch::channel(false);
        let is_refused = invocation.task_token.is_some() && !hosted.identity.is_found_by_its_name();
        let pending = Box::new(PendingTask {
            resource: Arc::clone(&invocation.resource),
            submitted: false,
            at_work: false,
            sleeps: 0,
            canceller: Some(canceller),
        });
        hosted.tasks.insert(id, pending);
        if is_refused {
            return self.settle(hosted, id, Err(TaskError::failed(NAMESAKE)));
        }
        let (clock, notices) = (self.clock.clone(), self.notices.clone());
        let task = Task::new(
            invocation,
            Arc::clone(&hosted.identity),
            clock,
            cancellation,
            notices,
        );
        self.perform_task(hosted, id, task);
    }

    fn perform_task(&mut self, hosted: &mut Hosted, id: EffectId, task: Task) {
        let execution = hosted.identity.id;
        let uri = Arc::clone(&task.invocation().resource);
        let handler = &self.handler;
        let work: BoxFuture<'static, Answer> =
            match catch_unwind(AssertUnwindSafe(|| handler.invoke(task))) {
                Ok(work) => work,
                Err(panic) => return self.settle(hosted, id, Err(panicked(&uri.uri, &*panic))),
            };
        let mut work = AssertUnwindSafe(work)
            .catch_unwind()
            .map(move |answer| answer.unwrap_or_else(|panic| Err(panicked(&uri.uri, &*panic))));
        // Answers that are there at once come in the order of the invocations, so that virtual runs are repeatable.
        if self.clock.is_virtual()
            && let Some(answer) = (&mut work).now_or_never()
        {
            return self.settle(hosted, id, answer);
        }
        if let Some(task) = hosted.tasks.get_mut(&id) {
            task.at_work = true;
            self.busy += 1;
        }
        self.spawned
            .spawn(async move { Finished::Task(execution, id, work.await) });
    }

    /// Takes an answer, from the handler or by the token; a stale one is ignored.
    pub(super) fn settle(&mut self, hosted: &mut Hosted, id: EffectId, answer: Answer) {
        let Some(mut task) = hosted.tasks.remove(&id) else {
            return;
        };
        if let Err(TaskError {
            fatal: true,
            error,
            cause,
        }) = answer
        {
            self.forget_task(*task);
            return self.tell(hosted.identity.root, Input::Fail { error, cause });
        }
        let is_last = !matches!(answer, Ok(TaskAnswer::Submitted(_)));
        let inputs = answer::inputs(&task.resource, task.submitted, id, answer);
        if is_last {
            self.forget_task(*task);
        } else {
            self.busy -= usize::from(task.is_busy());
            task.at_work = false;
            task.submitted = true;
            // The work may go on elsewhere, with the task in hand.
            task.canceller = task
                .canceller
                .filter(|canceller| canceller.receiver_count() > 0);
            hosted.tasks.insert(id, task);
        }
        self.tell_all(hosted.identity.id, inputs);
    }

    pub(super) fn cancel_task(&mut self, hosted: &mut Hosted, id: EffectId) {
        if let Some(task) = hosted.tasks.remove(&id) {
            self.forget_task(*task);
        }
    }

    /// Nobody waits for a task any more: its handler, if still at work, is told.
    pub(super) fn forget_task(&mut self, task: PendingTask) {
        self.busy -= usize::from(task.is_busy());
        if let Some(canceller) = task.canceller {
            canceller.send_replace(true);
        }
    }

    pub(super) fn take_notice(&mut self, hosted: &mut Hosted, notice: Notice) {
        let Some(task) = hosted.tasks.get_mut(&notice.id()) else {
            return;
        };
        match notice {
            Notice::Heartbeat { id, .. } => {
                self.tell(hosted.identity.id, Input::TaskHeartbeat { id })
            }
            Notice::Sleep {
                id, until, wake, ..
            } => {
                self.busy -= usize::from(task.is_busy());
                task.sleeps += 1;
                let execution = hosted.identity.id;
                self.timers.add(
                    until,
                    Due::Sleeper {
                        execution,
                        id,
                        wake,
                    },
                );
            }
            Notice::SleepLeft { .. } => self.end_sleep(hosted, notice.id()),
        }
    }

    /// One of a handler's sleeps is over.
    pub(super) fn end_sleep(&mut self, hosted: &mut Hosted, id: EffectId) {
        if let Some(task) = hosted.tasks.get_mut(&id)
            && task.sleeps > 0
        {
            task.sleeps -= 1;
            self.busy += usize::from(task.is_busy());
        }
    }
}

fn panicked(uri: &str, panic: &(dyn Any + Send)) -> TaskError {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let text = text.unwrap_or("no message");
    TaskError::failed(format!("the handler of `{uri}` panicked: {text}"))
}
