//! Pieces of a history: the texts of neighbouring events, packed together.
use crate::BackendError;
use std::sync::Arc;

/// Bytes of texts in a piece; the last text may exceed it. A page unpacks at least one piece.
const PIECE_BYTES: usize = 1 << 20;
/// Events in a piece.
const PIECE_EVENTS: usize = 1_000;

/// Packed events that follow each other.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "backends and their callers fill in every field"
)]
pub struct HistoryPiece {
    /// The id of the first event.
    pub first: u64,
    /// The texts, packed.
    pub packed: Vec<u8>,
}

/// Packs the texts of events in order.
///
/// ```
/// use asl_backend::{HistoryPacker, UnpackedPiece};
///
/// let mut packer = HistoryPacker::new(1);
/// assert_eq!(packer.push("{}"), None);
/// let piece = packer.finish().unwrap();
/// let events = UnpackedPiece::unpack(piece.first, &piece.packed)?;
/// assert_eq!(events.get(1).map(|text| &**text), Some("{}"));
/// # Ok::<(), asl_backend::BackendError>(())
/// ```
#[derive(Debug)]
pub struct HistoryPacker {
    first: u64,
    count: usize,
    texts: String,
}

impl HistoryPacker {
    /// Packs the events from this id on.
    pub fn new(first: u64) -> Self {
        Self {
            first,
            count: 0,
            texts: String::new(),
        }
    }

    /// Adds the text of the next event, which is one line. Returns a piece if it is complete.
    pub fn push(&mut self, text: &str) -> Option<HistoryPiece> {
        if self.count > 0 {
            self.texts.push('\n');
        }
        self.texts.push_str(text);
        self.count += 1;
        let is_full = self.texts.len() >= PIECE_BYTES || self.count >= PIECE_EVENTS;
        is_full.then(|| self.take())
    }

    /// Returns the events since the last piece, if any. The next piece continues after them.
    pub fn finish(&mut self) -> Option<HistoryPiece> {
        (self.count > 0).then(|| self.take())
    }

    /// Returns the id of the next event.
    pub fn next_id(&self) -> u64 {
        self.first + self.count as u64
    }

    fn take(&mut self) -> HistoryPiece {
        let piece = HistoryPiece {
            first: self.first,
            packed: lz4_flex::compress_prepend_size(self.texts.as_bytes()),
        };
        *self = Self::new(self.next_id());
        piece
    }
}

/// The events of a piece.
#[derive(Debug, Default)]
pub struct UnpackedPiece {
    first: u64,
    events: Vec<Arc<str>>,
}

impl UnpackedPiece {
    /// Unpacks a piece whose first event has this id.
    ///
    /// # Errors
    /// The data is not a piece.
    pub fn unpack(first: u64, packed: &[u8]) -> Result<Self, BackendError> {
        let broken = |why: String| BackendError::Broken(format!("a piece of the history: {why}"));
        let text = lz4_flex::decompress_size_prepended(packed);
        let text = text.map_err(|error| broken(error.to_string()))?;
        let text = String::from_utf8(text).map_err(|error| broken(error.to_string()))?;
        Ok(Self {
            first,
            events: text.split('\n').map(Into::into).collect(),
        })
    }

    /// Returns the text of an event, if it is in the piece.
    pub fn get(&self, id: u64) -> Option<&Arc<str>> {
        let place = usize::try_from(id.checked_sub(self.first)?).ok()?;
        self.events.get(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(texts: &[String]) -> Vec<HistoryPiece> {
        let mut packer = HistoryPacker::new(1);
        let pieces = texts.iter().filter_map(|text| packer.push(text));
        let mut pieces: Vec<HistoryPiece> = pieces.collect();
        assert_eq!(packer.next_id(), texts.len() as u64 + 1);
        pieces.extend(packer.finish());
        pieces
    }

    fn check(texts: &[String], count: usize) {
        let pieces = pieces(texts);
        assert_eq!(pieces.len(), count);
        for (id, text) in (1..).zip(texts) {
            let of = pieces.iter().rev().find(|piece| piece.first <= id);
            let HistoryPiece { first, packed } = of.expect("a piece");
            let piece = UnpackedPiece::unpack(*first, packed).expect("it can be unpacked");
            assert_eq!(piece.get(id).map(|text| &**text), Some(&**text));
        }
    }

    #[test]
    fn pieces_have_so_many_events_or_bytes() {
        check(&[], 0);
        check(&["{}".to_owned()], 1);
        let short: Vec<String> = (0..2_500).map(|id| format!("{{\"id\":{id}}}")).collect();
        check(&short, 3);
        let long: Vec<String> = (0..5).map(|_| "x".repeat(PIECE_BYTES / 2)).collect();
        check(&long, 3);
    }

    #[test]
    fn no_event_is_found_outside_of_a_piece() {
        let HistoryPiece { first, packed } = pieces(&["a".to_owned(), "b".to_owned()]).remove(0);
        let piece = UnpackedPiece::unpack(first, &packed).expect("it can be unpacked");
        assert!(piece.get(0).is_none() && piece.get(3).is_none());
    }

    #[test]
    fn data_that_is_not_a_piece_is_refused() {
        let refused = UnpackedPiece::unpack(1, &[]).unwrap_err().to_string();
        assert!(refused.starts_with("a piece of the history: "), "{refused}");
    }
}
