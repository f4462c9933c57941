//! Cancellation of work that is no longer needed.
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

/// Notifies a performer that the result of an effect is no longer needed, as an
/// [`EffectHost`](asl_engine::runtime::EffectHost) requires.
///
/// ```
/// let cancellation = asl_backend::Cancellation::default();
/// assert!(!cancellation.is_cancelled());
/// cancellation.cancel();
/// assert!(cancellation.is_cancelled());
/// ```
#[derive(Debug, Default)]
pub struct Cancellation {
    is_cancelled: AtomicBool,
    wakers: Mutex<Vec<Waker>>,
}

impl Cancellation {
    /// Cancels the work.
    pub fn cancel(&self) {
        let mut wakers = self.wakers.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_cancelled.store(true, Ordering::Release);
        let woken = std::mem::take(&mut *wakers);
        drop(wakers);
        woken.into_iter().for_each(Waker::wake);
    }

    /// Returns true if the work was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Acquire)
    }

    /// Returns ready if the work was cancelled. Until then it stores every waker.
    pub fn poll_cancelled(&self, context: &mut Context<'_>) -> Poll<()> {
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
}
