//! The executions in memory, by their ARNs: those of all event loops.
use crate::database::row::RowId;
use std::collections::HashMap;
use std::collections::hash_map::{Entry, RandomState};
use std::hash::BuildHasher as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Parts that are locked each by itself.
const PARTS: usize = 16;

type Part = HashMap<Arc<str>, RowId>;

/// The executions in memory, and those whose end is not durable yet, by their ARNs.
#[derive(Debug, Default)]
pub(crate) struct Directory {
    hasher: RandomState,
    parts: [Mutex<Part>; PARTS],
}

impl Directory {
    fn part(&self, arn: &str) -> MutexGuard<'_, Part> {
        let number = self.hasher.hash_one(arn) as usize % PARTS;
        let part = &self.parts[number];
        part.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the row of an execution.
    pub(crate) fn get(&self, arn: &str) -> Option<RowId> {
        self.part(arn).get(arn).copied()
    }

    /// Adds an execution.
    ///
    /// # Errors
    /// Claims an ARN for a row; the error is the row of another execution that has it.
    pub(crate) fn claim(&self, arn: &Arc<str>, row: RowId) -> Result<(), RowId> {
        match self.part(arn).entry(Arc::clone(arn)) {
            Entry::Occupied(known) if *known.get() != row => Err(*known.get()),
            Entry::Occupied(_) => Ok(()),
            Entry::Vacant(place) => {
                place.insert(row);
                Ok(())
            }
        }
    }

    /// Adds an execution in the place of an earlier run.
    pub(crate) fn insert(&self, arn: &Arc<str>, row: RowId) {
        self.part(arn).insert(Arc::clone(arn), row);
    }

    /// Removes an execution, unless another one has taken its ARN.
    pub(crate) fn remove(&self, arn: &str, row: RowId) {
        let mut part = self.part(arn);
        if part.get(arn) == Some(&row) {
            part.remove(arn);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arn_is_of_one_execution() {
        let (directory, arn) = (Directory::default(), Arc::<str>::from("arn:a"));
        assert_eq!(directory.claim(&arn, 1), Ok(()));
        assert_eq!(directory.claim(&arn, 2), Err(1));
        directory.remove(&arn, 2);
        assert_eq!(directory.get(&arn), Some(1));
        directory.insert(&arn, 3);
        directory.remove(&arn, 1);
        assert_eq!(directory.get(&arn), Some(3));
        directory.remove(&arn, 3);
        assert_eq!(directory.claim(&arn, 2), Ok(()));
    }
}
