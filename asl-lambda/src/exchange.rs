//! The exchange of a pool and a process: one event at a time, and its answer.
use crate::invocation::{Invocation, InvocationOutcome};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, oneshot};

/// The exchange of one process.
#[derive(Debug, Default)]
pub(crate) struct Exchange {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct State {
    queued: Option<QueuedEvent>,
    current: Option<Current>,
    /// The process has requested its first event.
    is_ready: bool,
    init_error: Option<Vec<u8>>,
}

/// An event that the process has not fetched.
#[derive(Debug)]
pub(crate) struct QueuedEvent {
    pub(crate) invocation: Invocation,
    pub(crate) time_limit: Option<Duration>,
    pub(crate) delivered: oneshot::Sender<()>,
    pub(crate) answer: oneshot::Sender<InvocationOutcome>,
}

#[derive(Debug)]
struct Current {
    request_id: String,
    answer: oneshot::Sender<InvocationOutcome>,
}

/// Reasons why a request of a process is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It has an event that it has not answered.
    NotAnswered,
    /// The id is not that of its event.
    UnknownRequest,
}

impl Exchange {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts an event in for the process.
    pub(crate) fn put(&self, queued: QueuedEvent) {
        self.state().queued = Some(queued);
        self.changed.notify_waiters();
    }

    /// Returns true if the process has requested an event.
    pub(crate) fn is_ready(&self) -> bool {
        self.state().is_ready
    }

    /// Ready when the process has requested its first event.
    pub(crate) async fn ready(&self) {
        self.wait_for(|state| state.is_ready.then_some(())).await;
    }

    /// Waits for the next event, and makes it the current one.
    pub(crate) async fn next(&self) -> Result<(Invocation, Option<Duration>), Refusal> {
        if self.state().current.is_some() {
            return Err(Refusal::NotAnswered);
        }
        if !std::mem::replace(&mut self.state().is_ready, true) {
            self.changed.notify_waiters();
        }
        let next = self.wait_for(|state| {
            let queued = state.queued.take()?;
            state.current = Some(Current {
                request_id: queued.invocation.request_id.clone(),
                answer: queued.answer,
            });
            // The receiver may be dropped.
            let _ = queued.delivered.send(());
            Some((queued.invocation, queued.time_limit))
        });
        Ok(next.await)
    }

    async fn wait_for<T>(&self, look: impl Fn(&mut State) -> Option<T>) -> T {
        loop {
            let changed = self.changed.notified();
            if let Some(found) = look(&mut self.state()) {
                return found;
            }
            changed.await;
        }
    }

    /// Returns an error unless `request_id` is that of the current event.
    pub(crate) fn check_current(&self, request_id: &str) -> Result<(), Refusal> {
        let state = self.state();
        let current = state.current.as_ref();
        match current.is_some_and(|current| current.request_id == request_id) {
            true => Ok(()),
            false => Err(Refusal::UnknownRequest),
        }
    }

    /// Ends the current event, once.
    pub(crate) fn answer(
        &self,
        request_id: &str,
        answer: InvocationOutcome,
    ) -> Result<(), Refusal> {
        self.check_current(request_id)?;
        if let Some(current) = self.state().current.take() {
            let _ = current.answer.send(answer);
        }
        Ok(())
    }

    /// The process could not start, with the error as Lambda writes it.
    pub(crate) fn fail_init(&self, error: Vec<u8>) {
        self.state().init_error = Some(error);
    }

    pub(crate) fn init_error(&self) -> Option<Vec<u8>> {
        self.state().init_error.clone()
    }
}
