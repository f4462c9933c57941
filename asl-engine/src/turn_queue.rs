//! Executions that wait for a thread to compute on, each tree of executions in its turn.
use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// A queue of executions that wait for a turn. Trees of executions have turns one after the other, however many executions wait
/// in each: `R` names the root of a tree, `T` is what waits.
///
/// ```
/// use asl_engine::TurnQueue;
///
/// let mut queue = TurnQueue::default();
/// for (root, execution) in [("first", "first"), ("first", "child"), ("second", "second")] {
///     queue.push(root, execution);
/// }
/// assert_eq!(queue.take(&"first", |it| *it == "child"), Some("child"));
/// queue.push("first", "child");
/// let turns: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
/// assert_eq!(turns, ["first", "second", "child"]);
/// ```
#[derive(Debug)]
pub struct TurnQueue<R, T> {
    /// Each root of `by_root`, in the order of their turns.
    order: VecDeque<R>,
    by_root: HashMap<R, VecDeque<T>>,
}

impl<R, T> Default for TurnQueue<R, T> {
    fn default() -> Self {
        Self {
            order: VecDeque::new(),
            by_root: HashMap::new(),
        }
    }
}

impl<R: Copy + Eq + Hash, T> TurnQueue<R, T> {
    /// Adds an execution behind those of its tree; a tree that has none in the queue comes after all others.
    pub fn push(&mut self, root: R, execution: T) {
        match self.by_root.entry(root) {
            Entry::Occupied(of_root) => of_root.into_mut().push_back(execution),
            Entry::Vacant(place) => {
                place.insert(VecDeque::from([execution]));
                self.order.push_back(root);
            }
        }
    }

    /// Takes the execution whose turn it is.
    pub fn pop(&mut self) -> Option<T> {
        while let Some(root) = self.order.pop_front() {
            let Some(mut of_root) = self.by_root.remove(&root) else {
                continue;
            };
            let execution = of_root.pop_front();
            if !of_root.is_empty() {
                self.by_root.insert(root, of_root);
                self.order.push_back(root);
            }
            if execution.is_some() {
                return execution;
            }
        }
        None
    }

    /// Takes the first execution of a tree that `is_wanted`; the tree keeps its place.
    pub fn take(&mut self, root: &R, is_wanted: impl Fn(&T) -> bool) -> Option<T> {
        let of_root = self.by_root.get_mut(root)?;
        let place = of_root.iter().position(is_wanted)?;
        of_root.remove(place)
    }

    /// Removes all executions.
    pub fn clear(&mut self) {
        self.order.clear();
        self.by_root.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_tree_of_many_executions_has_no_more_turns_than_others() {
        let mut queue = TurnQueue::default();
        for number in 0..100 {
            queue.push('a', number);
        }
        queue.push('b', 100);
        assert_eq!([queue.pop(), queue.pop()], [Some(0), Some(100)]);
    }

    proptest! {
        /// Checks that every waiting entry comes exactly once, and each tree's in order, for any entries taken out of turn.
        #[test]
        fn all_that_waits_has_its_turn(roots in prop::collection::vec(0_u8..4, 0..30), taken in prop::collection::vec(0_usize..30, 0..30)) {
            let mut queue = TurnQueue::default();
            let mut expected: Vec<(u8, usize)> = roots.iter().copied().zip(0..).collect();
            for (root, number) in &expected {
                queue.push(*root, *number);
            }
            for number in taken {
                let Some(root) = roots.get(number) else { continue };
                let is_there = expected.contains(&(*root, number));
                prop_assert_eq!(queue.take(root, |it| *it == number).is_some(), is_there);
                expected.retain(|(_, it)| *it != number);
            }
            let mut turns: Vec<(u8, usize)> = std::iter::from_fn(|| queue.pop()).map(|number| (roots[number], number)).collect();
            turns.sort_by_key(|(root, _)| *root);
            expected.sort();
            prop_assert_eq!(turns, expected);
        }
    }
}
