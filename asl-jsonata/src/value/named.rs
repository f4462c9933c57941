//! Named entries, in the order of their names' first use.
use super::Text;
use std::collections::HashMap;

/// Entries by name; the order is that in which names were first set.
pub(crate) struct NamedEntries<'a, T> {
    entries: Vec<(Text<'a>, T)>,
    /// Indexes of entries, if there are too many for a linear search.
    index: HashMap<Text<'a>, usize>,
}

/// The entries in order.
pub(crate) type Iter<'v, 'a, T> = std::slice::Iter<'v, (Text<'a>, T)>;

impl<T> Default for NamedEntries<'_, T> {
    fn default() -> Self {
        Self::with_capacity(0)
    }
}

impl<'a, T> NamedEntries<'a, T> {
    /// Up to here a look through all the entries is as fast as hashing.
    const SEARCHED: usize = 8;

    pub(crate) fn with_capacity(entries: usize) -> Self {
        Self {
            entries: Vec::with_capacity(entries),
            index: HashMap::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn get(&self, name: &str) -> Option<&T> {
        Some(&self.entries.get(self.position(name)?)?.1)
    }

    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        let position = self.position(name)?;
        Some(&mut self.entries.get_mut(position)?.1)
    }

    /// Sets an entry, in the place of an earlier one of the same name.
    pub(crate) fn insert(&mut self, name: Text<'a>, value: T) {
        if let Some(known) = self.get_mut(&name) {
            *known = value;
            return;
        }
        self.push(name, value);
    }

    /// Adds an entry of a name that has none.
    pub(crate) fn push(&mut self, name: Text<'a>, value: T) {
        if !self.index.is_empty() {
            self.index.insert(name.clone(), self.entries.len());
        }
        self.entries.push((name, value));
        if self.index.is_empty() {
            self.index_if_many();
        }
    }

    /// Removes the entries of which `keep` says so.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&str) -> bool) {
        self.entries.retain(|(name, _)| keep(name));
        self.index.clear();
        self.index_if_many();
    }

    pub(crate) fn iter(&self) -> Iter<'_, 'a, T> {
        self.entries.iter()
    }

    fn index_if_many(&mut self) {
        if self.entries.len() > Self::SEARCHED {
            let entries = self.entries.iter().enumerate();
            self.index = entries.map(|(at, (name, _))| (name.clone(), at)).collect();
        }
    }

    fn position(&self, name: &str) -> Option<usize> {
        if self.index.is_empty() {
            self.entries.iter().position(|(known, _)| **known == *name)
        } else {
            self.index.get(name).copied()
        }
    }
}

impl<'a, T> IntoIterator for NamedEntries<'a, T> {
    type Item = (Text<'a>, T);
    type IntoIter = std::vec::IntoIter<(Text<'a>, T)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(named: &NamedEntries<'_, usize>) -> Vec<(String, usize)> {
        let entries = named.iter();
        entries
            .map(|(name, value)| (String::from(&**name), *value))
            .collect()
    }

    #[test]
    fn names_are_found_and_keep_their_places_however_many_there_are() {
        for count in [3, 8, 9, 50] {
            let mut named = NamedEntries::default();
            for at in 0..count {
                named.insert(Text::shared(format!("n{at}")), at);
            }
            named.insert(Text::Borrowed("n1"), 100);
            assert_eq!(named.len(), count);
            assert_eq!(named.get("n1"), Some(&100));
            assert_eq!(named.get("n"), None);
            assert_eq!(names(&named)[1], ("n1".to_owned(), 100));

            named.retain(|name| name != "n0");
            assert_eq!(named.len(), count - 1);
            assert_eq!(named.get("n0"), None);
            let last = count - 1;
            assert_eq!(named.get(&format!("n{last}")), Some(&last));
            named.insert(Text::Borrowed("n0"), 7);
            assert_eq!(names(&named).last(), Some(&("n0".to_owned(), 7)));
        }
    }
}
