//! Due times: one queue for all executions and sleeping handlers.
use crate::EffectId;
use crate::runtime::ExecutionId;
use asl_model::Timestamp;
use std::collections::BTreeMap;
use tokio::sync::oneshot;

/// Names an entry of the queue: things due at the same moment keep the order in which they were added.
pub(super) type TimerKey = (Timestamp, u64);

/// Whom a moment concerns.
#[derive(Debug)]
pub(super) enum Due {
    /// An execution has something to continue with.
    Execution(ExecutionId),
    /// A task handler has slept enough.
    Sleeper {
        execution: ExecutionId,
        id: EffectId,
        wake: oneshot::Sender<()>,
    },
}

/// The queue. Entries can be removed, so none outlives its owner.
#[derive(Debug, Default)]
pub(super) struct Timetable {
    queue: BTreeMap<TimerKey, Due>,
    added: u64,
}

impl Timetable {
    pub(super) fn add(&mut self, moment: Timestamp, due: Due) -> TimerKey {
        let key = (moment, self.added);
        self.added += 1;
        self.queue.insert(key, due);
        key
    }

    pub(super) fn remove(&mut self, key: TimerKey) {
        self.queue.remove(&key);
    }

    /// Returns the next due time, without sleepers that are no longer needed.
    pub(super) fn next_moment(&mut self) -> Option<Timestamp> {
        loop {
            let first = self.queue.first_entry()?;
            match first.get() {
                Due::Sleeper { wake, .. } if wake.is_closed() => {
                    first.remove();
                }
                _ => return Some(first.key().0),
            }
        }
    }

    /// Removes and returns the first entry that is due at `now` or before.
    pub(super) fn take_due(&mut self, now: Timestamp) -> Option<Due> {
        let first = self.queue.first_entry()?;
        (first.key().0 <= now).then(|| first.remove())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number(due: Due) -> u64 {
        match due {
            Due::Execution(id) => id.number(),
            other @ Due::Sleeper { .. } => panic!("not an execution: {other:?}"),
        }
    }

    proptest! {
        /// Checks that entries come back by time, and for the same time in the order of their addition, for any order of
        /// additions and removals.
        #[test]
        fn wake_order_is_time_order(moments in prop::collection::vec((0_i64..20, any::<bool>()), 0..60)) {
            let mut timers = Timetable::default();
            let mut expected = Vec::new();
            for (number, (moment, kept)) in moments.iter().enumerate() {
                let number = number as u64;
                let due = Due::Execution(ExecutionId::new(number));
                let key = timers.add(Timestamp::from_milliseconds(*moment), due);
                if *kept { expected.push((*moment, number)) } else { timers.remove(key) }
            }
            expected.sort_unstable();
            for (moment, expected) in expected {
                let moment = Timestamp::from_milliseconds(moment);
                prop_assert_eq!(timers.next_moment(), Some(moment));
                prop_assert!(timers.take_due(Timestamp::from_nanoseconds(moment.nanoseconds() - 1)).is_none());
                prop_assert_eq!(timers.take_due(moment).map(number), Some(expected));
            }
            prop_assert_eq!(timers.next_moment(), None);
        }
    }

    #[test]
    fn a_sleeper_that_nobody_awaits_does_not_hold_the_queue() {
        let mut timers = Timetable::default();
        let (wake, awaited) = oneshot::channel();
        let sleeper = Due::Sleeper {
            execution: ExecutionId::new(0),
            id: EffectId(0),
            wake,
        };
        timers.add(Timestamp::from_milliseconds(1), sleeper);
        let later = Timestamp::from_milliseconds(2);
        timers.add(later, Due::Execution(ExecutionId::new(1)));
        drop(awaited);
        assert_eq!(timers.next_moment(), Some(later));
    }
}
