//! Limits on concurrent handlers and on their time.
#[cfg(any(feature = "aws", feature = "exec", feature = "http"))]
pub(crate) use waiting::out_of_time;

use tokio::sync::Semaphore;

/// Room for so many commands and connections at a time; the others wait.
#[derive(Debug)]
pub(super) struct Places {
    #[cfg_attr(
        not(any(feature = "exec", feature = "http")),
        expect(dead_code, reason = "nothing waits for one")
    )]
    free: Semaphore,
}

impl Places {
    /// Room for so many, and at least one.
    pub(super) fn new(count: usize) -> Self {
        Self {
            free: Semaphore::new(count.clamp(1, Semaphore::MAX_PERMITS)),
        }
    }
}

#[cfg(any(feature = "exec", feature = "http"))]
impl Places {
    /// Waits for a free place, which is released when the returned permit is dropped.
    pub(super) async fn acquire(&self) -> Option<tokio::sync::SemaphorePermit<'_>> {
        // It is never closed.
        self.free.acquire().await.ok()
    }
}

#[cfg(any(feature = "aws", feature = "exec", feature = "http"))]
mod waiting {
    use asl_engine::TaskError;
    use asl_engine::runtime::Task;
    use std::time::Duration;

    /// By how much a real clock, which sees to a timeout itself, is ahead.
    const GRACE: Duration = Duration::from_millis(500);

    /// Ready when a task has had its time and a little more: a virtual clock stands still while a handler is at work, and
    /// would wait forever for one that hangs.
    pub(crate) async fn out_of_time(task: &Task) -> TaskError {
        let Some(seconds) = task.invocation().timeout_seconds else {
            return std::future::pending().await;
        };
        tokio::time::sleep(Duration::from_secs(seconds).saturating_add(GRACE)).await;
        TaskError::without_cause("States.Timeout")
    }
}
