//! A bounded cache of recently computed values, such as replayed histories.
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Stores the values that were added last, up to a number and a size.
///
/// ```
/// use asl_backend::RecentCache;
///
/// let cache = RecentCache::new(2, 100, |text: &String| text.len());
/// cache.put("a", "first".to_owned(), |_| false);
/// assert_eq!(cache.take(|key| *key == "a").map(|(_, text)| text).as_deref(), Some("first"));
/// assert!(cache.take(|key| *key == "a").is_none());
/// ```
#[derive(Debug)]
pub struct RecentCache<K, V> {
    values: Mutex<VecDeque<(K, V)>>,
    max_values: usize,
    max_bytes: usize,
    size: fn(&V) -> usize,
}

impl<K, V> RecentCache<K, V> {
    /// Creates a cache with the maximum number of values, their maximum total size, and the size of a value.
    pub fn new(max_values: usize, max_bytes: usize, size: fn(&V) -> usize) -> Self {
        Self {
            values: Mutex::default(),
            max_values,
            max_bytes,
            size,
        }
    }

    /// Returns a copy of the value whose key matches.
    pub fn get(&self, is_it: impl Fn(&K) -> bool) -> Option<V>
    where
        V: Clone,
    {
        let values = self.values();
        let found = values.iter().find(|(key, _)| is_it(key));
        found.map(|(_, value)| value.clone())
    }

    /// Removes the value whose key matches, and returns both.
    pub fn take(&self, is_it: impl Fn(&K) -> bool) -> Option<(K, V)> {
        let mut values = self.values();
        let at = values.iter().position(|(key, _)| is_it(key))?;
        values.remove(at)
    }

    /// Adds a value, in place of those whose keys match. The oldest values leave if there are too many.
    pub fn put(&self, key: K, value: V, replaces: impl Fn(&K) -> bool) {
        let mut values = self.values();
        values.retain(|(known, _)| !replaces(known));
        values.push_back((key, value));
        let mut bytes: usize = values.iter().map(|(_, value)| (self.size)(value)).sum();
        while values.len() > self.max_values || bytes > self.max_bytes {
            let Some((_, oldest)) = values.pop_front() else {
                return;
            };
            bytes -= (self.size)(&oldest);
        }
    }

    fn values(&self) -> MutexGuard<'_, VecDeque<(K, V)>> {
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_values_remain_up_to_a_number_and_a_size() {
        let cache = RecentCache::new(2, 10, |text: &&str| text.len());
        for (key, text) in [(1, "a"), (2, "b"), (3, "c")] {
            cache.put(key, text, |_| false);
        }
        assert_eq!(
            [1, 2, 3].map(|key| cache.get(|it| *it == key)),
            [None, Some("b"), Some("c")]
        );
        cache.put(4, "x", |key| *key == 3);
        assert_eq!(
            [2, 3, 4].map(|key| cache.get(|it| *it == key)),
            [Some("b"), None, Some("x")]
        );
        cache.put(5, "ten letters and more", |_| false);
        assert!(cache.values().is_empty());
    }
}
