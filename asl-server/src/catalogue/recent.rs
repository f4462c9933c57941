//! A cache of parsed records of state machines, valid until they are written.
use super::StateMachineRecord;
use asl_backend::{Entry, EntryKey};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Maximum number of cached records; then the cache is cleared.
const MOST: usize = 256;

type Records = HashMap<EntryKey, (u64, Arc<StateMachineRecord>)>;

/// The records, each with the version of its entry.
#[derive(Default)]
pub(super) struct Recent {
    records: Mutex<Records>,
}

impl Recent {
    /// The record of an entry that was read, if it was parsed before.
    pub(super) fn get(&self, entry: &Entry) -> Option<Arc<StateMachineRecord>> {
        let records = self.records();
        let (version, record) = records.get(&entry.key)?;
        (*version == entry.version).then(|| Arc::clone(record))
    }

    pub(super) fn insert(&self, entry: Entry, record: &Arc<StateMachineRecord>) {
        let mut records = self.records();
        if records.len() >= MOST && !records.contains_key(&entry.key) {
            records.clear();
        }
        records.insert(entry.key, (entry.version, Arc::clone(record)));
    }

    fn records(&self) -> MutexGuard<'_, Records> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::machine::tests::created;
    use super::*;
    use asl_backend::EntryKind;

    fn entry(name: usize, version: u64) -> Entry {
        Entry {
            key: EntryKey {
                kind: EntryKind::StateMachine,
                scope: "s".into(),
                name: name.to_string().into(),
            },
            version,
            value: "".into(),
        }
    }

    #[test]
    fn a_record_is_known_until_its_entry_is_written() {
        let (recent, record) = (Recent::default(), Arc::new(created("d", false)));
        assert!(recent.get(&entry(0, 1)).is_none());
        recent.insert(entry(0, 1), &record);
        let known = recent.get(&entry(0, 1)).unwrap();
        assert!(Arc::ptr_eq(&known, &record));
        assert!(recent.get(&entry(0, 2)).is_none());
        assert!(recent.get(&entry(1, 1)).is_none());
    }

    #[test]
    fn no_more_records_are_kept_than_may_be() {
        let (recent, record) = (Recent::default(), Arc::new(created("d", false)));
        for name in 0..3 * MOST {
            recent.insert(entry(name, 1), &record);
            assert!(recent.records().len() <= MOST);
        }
        assert!(recent.get(&entry(3 * MOST - 1, 1)).is_some());
    }
}
