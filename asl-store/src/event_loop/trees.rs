//! Resources of an execution together with the children of its Map Runs and their children: the limits of one execution
//! apply to the whole tree.
//!
//! An evicted execution counts with its last size. After the store is opened again, an execution counts from its first
//! input.
use super::EventLoop;
use super::resident::Resident;
use crate::database::row::RowId;
use asl_engine::{ExecutionTree, TreeAction, TreeShare};
use std::collections::HashMap;

/// Trees of executions with Map Runs, by root execution.
#[derive(Default)]
pub(super) struct Trees(HashMap<RowId, Tree>);

struct Tree {
    account: ExecutionTree,
    shares: HashMap<RowId, TreeShare>,
}

impl Trees {
    fn of(&mut self, resident: &Resident) -> &mut Tree {
        self.0.entry(resident.root()).or_insert_with(|| Tree {
            account: ExecutionTree::new(&resident.execution.start_parameters().limits),
            shares: HashMap::new(),
        })
    }

    /// Counts what an execution holds: when it came into memory, and before it leaves.
    pub(super) fn count(&mut self, resident: &Resident) {
        if is_of_tree(resident) {
            let tree = self.of(resident);
            let share = tree.shares.entry(resident.id).or_default();
            tree.account.count(share, &resident.execution);
        }
    }

    /// An execution ended.
    pub(super) fn leave(&mut self, root: RowId, row: RowId) {
        let Some(tree) = self.0.get_mut(&root) else {
            return;
        };
        if let Some(mut share) = tree.shares.remove(&row) {
            tree.account.leave(&mut share);
        }
        if tree.shares.is_empty() {
            self.0.remove(&root);
        }
    }
}

/// Returns true if it has children, or is one.
fn is_of_tree(resident: &Resident) -> bool {
    resident.parent.is_some() || resident.execution.program().has_map_runs()
}

impl EventLoop {
    /// Records the resources of an execution. If its tree exceeds the limits, the root execution fails, and all others end
    /// with it.
    pub(super) fn note_tree(&mut self, resident: &Resident) {
        if !is_of_tree(resident) {
            return;
        }
        let tree = self.trees.of(resident);
        let share = tree.shares.entry(resident.id).or_default();
        let noted = match tree.account.note(share, &resident.execution, 1) {
            TreeAction::ToBeCounted => self.count_tree(resident),
            noted => noted,
        };
        if let TreeAction::Exceeded(input) = noted {
            self.send_input(resident.root(), input);
        }
    }

    /// Counts all that are in memory of the tree of an execution which was taken out of its place.
    fn count_tree(&mut self, taken: &Resident) -> TreeAction {
        let tree = self.trees.of(taken);
        for (row, share) in &mut tree.shares {
            let resident = match *row == taken.id {
                true => Some(taken),
                false => self.residents.by_row.get(row).map(|resident| &**resident),
            };
            if let Some(resident) = resident {
                tree.account.count(share, &resident.execution);
            }
        }
        tree.account.record_count()
    }
}
