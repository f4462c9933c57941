//! What an execution takes together with the children of its Map Runs, and theirs: as much as one alone may.
//!
//! An execution that is not in memory counts with what it held when it left. After the store was opened again it counts from
//! when it is told something.
use super::EventLoop;
use super::hot::Hot;
use crate::database::row::RowId;
use asl_engine::{ExecutionTree, Noted, TreeShare};
use std::collections::HashMap;

/// The trees of executions that have Map Runs, by the execution that somebody started.
#[derive(Default)]
pub(super) struct Trees(HashMap<RowId, Tree>);

struct Tree {
    account: ExecutionTree,
    shares: HashMap<RowId, TreeShare>,
}

impl Trees {
    fn of(&mut self, hot: &Hot) -> &mut Tree {
        self.0.entry(hot.root()).or_insert_with(|| Tree {
            account: ExecutionTree::new(&hot.execution.start_parameters().limits),
            shares: HashMap::new(),
        })
    }

    /// Counts what an execution holds: when it came into memory, and before it leaves.
    pub(super) fn count(&mut self, hot: &Hot) {
        if is_of_tree(hot) {
            let tree = self.of(hot);
            let share = tree.shares.entry(hot.id).or_default();
            tree.account.count(share, &hot.execution);
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

/// Whether it has children, or is one.
fn is_of_tree(hot: &Hot) -> bool {
    hot.parent.is_some() || hot.execution.program().has_map_runs()
}

impl EventLoop {
    /// Notes what an execution took; with too much for its tree, the one that somebody started fails, and all others end with
    /// it.
    pub(super) fn note_tree(&mut self, hot: &Hot) {
        if !is_of_tree(hot) {
            return;
        }
        let tree = self.trees.of(hot);
        let share = tree.shares.entry(hot.id).or_default();
        let noted = match tree.account.note(share, &hot.execution, 1) {
            Noted::ToBeCounted => self.count_tree(hot),
            noted => noted,
        };
        if let Noted::Exceeded(input) = noted {
            self.told.push_back((hot.root(), input));
        }
    }

    /// Counts all that are in memory of the tree of an execution which was taken out of its place.
    fn count_tree(&mut self, taken: &Hot) -> Noted {
        let tree = self.trees.of(taken);
        for (row, share) in &mut tree.shares {
            let hot = match *row == taken.id {
                true => Some(taken),
                false => self.hot.get(row).map(|hot| &**hot),
            };
            if let Some(hot) = hot {
                tree.account.count(share, &hot.execution);
            }
        }
        tree.account.counted()
    }
}
