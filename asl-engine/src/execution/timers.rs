//! What is due when.
use super::flow::FlowId;
use asl_model::Timestamp;
use std::collections::BTreeMap;

/// A moment at which a flow has something due; timers due at the same moment fire in the order they were set.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub(crate) struct Timer {
    pub(crate) at: Timestamp,
    number: u64,
}

#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Timers {
    /// As pairs, since JSON has no maps with such keys.
    #[serde(with = "pairs")]
    due: BTreeMap<Timer, TimerOwner>,
    next_number: u64,
}

/// Whose timer it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) enum TimerOwner {
    Flow(FlowId),
    /// The machine's own TimeoutSeconds.
    Machine,
}

impl Timers {
    pub(crate) fn set(&mut self, at: Timestamp, owner: TimerOwner) -> Timer {
        let timer = Timer {
            at,
            number: self.next_number,
        };
        self.next_number += 1;
        self.due.insert(timer, owner);
        timer
    }

    pub(crate) fn cancel(&mut self, timer: Timer) {
        self.due.remove(&timer);
    }

    pub(crate) fn next_due(&self) -> Option<Timestamp> {
        self.due.first_key_value().map(|(timer, _)| timer.at)
    }

    /// Takes the first timer that is due.
    pub(crate) fn take_due(&mut self, now: Timestamp) -> Option<(Timer, TimerOwner)> {
        let entry = self.due.first_entry()?;
        (entry.key().at <= now).then(|| entry.remove_entry())
    }
}

pub(super) mod pairs {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::collections::BTreeMap;

    pub(in crate::execution) fn serialize<K: Serialize, V: Serialize, S: Serializer>(
        map: &BTreeMap<K, V>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub(in crate::execution) fn deserialize<'de, K, V, D>(
        deserializer: D,
    ) -> Result<BTreeMap<K, V>, D::Error>
    where
        K: Deserialize<'de> + Ord,
        V: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        Ok(Vec::<(K, V)>::deserialize(deserializer)?
            .into_iter()
            .collect())
    }
}
