//! The task or thread of an event loop.
use super::EventLoop;
use std::sync::mpsc::{SyncSender, sync_channel};
use tokio::runtime::Builder;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// An event loop that runs; dropping this ends it, without another step of its executions.
#[derive(Debug)]
pub(in crate::runtime) enum EventLoopRun {
    /// A task of the embedder's tokio, by a virtual clock: other tasks of its thread run before time passes.
    Task(AbortedTask),
    /// A thread, by a real clock: performers that block their threads do not delay it.
    Thread {
        /// Dropping it ends the loop.
        _keep_alive: oneshot::Sender<()>,
        ended: oneshot::Receiver<()>,
    },
}

/// A task that is aborted when this is dropped.
#[derive(Debug)]
pub(in crate::runtime) struct AbortedTask(JoinHandle<()>);

impl Drop for AbortedTask {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl EventLoopRun {
    /// Starts an event loop, within tokio.
    pub(in crate::runtime) fn start(event_loop: EventLoop, is_virtual: bool) -> Self {
        let thread = match is_virtual {
            true => None,
            false => LoopThread::start(),
        };
        let Some(thread) = thread else {
            return Self::Task(AbortedTask(tokio::spawn(event_loop.run())));
        };
        let LoopThread {
            loops,
            keep_alive,
            ended,
        } = thread;
        // The thread waits for it.
        let _ = loops.send(event_loop);
        Self::Thread {
            _keep_alive: keep_alive,
            ended,
        }
    }
    /// Waits until it has ended.
    pub(in crate::runtime) async fn ended(&mut self) {
        // One that is gone has ended.
        match self {
            Self::Task(task) => drop((&mut task.0).await),
            Self::Thread { ended, .. } => drop(ended.await),
        }
    }
}

/// A thread that waits for the event loop that it is to run.
struct LoopThread {
    loops: SyncSender<EventLoop>,
    keep_alive: oneshot::Sender<()>,
    ended: oneshot::Receiver<()>,
}

impl LoopThread {
    /// Starts a thread; None if the system has no room for it.
    fn start() -> Option<Self> {
        let (loops, to_run) = sync_channel(1);
        let (keep_alive, dropped) = oneshot::channel();
        let (ends, ended) = oneshot::channel();
        let (reports, is_ready) = sync_channel(1);
        let run = move || {
            let timer = Builder::new_current_thread().enable_time().build().ok();
            // The starter waits for it.
            let _ = reports.send(timer.is_some());
            if let (Some(timer), Ok(event_loop)) = (timer, to_run.recv()) {
                timer.block_on(run_until(event_loop, dropped));
            }
            // A runtime that was dropped does not wait.
            let _ = ends.send(());
        };
        let thread = std::thread::Builder::new().name("asl-event-loop".to_owned());
        thread.spawn(run).ok()?;
        let is_ready = is_ready.recv().unwrap_or_default();
        is_ready.then_some(Self {
            loops,
            keep_alive,
            ended,
        })
    }
}

async fn run_until(event_loop: EventLoop, dropped: oneshot::Receiver<()>) {
    tokio::select! {
        () = event_loop.run() => {}
        _ = dropped => {}
    }
}
