//! An object that arrives in parts.
use super::error::FileFault;
use super::room::TooHeavy;
use crate::{PartStart, StorageResult};

/// An object of which parts were read: its unread bytes, and the start of the next part.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct PartialObject {
    /// Offset of the next part.
    pub(crate) next: u64,
    /// Entity tag of the object.
    pub(crate) etag: Option<String>,
    /// Bytes of the last parts of which no item was made yet.
    pub(crate) unread: Vec<u8>,
    /// Number of unread bytes with which the next item is looked for again. It doubles while an item is incomplete, so that a
    /// large item takes time in proportion to its size.
    pub(crate) wanted: u64,
    /// True once the object ends with the unread bytes.
    pub(crate) is_complete: bool,
}

impl PartialObject {
    /// Creates an object of which nothing was read, except that it had an entity tag.
    pub(super) fn new(etag: Option<String>) -> Self {
        Self {
            etag,
            ..Self::default()
        }
    }

    /// Returns the start of the next part; None for the first of an object that was not read before.
    pub(super) fn next_part(&self) -> Option<PartStart> {
        let is_known = self.next > 0 || self.etag.is_some();
        is_known.then(|| PartStart {
            offset: self.next,
            etag: self.etag.clone(),
        })
    }

    /// Adds what an object store answered.
    pub(super) fn add(&mut self, result: StorageResult, max_bytes: u64) -> Result<(), FileFault> {
        match result {
            StorageResult::Object(bytes) if self.next == 0 => {
                self.next = bytes.len() as u64;
                self.unread = bytes;
                self.is_complete = true;
            }
            StorageResult::Part(part) => {
                if let (Some(known), Some(found)) = (&self.etag, &part.etag)
                    && known != found
                {
                    return Err(FileFault::File(format!(
                        "the object changed while it was read: expected the entity tag {known}, found {found}"
                    )));
                }
                self.next += part.bytes.len() as u64;
                self.is_complete = self.next >= part.size;
                if part.bytes.is_empty() && !self.is_complete {
                    let (end, size) = (self.next, part.size);
                    return Err(FileFault::File(format!(
                        "the object ends after {end} bytes: expected {size}"
                    )));
                }
                self.etag = part.etag.or(self.etag.take());
                match self.unread.is_empty() {
                    true => self.unread = part.bytes,
                    false => self.unread.extend(part.bytes),
                }
            }
            _ => {
                let expected = match self.next {
                    0 => "an object",
                    _ => "a part of an object",
                };
                return Err(FileFault::Service(format!(
                    "expected {expected} as the answer of the object store"
                )));
            }
        }
        match self.unread.len() as u64 > max_bytes {
            true => Err(TooHeavy::of(max_bytes).into()),
            false => Ok(()),
        }
    }

    /// Returns true if there may be an item in the unread bytes.
    pub(super) fn is_worth_reading(&self) -> bool {
        self.is_complete || self.unread.len() as u64 >= self.wanted
    }

    /// Returns the text of the unread bytes, without a character that the next part completes.
    pub(super) fn text(&self) -> Result<&str, FileFault> {
        std::str::from_utf8(&self.unread).or_else(|error| {
            let (valid, rest) = self.unread.split_at(error.valid_up_to());
            match (error.error_len(), rest.first()) {
                (None, _) if !self.is_complete => {
                    Ok(std::str::from_utf8(valid).unwrap_or_default())
                }
                (Some(_), Some(byte)) => {
                    let at = self.offset() + valid.len() as u64;
                    Err(FileFault::File(format!(
                        "not UTF-8 text: found byte 0x{byte:02x} at offset {at}"
                    )))
                }
                _ => Err(FileFault::File(format!(
                    "not UTF-8 text: the character at offset {} is incomplete",
                    self.offset() + valid.len() as u64
                ))),
            }
        })
    }

    /// Returns the offset of the unread bytes.
    pub(super) fn offset(&self) -> u64 {
        self.next.saturating_sub(self.unread.len() as u64)
    }

    /// Drops bytes of which items were made.
    pub(super) fn consume(&mut self, bytes: usize) {
        self.wanted = match bytes {
            0 => 2 * self.unread.len() as u64,
            _ => 0,
        };
        self.unread.drain(..bytes.min(self.unread.len()));
    }
}
