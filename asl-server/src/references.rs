//! "variableReferences" of definitions that were shown lately. A definition never changes under its id.
use crate::protocol::ApiError;
use asl_backend::DefinitionId;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Maximum total bytes of definitions whose references are cached; then the cache is cleared.
const MOST_BYTES: usize = 16 << 20;
/// Minimum number of bytes counted per definition.
const FEWEST_BYTES: usize = 4 << 10;

/// None if no state refers to a variable.
type Shown = Option<Value>;

/// References by definition.
#[derive(Default)]
pub(crate) struct References {
    known: Mutex<CachedReferences>,
}

#[derive(Default)]
struct CachedReferences {
    references: HashMap<DefinitionId, Arc<Shown>>,
    bytes: usize,
}

impl References {
    /// Returns the references of a definition of so many bytes, computed if they are not cached.
    pub(crate) async fn of(
        &self,
        id: DefinitionId,
        bytes: usize,
        find: impl AsyncFnOnce() -> Result<Shown, ApiError>,
    ) -> Result<Arc<Shown>, ApiError> {
        let known = self.lock().references.get(&id).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let found = Arc::new(find().await?);
        self.lock().insert(id, bytes, Arc::clone(&found));
        Ok(found)
    }

    fn lock(&self) -> MutexGuard<'_, CachedReferences> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CachedReferences {
    fn insert(&mut self, id: DefinitionId, bytes: usize, found: Arc<Shown>) {
        let bytes = bytes.max(FEWEST_BYTES);
        if self.bytes.saturating_add(bytes) > MOST_BYTES {
            *self = Self::default();
        }
        // Two may have found the same.
        if self.references.insert(id, found).is_none() {
            self.bytes += bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn id(number: usize) -> DefinitionId {
        let mut id = [0; 32];
        id[..8].copy_from_slice(&number.to_le_bytes());
        DefinitionId(id)
    }

    #[tokio::test]
    async fn references_are_found_once() {
        let references = References::default();
        let found = Some(json!({"A": ["x"]}));
        let first = references.of(id(1), 10, async || Ok(found.clone())).await;
        assert_eq!(*first.unwrap(), found);
        let again = references.of(id(1), 10, async || panic!("they are known"));
        assert_eq!(*again.await.unwrap(), found);
        let other = references.of(id(2), 10, async || Ok(None)).await;
        assert_eq!(*other.unwrap(), None);
    }

    #[tokio::test]
    async fn a_fault_is_not_kept() {
        let references = References::default();
        let failed = || Err(ApiError::validation("it failed"));
        let first = references.of(id(1), 10, async || failed()).await;
        assert!(first.is_err());
        let again = references.of(id(1), 10, async || Ok(None)).await;
        assert_eq!(*again.unwrap(), None);
    }

    #[tokio::test]
    async fn no_more_is_kept_than_may_be() {
        let references = References::default();
        for number in 0..3 * MOST_BYTES / FEWEST_BYTES {
            references
                .of(id(number), 1, async || Ok(None))
                .await
                .unwrap();
            let known = references.lock();
            assert!(known.references.len() <= MOST_BYTES / FEWEST_BYTES);
            assert!(known.bytes <= MOST_BYTES);
        }
        references
            .of(id(0), MOST_BYTES, async || Ok(None))
            .await
            .unwrap();
        assert_eq!(references.lock().references.len(), 1);
    }
}
