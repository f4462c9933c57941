//! Resources of an execution tree: a root execution, with the children of its distributed Maps and their children. Each
//! execution has its own limits. A host that runs many of them limits the whole tree to those of the root.
//!
//! The data of an execution is estimated from its last count and the data created since. If the tree exceeds its limit, all
//! its data is counted again, so that the cost of counting is proportional to the created data.
use crate::data::SHARE;
use crate::error_output::ErrorOutput;
use crate::{Execution, Input, Limits, error_names};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// The account of a tree of executions: one that was started, with the children of its distributed Maps and of theirs.
///
/// A host has one for each tree, which several threads may share, and one [`TreeShare`] for each execution. After each step, the host
/// [notes](Self::note) the data that an execution created, and takes the returned action.
///
/// ```
/// # use asl_engine::{Execution, ExecutionTree, Input, Limits, TreeAction, Program, Start, Timestamp, TreeShare};
/// # use serde_json::json;
/// # let definition = json!({"StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}});
/// # let (machine, _warnings) = asl_model::parse_value(&definition, asl_model::Options::default()).map_err(|_| "faults")?;
/// # let program = Program::compile(&machine)?;
/// let limits = Limits::default().with_max_execution_bytes(100);
/// let start = Start::new("e", json!("x".repeat(1_000)), Timestamp::from_milliseconds(0));
/// let mut execution = Execution::start(program, start);
/// let (tree, mut share) = (ExecutionTree::new(&limits), TreeShare::default());
/// execution.step(Timestamp::from_milliseconds(0), None);
/// assert_eq!(tree.note(&mut share, &execution, 1), TreeAction::ToBeCounted);
/// // Of all executions of the tree that are at hand.
/// tree.count(&mut share, &execution);
/// assert!(matches!(tree.record_count(), TreeAction::Exceeded(Input::Fail(_))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ExecutionTree {
    max_bytes: u64,
    max_transitions: u64,
    bytes: AtomicU64,
    transitions: AtomicU64,
    /// Estimated data at which a count starts.
    count_at: AtomicU64,
    /// Number of owners that have yet to count.
    counting: AtomicUsize,
    is_cut_off: AtomicBool,
}

/// The share of an execution in the account of its tree.
#[derive(Debug, Default)]
pub struct TreeShare {
    bytes: u64,
    /// All that it had made when that was noted.
    made: u64,
    transitions: u64,
}

/// The action that the limits of a tree require.
#[derive(Debug, PartialEq)]
#[non_exhaustive]
pub enum TreeAction {
    /// No action.
    Within,
    /// Every owner of executions counts their data, and then checks whether it is [too much](ExecutionTree::record_count).
    ToBeCounted,
    /// The root execution gets this input; nothing else of the tree runs any more.
    Exceeded(Input),
}

impl ExecutionTree {
    /// Creates the account of a tree with these limits. Children have the limits of their parent.
    pub fn new(limits: &Limits) -> Self {
        let max_bytes = limits.max_execution_bytes.unwrap_or(u64::MAX);
        Self {
            max_bytes,
            max_transitions: limits.max_transitions.unwrap_or(u64::MAX),
            bytes: AtomicU64::new(0),
            transitions: AtomicU64::new(0),
            count_at: AtomicU64::new(max_bytes),
            counting: AtomicUsize::new(0),
            is_cut_off: AtomicBool::new(false),
        }
    }

    /// Returns true if the tree exceeded its limits: the rest is stopped, not run.
    pub fn is_cut_off(&self) -> bool {
        self.is_cut_off.load(Relaxed)
    }

    /// Records the created data and the work of an execution since the last call. `counters` owners count the data, each for
    /// some of the executions.
    pub fn note(
        &self,
        share: &mut TreeShare,
        execution: &Execution,
        counters: usize,
    ) -> TreeAction {
        let made = execution.created_bytes().wrapping_sub(share.made);
        share.made = execution.created_bytes();
        share.bytes = share.bytes.saturating_add(made);
        let bytes = self.bytes.fetch_add(made, Relaxed).saturating_add(made);
        let done = execution.transitions().saturating_sub(share.transitions);
        share.transitions = execution.transitions();
        if self
            .transitions
            .fetch_add(done, Relaxed)
            .saturating_add(done)
            > self.max_transitions
        {
            return self.cut_off(format!(
                "the execution and its child executions made more than {} transitions, the limit that it was started with",
                self.max_transitions
            ));
        }
        let is_due = bytes > self.count_at.load(Relaxed);
        let begins = || {
            self.counting
                .compare_exchange(0, counters, Relaxed, Relaxed)
        };
        match is_due && !self.is_cut_off() && begins().is_ok() {
            true => TreeAction::ToBeCounted,
            false => TreeAction::Within,
        }
    }

    /// Replaces the estimate of an execution by its counted data.
    pub fn count(&self, share: &mut TreeShare, execution: &Execution) {
        self.bytes.fetch_sub(share.bytes, Relaxed);
        share.made = execution.created_bytes();
        share.bytes = execution.held_bytes();
        self.bytes.fetch_add(share.bytes, Relaxed);
    }

    /// Records that one owner has counted. After the last one, returns whether the limit is exceeded.
    pub fn record_count(&self) -> TreeAction {
        if self.counting.fetch_sub(1, Relaxed) > 1 {
            return TreeAction::Within;
        }
        let held = self.bytes.load(Relaxed);
        if held > self.max_bytes {
            return self.cut_off(format!(
                "the execution and its child executions hold more than {} bytes of data, the limit that it was started with (max_execution_bytes)",
                self.max_bytes
            ));
        }
        let next = held.saturating_add(self.max_bytes / SHARE);
        self.count_at.store(next.max(self.max_bytes), Relaxed);
        TreeAction::Within
    }

    /// Removes an ended execution: its data is released, or belongs to its parent.
    pub fn leave(&self, share: &mut TreeShare) {
        self.bytes.fetch_sub(share.bytes, Relaxed);
        share.bytes = 0;
    }

    fn cut_off(&self, cause: String) -> TreeAction {
        match self.is_cut_off.swap(true, Relaxed) {
            true => TreeAction::Within,
            false => {
                TreeAction::Exceeded(Input::Fail(ErrorOutput::new(error_names::RUNTIME, cause)))
            }
        }
    }
}
