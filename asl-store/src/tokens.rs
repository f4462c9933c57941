//! The tokens of tasks: their key is made with the store and never leaves it.
use crate::OpenError;
use crate::database::meta;
use crate::error::OpenFault;
use asl_engine::{MacTokens, TaskTokens};
use rusqlite::Connection;
use std::sync::Arc;

/// Bytes of a key.
const KEY_BYTES: usize = 32;

/// Returns the source of a store's task tokens; its key is created if it does not exist.
pub(crate) fn open(connection: &Connection) -> Result<Arc<dyn TaskTokens>, OpenFault> {
    let key = match meta::token_key(connection)? {
        Some(key) => key,
        None => {
            let mut key = vec![0; KEY_BYTES];
            getrandom::fill(&mut key)
                .map_err(|error| OpenError::NoRandomness(error.to_string()))?;
            meta::write_token_key(connection, &key)?;
            key
        }
    };
    Ok(with_key(&key))
}

/// Returns the maker of task tokens with this key.
pub(crate) fn with_key(key: &[u8]) -> Arc<dyn TaskTokens> {
    Arc::new(MacTokens::new("store", key))
}
