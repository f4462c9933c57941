//! One budget of memory for a process: what executions, requests and histories take of it.
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Uses of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MemoryUse {
    /// Executions in memory.
    Executions,
    /// Requests to start executions.
    Starts,
    /// Tests of states.
    Tests,
    /// Definitions that are read and checked.
    Definitions,
    /// Histories that are replayed and packed.
    Histories,
}

impl MemoryUse {
    /// All uses.
    pub const ALL: [Self; 5] = [
        Self::Executions,
        Self::Starts,
        Self::Tests,
        Self::Definitions,
        Self::Histories,
    ];

    /// Returns its name, as metrics have it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Executions => "executions",
            Self::Starts => "starts",
            Self::Tests => "tests",
            Self::Definitions => "definitions",
            Self::Histories => "histories",
        }
    }
}

/// A budget of memory that everything in a process draws from.
///
/// Its figures are estimates: what data weighs, as [`Limits::max_execution_bytes`](asl_engine::Limits) has it.
///
/// ```
/// use asl_backend::{MemoryBudget, MemoryUse};
/// use std::sync::Arc;
///
/// let budget = Arc::new(MemoryBudget::new(1_000));
/// let test = budget.reserve(MemoryUse::Tests, 600);
/// assert!(test.is_some() && budget.reserve(MemoryUse::Tests, 600).is_none());
/// drop(test);
/// assert_eq!(budget.used(MemoryUse::Tests), 0);
/// ```
#[derive(Debug)]
pub struct MemoryBudget {
    bytes: u64,
    uses: [AtomicU64; MemoryUse::ALL.len()],
    /// Part of the used bytes that is about to be released.
    leaving: AtomicU64,
}

impl MemoryBudget {
    /// Creates a budget of `bytes`.
    pub fn new(bytes: u64) -> Self {
        Self {
            bytes,
            uses: Default::default(),
            leaving: AtomicU64::new(0),
        }
    }

    /// Returns the total size in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the bytes in use for a purpose.
    pub fn used(&self, what: MemoryUse) -> u64 {
        self.uses[what as usize].load(Ordering::Relaxed)
    }

    /// Returns the bytes in use.
    pub fn used_in_all(&self) -> u64 {
        let uses = self.uses.iter().map(|used| used.load(Ordering::Relaxed));
        uses.fold(0, u64::saturating_add)
    }

    /// Returns true if more than three quarters are in use. New work is then rejected, and large executions wait.
    pub fn is_short(&self) -> bool {
        self.used_in_all() > self.bytes / 4 * 3
    }

    /// Returns true if executions should be evicted: more than three quarters are in use, without executions that are being
    /// evicted.
    pub fn is_to_be_released(&self) -> bool {
        let leaving = self.leaving.load(Ordering::Relaxed);
        self.used_in_all().saturating_sub(leaving) > self.bytes / 4 * 3
    }

    /// Returns true if so much is free that evicted executions may be loaded again.
    pub fn is_ample(&self) -> bool {
        self.used_in_all() < self.bytes / 2
    }

    /// Reserves bytes, if there are so many.
    pub fn reserve(self: &Arc<Self>, what: MemoryUse, bytes: u64) -> Option<MemoryReservation> {
        let reservation = self.take(what, bytes);
        (self.used_in_all() <= self.bytes).then_some(reservation)
    }

    /// Takes bytes for something that is there already.
    pub fn take(self: &Arc<Self>, what: MemoryUse, bytes: u64) -> MemoryReservation {
        self.uses[what as usize].fetch_add(bytes, Ordering::Relaxed);
        MemoryReservation {
            budget: Arc::clone(self),
            what,
            bytes,
            leaving: 0,
        }
    }
}

/// Bytes of a [`MemoryBudget`] that are used until this is dropped.
pub struct MemoryReservation {
    budget: Arc<MemoryBudget>,
    what: MemoryUse,
    bytes: u64,
    leaving: u64,
}

impl MemoryReservation {
    /// Returns the reserved bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Uses so many bytes from now on.
    pub fn resize(&mut self, bytes: u64) {
        let used = &self.budget.uses[self.what as usize];
        used.fetch_add(bytes.wrapping_sub(self.bytes), Ordering::Relaxed);
        self.bytes = bytes;
    }

    /// Sets whether the bytes are about to be released.
    pub fn set_leaving(&mut self, is_leaving: bool) {
        let leaving = if is_leaving { self.bytes } else { 0 };
        let change = leaving.wrapping_sub(self.leaving);
        self.budget.leaving.fetch_add(change, Ordering::Relaxed);
        self.leaving = leaving;
    }
}

impl Drop for MemoryReservation {
    fn drop(&mut self) {
        self.set_leaving(false);
        self.resize(0);
    }
}

impl fmt::Debug for MemoryReservation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryReservation")
            .field("what", &self.what)
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leaves_is_not_counted_as_staying() {
        let budget = Arc::new(MemoryBudget::new(1_000));
        let mut first = budget.take(MemoryUse::Executions, 500);
        let mut second = budget.take(MemoryUse::Executions, 100);
        assert!(!budget.is_short() && !budget.is_ample());
        second.resize(400);
        assert!(budget.is_short() && budget.is_to_be_released());
        first.set_leaving(true);
        assert!(budget.is_short() && !budget.is_to_be_released());
        first.resize(700);
        drop(first);
        assert!(budget.is_ample());
        assert_eq!(budget.used(MemoryUse::Executions), 400);
        drop(second);
        assert_eq!(budget.used_in_all(), 0);
        assert!(!budget.is_short());
    }

    #[test]
    fn no_more_is_reserved_than_there_is() {
        let budget = Arc::new(MemoryBudget::new(1_000));
        let held = budget
            .reserve(MemoryUse::Starts, 1_000)
            .expect("there is room");
        assert!(budget.reserve(MemoryUse::Histories, 1).is_none());
        assert_eq!(budget.used(MemoryUse::Histories), 0);
        drop(held);
        assert!(budget.reserve(MemoryUse::Histories, 1).is_some());
    }
}
