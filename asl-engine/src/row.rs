//! Values by keys that mostly grow.
use std::collections::VecDeque;
use std::hint::cold_path;

/// Values in a row by key: new keys mostly come last, and mostly the first are removed. A removed value leaves a gap until
/// the row has many gaps.
#[derive(Debug)]
pub(crate) struct Row<K, V> {
    entries: VecDeque<(K, Option<V>)>,
    gaps: usize,
}

impl<K, V> Default for Row<K, V> {
    fn default() -> Self {
        Self {
            entries: VecDeque::new(),
            gaps: 0,
        }
    }
}

impl<K: Copy + Ord, V> Row<K, V> {
    /// The value of a key, in place of one that it had.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        if self.entries.capacity() == 0 {
            // Most rows hold one at a time; a deque would make room for four.
            self.entries.reserve_exact(1);
        }
        if self.entries.back().is_none_or(|(last, _)| *last < key) {
            return self.entries.push_back((key, Some(value)));
        }
        cold_path();
        match self.entries.binary_search_by_key(&key, |(key, _)| *key) {
            Ok(place) => {
                if let Some((_, found)) = self.entries.get_mut(place) {
                    self.gaps -= usize::from(found.is_none());
                    *found = Some(value);
                }
            }
            Err(place) => self.entries.insert(place, (key, Some(value))),
        }
    }

    fn place(&self, key: K) -> Option<usize> {
        match self.entries.front() {
            Some((first, _)) if *first == key => Some(0),
            _ => self
                .entries
                .binary_search_by_key(&key, |(key, _)| *key)
                .ok(),
        }
    }

    pub(crate) fn get(&self, key: K) -> Option<&V> {
        self.entries.get(self.place(key)?)?.1.as_ref()
    }

    #[cfg(feature = "runtime")]
    pub(crate) fn get_mut(&mut self, key: K) -> Option<&mut V> {
        let place = self.place(key)?;
        self.entries.get_mut(place)?.1.as_mut()
    }

    pub(crate) fn remove(&mut self, key: K) -> Option<V> {
        let place = self.place(key)?;
        if place == 0 && self.gaps == 0 {
            return self.entries.pop_front()?.1;
        }
        cold_path();
        let taken = self.entries.get_mut(place)?.1.take()?;
        self.gaps += 1;
        self.close_gaps();
        Some(taken)
    }

    fn close_gaps(&mut self) {
        let is_gap = |entry: &mut (K, Option<V>)| entry.1.is_none();
        while self.entries.pop_front_if(is_gap).is_some() {
            self.gaps -= 1;
        }
        while self.entries.pop_back_if(is_gap).is_some() {
            self.gaps -= 1;
        }
        if self.gaps > self.entries.len() / 2 {
            self.entries.retain(|(_, value)| value.is_some());
            self.gaps = 0;
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len() - self.gaps
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All, in the order of their keys.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (K, &V)> {
        self.entries
            .iter()
            .filter_map(|(key, value)| Some((*key, value.as_ref()?)))
    }

    /// Returns the values, in the order of their keys.
    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }

    /// Returns the values for changes, in the order of their keys.
    #[cfg(feature = "runtime")]
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries
            .iter_mut()
            .filter_map(|(_, value)| value.as_mut())
    }

    /// Returns the values, in the order of their keys.
    #[cfg(feature = "runtime")]
    pub(crate) fn into_values(self) -> impl Iterator<Item = V> {
        self.entries.into_iter().filter_map(|(_, value)| value)
    }
}

impl<K: Copy + Ord, V> FromIterator<(K, V)> for Row<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut row = Self::default();
        for (key, value) in entries {
            row.insert(key, value);
        }
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_row_with_gaps_stays_short() {
        let mut row = Row::default();
        row.insert(0, ());
        for key in (1..2_000).step_by(2) {
            row.insert(key, ());
            row.insert(key + 1, ());
            assert_eq!((row.remove(key), row.remove(key)), (Some(()), None));
            assert_eq!(row.get(key + 1), Some(&()));
            assert_eq!(row.remove(key + 1), Some(()));
        }
        assert!(row.entries.len() <= 4, "{}", row.entries.len());
        assert_eq!((row.remove(0), row.is_empty()), (Some(()), true));
    }

    proptest! {
        /// It is a map.
        #[test]
        fn it_holds_what_a_map_holds(steps in prop::collection::vec((any::<bool>(), 0..40_u8), 0..200)) {
            let (mut row, mut map) = (Row::default(), BTreeMap::new());
            for (number, (inserts, key)) in steps.into_iter().enumerate() {
                if inserts {
                    row.insert(key, number);
                    map.insert(key, number);
                } else {
                    prop_assert_eq!(row.remove(key), map.remove(&key));
                }
                prop_assert_eq!(row.len(), map.len());
                prop_assert_eq!(row.get(key), map.get(&key));
                prop_assert!(row.iter().eq(map.iter().map(|(key, value)| (*key, value))));
            }
        }
    }
}
