//! The link between a performer and the event loop that requested an effect.
use super::arrival::{Arrival, Notice};
use super::handover::Handover;
use super::member::Member;
use crate::EffectId;
use crate::runtime::performer::EffectHost;
use crate::runtime::{RunningExecution, RuntimeHandle};
use asl_model::Timestamp;
use futures::future::BoxFuture;
use serde_json::Value;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tokio::sync::oneshot;

/// The link between a performer and the event loop that requested an effect.
pub(super) struct Link {
    member: Arc<Member>,
    id: EffectId,
    is_cancelled: AtomicBool,
    /// True from the sending of a heartbeat to its receiving.
    is_beating: AtomicBool,
    handover: Handover,
    heard: Mutex<Heard>,
}

/// State under the lock.
#[derive(Default)]
struct Heard {
    /// Those who await the cancelling.
    wakers: Vec<Waker>,
    was_submitted: bool,
    submission: Option<Value>,
}

impl Link {
    pub(super) fn new(member: Arc<Member>, id: EffectId, handover: Handover) -> Self {
        Self {
            member,
            id,
            is_cancelled: AtomicBool::new(false),
            is_beating: AtomicBool::new(false),
            handover,
            heard: Mutex::default(),
        }
    }

    /// Cancels the effect.
    pub(super) fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Release);
        let wakers = std::mem::take(&mut self.lock().wakers);
        wakers.into_iter().for_each(Waker::wake);
    }

    /// Records that the performer begins.
    pub(super) fn begin(&self) {
        if self.handover.begin(|| self.member.shared().clock.now()) {
            self.notify(Notice::Begun);
        }
    }

    pub(super) fn handover(&self) -> &Handover {
        &self.handover
    }

    /// The next heartbeat is heard again.
    pub(super) fn heartbeat_received(&self) {
        self.is_beating.store(false, Ordering::Release);
    }

    /// Returns the first answer, if there is one that was not taken.
    pub(super) fn take_submission(&self) -> Option<Value> {
        self.lock().submission.take()
    }

    fn lock(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn notify(&self, notice: Notice) -> bool {
        let execution = self.member.id;
        let arrival = Arrival::Notice(execution, self.id, notice);
        self.member.shared().send(execution, arrival)
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

impl EffectHost for Link {
    fn execution(&self) -> &RunningExecution {
        &self.member
    }

    fn now(&self) -> Timestamp {
        self.member.shared().clock.now()
    }

    fn token(&self) -> String {
        self.member.token(self.id)
    }

    fn heartbeat(&self) {
        if !self.is_beating.swap(true, Ordering::AcqRel) {
            self.notify(Notice::Heartbeat);
        }
    }

    fn submit(&self, output: Value) {
        let mut heard = self.lock();
        if !std::mem::replace(&mut heard.was_submitted, true) {
            heard.submission = Some(output);
            drop(heard);
            self.notify(Notice::Submitted);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Acquire)
    }

    fn poll_cancelled(&self, context: &mut Context<'_>) -> Poll<()> {
        let mut heard = self.lock();
        // Cancelling sets this before it looks at the wakers.
        if self.is_cancelled() {
            return Poll::Ready(());
        }
        let waker = context.waker();
        if !heard.wakers.iter().any(|kept| kept.will_wake(waker)) {
            heard.wakers.push(waker.clone());
        }
        Poll::Pending
    }

    fn runtime(&self) -> Option<RuntimeHandle> {
        let shared = Arc::clone(self.member.shared());
        Some(RuntimeHandle { shared })
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        let nanoseconds = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        Box::pin(async move {
            let until = self.now().plus_nanoseconds(nanoseconds);
            let (wake, awake) = oneshot::channel();
            if !self.notify(Notice::Sleep { until, wake }) {
                return tokio::time::sleep(duration).await;
            }
            let mut sleep = Sleep {
                link: self,
                awake,
                is_over: false,
            };
            // A runtime that goes drops the waker: there is nothing left to sleep for.
            let _ = (&mut sleep.awake).await;
            sleep.is_over = true;
        })
    }
}

/// A sleep, which says so when it is given up: the runtime knows at any time whether a handler sleeps or works.
struct Sleep<'a> {
    link: &'a Link,
    awake: oneshot::Receiver<()>,
    is_over: bool,
}

impl Drop for Sleep<'_> {
    fn drop(&mut self) {
        self.awake.close();
        if !self.is_over && self.awake.try_recv().is_err() {
            self.link.notify(Notice::SleepLeft);
        }
    }
}
