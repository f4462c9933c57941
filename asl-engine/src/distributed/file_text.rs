//! Text of a file, from the first byte of which no item was made.
use super::room::Room;
use serde_json::Value;

/// Unread text of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileText<'t> {
    pub(super) text: &'t str,
    /// Bytes of the file before the text.
    pub(super) offset: u64,
    /// True if the file ends with the text.
    pub(super) is_last: bool,
}

#[cfg(test)]
impl<'t> FileText<'t> {
    /// Creates the text of a whole file.
    pub(super) fn whole(text: &'t str) -> Self {
        Self {
            text,
            offset: 0,
            is_last: true,
        }
    }
}

/// Limits of the items of a text.
#[derive(Debug)]
pub(super) struct ItemLimits {
    pub(super) max_items: usize,
    /// Levels of arrays and objects in an item.
    pub(super) max_depth: usize,
    pub(super) room: Room,
}

/// The items of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ReadItems {
    pub(super) items: Vec<Value>,
    /// Bytes of the text that are read. What follows is a part of an item.
    pub(super) bytes: usize,
}
