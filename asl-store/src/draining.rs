//! Stopping: running work may finish, and new work is refused.
use crate::pending::PendingCount;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The tasks that are performed, and whether more are taken on.
#[derive(Debug, Default)]
pub(crate) struct TaskDrain {
    is_over: AtomicBool,
    under_way: PendingCount,
}

/// A task that is performed, as long as this is kept.
pub(crate) struct UnderWay<'a>(&'a TaskDrain);

impl TaskDrain {
    /// Takes a task on; None if no more are.
    pub(crate) fn take_on(&self) -> Option<UnderWay<'_>> {
        self.under_way.start();
        let under_way = UnderWay(self);
        // Whoever says that it is over counts those that are under way after that.
        (!self.is_over.load(Ordering::SeqCst)).then_some(under_way)
    }

    /// Takes no more on.
    pub(crate) fn start(&self) {
        self.is_over.store(true, Ordering::SeqCst);
    }

    /// Returns the number of running tasks.
    pub(crate) fn under_way(&self) -> usize {
        self.under_way.count()
    }

    /// Waits until none is performed, for at most so long. How many still are.
    pub(crate) async fn finish(&self, grace: Duration) -> usize {
        // Those that take longer are told below.
        let _ = tokio::time::timeout(grace, self.under_way.finish()).await;
        self.under_way()
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.under_way.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[tokio::test]
    async fn what_is_under_way_is_waited_for_and_no_more_is_taken_on() {
        let draining = Arc::new(TaskDrain::default());
        let (finish, finished) = tokio::sync::oneshot::channel::<()>();
        let others = Arc::clone(&draining);
        let task = tokio::spawn(async move {
            let _under_way = others.take_on().expect("it is not over");
            finished.await.expect("it is told to finish");
        });
        tokio::task::yield_now().await;
        draining.start();
        assert!(draining.take_on().is_none());
        assert_eq!(draining.finish(Duration::from_millis(1)).await, 1);
        finish.send(()).expect("it waits");
        assert_eq!(draining.finish(Duration::from_secs(60)).await, 0);
        task.await.expect("it ended");
    }
}
