//! Positions of executions in lists: by parent, the day and the five minutes of their start, and one of sixteen shards.
//!
//! The position of an execution in its object is its start time and its ARN. Positions are compared as texts, so they are in
//! the order of the starts, and a page continues after the previous one, regardless of new executions.
use crate::messages::ListEntry;
use asl_backend::milliseconds;
use asl_engine::Timestamp;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;

/// Objects of five minutes, and of the feed.
pub(crate) const SHARDS: u8 = 16;
const MILLISECONDS_OF_A_SLOT: i64 = 5 * 60 * 1_000;
const MILLISECONDS_OF_A_DAY: i64 = 24 * 60 * 60 * 1_000;
/// Prefix of the keys of executions.
pub(super) const PLACE: &str = "place-";

/// An index object without its parent: a day, its five minutes, and a shard.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spot {
    pub(crate) day: String,
    /// Slot and shard, as texts that are in the order of the slots.
    pub(crate) part: String,
}

impl Spot {
    fn of_start(milliseconds: i64, shard: u8) -> Self {
        let slot = milliseconds.rem_euclid(MILLISECONDS_OF_A_DAY) / MILLISECONDS_OF_A_SLOT;
        Self {
            day: day_of(Timestamp::from_milliseconds(milliseconds)),
            part: format!("{slot:03}-{shard:x}"),
        }
    }

    /// Returns the object with the entry of an execution.
    pub(super) fn of(listed: &ListEntry) -> Self {
        Self::of_start(milliseconds(listed.start_date), shard_of(&listed.arn))
    }

    /// Returns the last spot of the five minutes that a place is in: pages continue there.
    pub(crate) fn last_of(place: &str) -> Option<Self> {
        let rest = place.strip_prefix(PLACE)?;
        let milliseconds = rest.split('-').next()?.parse().ok()?;
        Some(Self::of_start(milliseconds, SHARDS - 1))
    }

    /// Returns the object's key.
    pub(crate) fn key(&self, parent: &str) -> String {
        format!("{parent}|{}|{}", self.day, self.part)
    }

    /// Returns the parent and the object of a key.
    pub(super) fn from_key(key: &str) -> Option<(&str, Self)> {
        let (rest, part) = key.rsplit_once('|')?;
        let (parent, day) = rest.rsplit_once('|')?;
        let (day, part) = (day.to_owned(), part.to_owned());
        Some((parent, Self { day, part }))
    }
}

/// Returns the shard of an execution.
pub(crate) fn shard_of(arn: &str) -> u8 {
    let digest = Sha256::digest(arn);
    digest.first().copied().unwrap_or_default() % SHARDS
}

/// Returns the five minutes of a part.
pub(crate) fn slot_of(part: &str) -> &str {
    part.split('-').next().unwrap_or_default()
}

/// Returns the key of the directory of a day.
pub(crate) fn day_key(parent: &str, day: &str) -> String {
    format!("{parent}|{day}")
}

/// Executions by the objects that they are listed in.
pub(crate) fn by_object(
    all: impl IntoIterator<Item = ListEntry>,
) -> BTreeMap<String, Vec<ListEntry>> {
    let mut objects: BTreeMap<String, Vec<ListEntry>> = BTreeMap::new();
    for listed in all {
        let spot = Spot::of(&listed);
        for parent in listed.parents() {
            let those = objects.entry(spot.key(parent)).or_default();
            those.push(listed.clone());
        }
    }
    objects
}

/// Returns the position of an execution in its object.
pub(super) fn place_of(listed: &ListEntry) -> String {
    let milliseconds = milliseconds(listed.start_date);
    format!("{PLACE}{milliseconds:015}-{}", listed.arn)
}

/// The day that a moment is of, in UTC.
fn day_of(moment: Timestamp) -> String {
    let text = moment.to_rfc3339();
    let day = text.split('T').next();
    day.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::tests::listed;
    use super::*;

    #[test]
    fn an_execution_is_listed_by_its_machine_and_its_version() {
        let mut of_a_version = listed("e", 86_400_000 + 10 * 60_000);
        of_a_version.version_arn = Some("arn:m:1".into());
        let objects = by_object([of_a_version.clone()]);
        let keys: Vec<&str> = objects.keys().map(String::as_str).collect();
        let Spot { part, .. } = Spot::of(&of_a_version);
        assert_eq!(slot_of(&part), "002");
        let expected = ["arn:m:1", "arn:m"].map(|parent| format!("{parent}|1970-01-02|{part}"));
        assert_eq!(keys, expected);
    }

    #[test]
    fn a_key_says_what_its_object_is_of() {
        let spot = Spot::of(&listed("e", 1_795_400_000_000));
        let key = spot.key("arn:m|odd");
        assert_eq!(Spot::from_key(&key), Some(("arn:m|odd", spot)));
        assert_eq!(Spot::from_key("arn:m"), None);
    }

    #[test]
    fn places_are_in_the_order_of_the_starts_and_know_their_five_minutes() {
        let [earlier, later] = [999, 1_795_400_000_000].map(|at| place_of(&listed("e", at)));
        assert!(earlier < later);
        let spot = Spot::last_of(&later).unwrap();
        assert_eq!((&*spot.day, &*spot.part), ("2026-11-23", "026-f"));
        assert!(Spot::of(&listed("e", 1_795_400_000_000)) <= spot);
        assert_eq!(Spot::last_of("elsewhere"), None);
    }
}
