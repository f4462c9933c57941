//! Pages of lists, and the tokens that lead from one to the next.
use crate::protocol::ApiError;
use asl_engine::Timestamp;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use std::time::Duration;

/// Default page size, also for 0 (recorded).
const DEFAULT_SIZE: usize = 100;
/// As the API Reference has it.
const LIFE: Duration = Duration::from_secs(24 * 60 * 60);
/// Bytes of the date at the front of a token.
const DATE_BYTES: usize = 8;
/// Bytes of the digest behind it, by which a token is of one list, and whole.
const DIGEST_BYTES: usize = 12;

/// Returns the number of entries on a page.
pub(crate) fn page_size(max_results: Option<usize>) -> usize {
    match max_results {
        None | Some(0) => DEFAULT_SIZE,
        Some(size) => size,
    }
}

/// A paged list: the query without the page size. Its tokens are invalid for other lists.
pub(crate) struct Pages<'a> {
    pub(crate) list: &'a [&'a str],
    pub(crate) now: Timestamp,
}

impl Pages<'_> {
    /// Returns the token that leads on after `cursor`.
    pub(crate) fn token(&self, cursor: &str) -> String {
        let date = self.now.milliseconds().to_be_bytes();
        let mut bytes = Vec::with_capacity(DATE_BYTES + DIGEST_BYTES + cursor.len());
        bytes.extend_from_slice(&date);
        bytes.extend_from_slice(&self.digest(&date, cursor.as_bytes()));
        bytes.extend_from_slice(cursor.as_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Returns the start of the page of a token; None for the first page.
    ///
    /// # Errors
    ///
    /// InvalidToken if it is malformed, belongs to another list, or is older than a day.
    pub(crate) fn cursor(&self, token: Option<&str>) -> Result<Option<String>, ApiError> {
        token
            .map(|token| self.read(token).ok_or_else(ApiError::invalid_token))
            .transpose()
    }

    fn read(&self, token: &str) -> Option<String> {
        let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
        let (date, rest) = bytes.split_first_chunk::<DATE_BYTES>()?;
        let (digest, cursor) = rest.split_first_chunk::<DIGEST_BYTES>()?;
        let made = Timestamp::from_milliseconds(i64::from_be_bytes(*date));
        let is_good = *digest == self.digest(date, cursor) && self.now.duration_since(made) < LIFE;
        is_good.then(|| String::from_utf8(cursor.to_vec()).ok())?
    }

    fn digest(&self, date: &[u8], cursor: &[u8]) -> [u8; DIGEST_BYTES] {
        let mut hash = Sha256::new();
        let parts = self.list.iter().map(|part| part.as_bytes());
        for part in parts.chain([date, cursor]) {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        let digest = hash.finalize();
        std::array::from_fn(|index| digest.get(index).copied().unwrap_or_default())
    }
}

/// Returns the first `size` entries of a list, and the last of them where more follow.
pub(crate) fn cut<T>(entries: &mut Vec<T>, size: usize) -> Option<&T> {
    if entries.len() <= size {
        return None;
    }
    entries.truncate(size);
    entries.last()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages<'a>(list: &'a [&'a str], seconds: u64) -> Pages<'a> {
        Pages {
            list,
            now: Timestamp::default().plus_seconds(seconds),
        }
    }

    #[test]
    fn a_token_leads_on_where_it_was_made() {
        let list = pages(&["ListActivities", "scope"], 5);
        let token = list.token("last name");
        assert_eq!(list.cursor(Some(&token)).unwrap().unwrap(), "last name");
        assert_eq!(list.cursor(None), Ok(None));
        let day = 24 * 60 * 60;
        let later = pages(&["ListActivities", "scope"], day + 4);
        assert!(later.cursor(Some(&token)).is_ok());
    }

    #[test]
    fn a_token_that_is_garbled_old_or_of_another_list_is_refused() {
        let list = pages(&["ListActivities", "scope"], 5);
        let token = list.token("last");
        let other = pages(&["ListActivities", "scop", "e"], 5);
        assert_eq!(other.cursor(Some(&token)), Err(ApiError::invalid_token()));
        let old = pages(&["ListActivities", "scope"], 24 * 60 * 60 + 5);
        assert_eq!(old.cursor(Some(&token)), Err(ApiError::invalid_token()));
        for index in 0..token.len() {
            let mut garbled = token.clone().into_bytes();
            garbled[index] = if garbled[index] == b'A' { b'B' } else { b'A' };
            let garbled = String::from_utf8(garbled).unwrap();
            assert!(list.cursor(Some(&garbled)).is_err(), "{index}");
            assert!(list.cursor(Some(&token[..index])).is_err(), "{index}");
        }
        assert!(list.cursor(Some("x")).is_err());
    }

    #[test]
    fn pages_are_of_100_unless_said_otherwise() {
        assert_eq!([None, Some(0), Some(7)].map(page_size), [100, 100, 7]);
        let mut entries = vec![1, 2, 3];
        assert_eq!(cut(&mut entries, 3), None);
        assert_eq!(cut(&mut entries, 2), Some(&2));
        assert_eq!(entries, [1, 2]);
    }
}
