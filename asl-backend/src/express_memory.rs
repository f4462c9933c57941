//! Memory of the Express executions in this process.
use super::{MemoryBudget, MemoryReservation, MemoryUse};
use asl_engine::Outcome;
use asl_engine::runtime::{ExecutionId, Observer, RunningExecution};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Draws what the executions of a runtime hold from a budget.
pub(super) struct ExpressMemory {
    budget: Arc<MemoryBudget>,
    held: Mutex<Reservations>,
    has_exceeded: Notify,
}

#[derive(Default)]
struct Reservations {
    reservations: HashMap<ExecutionId, MemoryReservation>,
    /// Root executions that grew after the budget was spent.
    exceeding: HashSet<ExecutionId>,
}

impl ExpressMemory {
    pub(super) fn new(budget: Arc<MemoryBudget>) -> Self {
        Self {
            budget,
            held: Mutex::default(),
            has_exceeded: Notify::new(),
        }
    }

    /// Waits until a root execution or one of its children grows after the budget is spent.
    pub(super) async fn exceeded(&self, root: ExecutionId) {
        loop {
            let notified = self.has_exceeded.notified();
            if self.lock().exceeding.contains(&root) {
                return;
            }
            notified.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Reservations> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for ExpressMemory {
    fn watches_memory(&self) -> bool {
        true
    }

    fn holds(&self, execution: &RunningExecution, bytes: u64) {
        let mut held = self.lock();
        let reservation = held.reservations.entry(execution.id);
        let reservation = reservation.or_insert_with(|| self.budget.take(MemoryUse::Executions, 0));
        let grows = bytes > reservation.bytes();
        reservation.resize(bytes);
        if grows && self.budget.used_in_all() > self.budget.bytes() {
            held.exceeding.insert(execution.root);
            self.has_exceeded.notify_waiters();
        }
    }

    fn ended(&self, execution: &RunningExecution, _outcome: &Outcome) {
        let mut held = self.lock();
        held.reservations.remove(&execution.id);
        held.exceeding.remove(&execution.id);
    }
}
