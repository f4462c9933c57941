//! Timers.
use super::ids::FlowId;
use asl_model::Timestamp;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// A moment at which a flow has something due; timers due at the same moment fire in the order they were set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Timer {
    pub(crate) at: Timestamp,
    pub(crate) number: u64,
}

/// Owner of a timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimerOwner {
    Flow(FlowId),
    /// The machine's own TimeoutSeconds.
    Machine,
}

/// All timers of an execution, in the order in which they fire.
#[derive(Debug, Default)]
pub(crate) struct Timers {
    due: Due,
    next_number: u64,
}

/// Few timers, which is what most executions have, are a row; many are a tree.
#[derive(Debug)]
enum Due {
    /// The first to fire is the last.
    Row(SmallVec<[(Timer, TimerOwner); 1]>),
    Tree(BTreeMap<Timer, TimerOwner>),
}

/// Number of timers in a row.
const ROW: usize = 8;

impl Default for Due {
    fn default() -> Self {
        Self::Row(SmallVec::new())
    }
}

impl Timers {
    pub(crate) fn set(&mut self, at: Timestamp, owner: TimerOwner) -> Timer {
        let number = self.next_number;
        self.next_number += 1;
        let timer = Timer { at, number };
        match &mut self.due {
            Due::Row(row) if row.len() < ROW => {
                let place = row.partition_point(|(other, _)| *other > timer);
                row.insert(place, (timer, owner));
            }
            Due::Row(row) => {
                let mut tree: BTreeMap<_, _> = row.drain(..).collect();
                tree.insert(timer, owner);
                self.due = Due::Tree(tree);
            }
            Due::Tree(tree) => {
                tree.insert(timer, owner);
            }
        }
        timer
    }

    pub(crate) fn cancel(&mut self, timer: Timer) {
        match &mut self.due {
            Due::Row(row) => row.retain(|(other, _)| *other != timer),
            Due::Tree(tree) => {
                tree.remove(&timer);
                if tree.is_empty() {
                    self.due = Due::default();
                }
            }
        }
    }

    pub(crate) fn next_due(&self) -> Option<Timestamp> {
        self.first().map(|(timer, _)| timer.at)
    }

    /// Returns the first timer to fire.
    pub(crate) fn first(&self) -> Option<(Timer, TimerOwner)> {
        match &self.due {
            Due::Row(row) => row.last().copied(),
            Due::Tree(tree) => tree
                .first_key_value()
                .map(|(timer, owner)| (*timer, *owner)),
        }
    }

    /// Takes the first timer that is due.
    #[inline]
    pub(crate) fn take_due(&mut self, now: Timestamp) -> Option<(Timer, TimerOwner)> {
        match &mut self.due {
            Due::Row(row) => match row.last() {
                Some((timer, _)) if timer.at <= now => row.pop(),
                _ => None,
            },
            Due::Tree(tree) => {
                let first = tree.first_entry()?;
                (first.key().at <= now).then(|| first.remove_entry())
            }
        }
    }

    /// Forgets all; numbers continue.
    pub(crate) fn clear(&mut self) {
        self.due = Due::default();
    }

    /// Returns all timers, the first to fire first.
    pub(crate) fn all(&self) -> Vec<(Timer, TimerOwner)> {
        match &self.due {
            Due::Row(row) => row.iter().rev().copied().collect(),
            Due::Tree(tree) => tree.iter().map(|(timer, owner)| (*timer, *owner)).collect(),
        }
    }

    /// Returns the number that the next timer gets.
    pub(crate) fn next_number(&self) -> u64 {
        self.next_number
    }

    /// Timers as they were kept.
    pub(crate) fn from_kept(kept: Vec<(Timer, TimerOwner)>, next_number: u64) -> Self {
        let due = if kept.len() <= ROW {
            let mut row = kept;
            row.sort_by(|(one, _), (other, _)| other.cmp(one));
            Due::Row(row.into())
        } else {
            Due::Tree(kept.into_iter().collect())
        };
        Self { due, next_number }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Timestamp {
        Timestamp::default().plus_seconds(seconds)
    }

    #[test]
    fn timers_fire_in_order_however_many_there_are() {
        for count in [3, ROW as u64, ROW as u64 + 1, 40] {
            let mut timers = Timers::default();
            let set: Vec<Timer> = (0..count)
                .map(|n| timers.set(at(n * 7 % 5), TimerOwner::Machine))
                .collect();
            timers.cancel(set[1]);
            let mut expected: Vec<Timer> = set.clone();
            expected.remove(1);
            expected.sort();
            assert_eq!(timers.next_due(), Some(expected[0].at));
            let mut fired = Vec::new();
            while let Some((timer, _)) = timers.take_due(at(4)) {
                fired.push(timer);
            }
            assert_eq!(fired, expected);
            assert_eq!(timers.next_due(), None);
        }
    }
}
