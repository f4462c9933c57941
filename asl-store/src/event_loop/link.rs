//! The link between whoever performs an effect and the event loop.
use crate::event_loop::message::Message;
use crate::row::RowId;
use crate::shared::Shared;
use asl_engine::runtime::{BoxFuture, EffectHost, RunningExecution};
use asl_engine::{EffectId, Timestamp};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

/// The host of one effect, as whoever performs it sees it.
pub(crate) struct Link {
    pub(crate) shared: Arc<Shared>,
    pub(crate) running: RunningExecution,
    pub(crate) row: RowId,
    pub(crate) id: EffectId,
    is_cancelled: AtomicBool,
    was_submitted: AtomicBool,
    wakers: Mutex<Vec<Waker>>,
}

impl Link {
    pub(crate) fn new(
        shared: Arc<Shared>,
        running: RunningExecution,
        row: RowId,
        id: EffectId,
    ) -> Arc<Self> {
        Arc::new(Self {
            shared,
            running,
            row,
            id,
            is_cancelled: AtomicBool::new(false),
            was_submitted: AtomicBool::new(false),
            wakers: Mutex::default(),
        })
    }

    /// Nobody waits any more.
    pub(crate) fn cancel(&self) {
        let mut wakers = self.wakers.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_cancelled.store(true, Ordering::Release);
        let woken = std::mem::take(&mut *wakers);
        drop(wakers);
        woken.into_iter().for_each(Waker::wake);
    }
}

impl EffectHost for Link {
    fn execution(&self) -> &RunningExecution {
        &self.running
    }

    fn now(&self) -> Timestamp {
        self.shared.clock.now()
    }

    fn token(&self) -> String {
        self.shared.tokens.token(&self.running.identity, self.id)
    }

    fn heartbeat(&self) {
        self.shared
            .mailbox
            .send(Message::Heartbeat(self.row, self.id));
    }

    fn submit(&self, output: Value) {
        if !self.was_submitted.swap(true, Ordering::AcqRel) {
            self.shared
                .mailbox
                .send(Message::Submitted(self.row, self.id, output));
        }
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Acquire)
    }

    fn poll_cancelled(&self, context: &mut Context<'_>) -> Poll<()> {
        let mut wakers = self.wakers.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_cancelled() {
            return Poll::Ready(());
        }
        let waker = context.waker();
        if !wakers.iter().any(|kept| kept.will_wake(waker)) {
            wakers.push(waker.clone());
        }
        Poll::Pending
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        Box::pin(tokio::time::sleep(duration))
    }
}
