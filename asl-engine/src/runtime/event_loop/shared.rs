//! State shared by the handles and the event loops of a runtime.
use super::arrival::Arrival;
use super::command::Command;
use super::computing_threads::ComputingThreads;
use crate::runtime::admission::Admission;
use crate::runtime::chance::Chance;
use crate::runtime::tokens::TokenBook;
use crate::runtime::{Clock, ExecutionId};
use crate::tree::ExecutionTree;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::{Semaphore, mpsc};

/// State shared by the handles and the event loops of a runtime. One loop runs an execution, as its id shows.
pub(in crate::runtime) struct SharedState {
    pub(in crate::runtime) clock: Clock,
    pub(in crate::runtime) tokens: TokenBook,
    pub(in crate::runtime) chance: Chance,
    pub(in crate::runtime) admission: Admission,
    pub(super) computing_threads: Arc<ComputingThreads>,
    /// Places for executions that callers start, if they are limited.
    pub(in crate::runtime) execution_places: Option<Arc<Semaphore>>,
    /// Places for tasks at work, if they are limited.
    pub(super) task_places: Option<Arc<Semaphore>>,
    next_id: AtomicU64,
    loops: Box<[Senders]>,
}

/// Senders to one event loop.
pub(in crate::runtime) struct Senders {
    /// From those who hold the runtime; they wait while it has many.
    pub(in crate::runtime) commands: mpsc::Sender<Command>,
    /// From tasks and from other loops.
    pub(in crate::runtime) arrivals: mpsc::UnboundedSender<Arrival>,
}

/// Limits on what runs at a time.
#[derive(Debug, Default, Clone, Copy)]
pub(in crate::runtime) struct Places {
    pub(in crate::runtime) executions: Option<NonZeroUsize>,
    pub(in crate::runtime) tasks: Option<NonZeroUsize>,
}

fn semaphore(places: Option<NonZeroUsize>) -> Option<Arc<Semaphore>> {
    let places = places?.get().min(Semaphore::MAX_PERMITS);
    Some(Arc::new(Semaphore::new(places)))
}

impl SharedState {
    pub(in crate::runtime) fn new(
        clock: Clock,
        tokens: TokenBook,
        chance: Chance,
        admission: Admission,
        places: Places,
        loops: Box<[Senders]>,
    ) -> Self {
        let next_id = AtomicU64::new(0);
        Self {
            clock,
            tokens,
            chance,
            admission,
            computing_threads: Arc::default(),
            execution_places: semaphore(places.executions),
            task_places: semaphore(places.tasks),
            next_id,
            loops,
        }
    }

    /// The name of another execution.
    pub(in crate::runtime) fn next_id(&self) -> ExecutionId {
        ExecutionId::new(self.next_id.fetch_add(1, Ordering::Relaxed))
    }

    /// Returns the index of the loop that runs an execution.
    pub(super) fn loop_of(&self, execution: ExecutionId) -> usize {
        (execution.number() % self.loops.len().max(1) as u64) as usize
    }

    /// Returns the sender of commands to the loop of an execution.
    pub(in crate::runtime) fn commands(&self, execution: ExecutionId) -> &mpsc::Sender<Command> {
        &self.loops[self.loop_of(execution)].commands
    }

    pub(in crate::runtime) fn loops(&self) -> &[Senders] {
        &self.loops
    }

    /// Lets all loops but this one count what the executions of a tree hold.
    pub(super) fn request_counts(&self, but: usize, tree: &Arc<ExecutionTree>, root: ExecutionId) {
        let others = self.loops.iter().enumerate();
        for (_, senders) in others.filter(|(index, _)| *index != but) {
            // One that is gone has nothing of it.
            if senders
                .arrivals
                .send(Arrival::Count(Arc::clone(tree), root))
                .is_err()
            {
                let _within = tree.record_count();
            }
        }
    }

    /// Lets the loop of an execution know; one that is gone need not.
    pub(super) fn send(&self, execution: ExecutionId, arrival: Arrival) -> bool {
        let senders = self.loops.get(self.loop_of(execution));
        senders.is_some_and(|senders| senders.arrivals.send(arrival).is_ok())
    }
}
