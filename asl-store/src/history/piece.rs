//! Pieces of a history: the texts of neighbouring events, packed together.
use crate::database::row::{packed, unpacked, unreadable};
use crate::database::sealed_history::PackedPiece;
use std::sync::Arc;

/// Bytes of texts in a piece, of which the last may go beyond it: what a page unpacks at least.
const PIECE_BYTES: usize = 1 << 20;
/// Events in a piece.
const PIECE_EVENTS: usize = 1_000;

/// Packs texts of events as they come.
#[derive(Debug)]
pub(crate) struct Packer {
    first: u64,
    count: usize,
    texts: String,
}

impl Packer {
    /// Packs the events from this one on.
    pub(crate) fn new(first: u64) -> Self {
        Self {
            first,
            count: 0,
            texts: String::new(),
        }
    }

    /// Adds the next event; returns a piece if it is complete.
    pub(crate) fn push(&mut self, text: &str) -> Option<PackedPiece> {
        if self.count > 0 {
            self.texts.push('\n');
        }
        self.texts.push_str(text);
        self.count += 1;
        let is_full = self.texts.len() >= PIECE_BYTES || self.count >= PIECE_EVENTS;
        is_full.then(|| self.take())
    }

    /// Returns the events since the last piece, if any.
    pub(crate) fn finish(mut self) -> Option<PackedPiece> {
        (self.count > 0).then(|| self.take())
    }

    /// Returns the id of the next event.
    pub(crate) fn next(&self) -> u64 {
        self.first + self.count as u64
    }

    fn take(&mut self) -> PackedPiece {
        let piece = (self.first, packed(self.texts.as_bytes()));
        *self = Self::new(self.next());
        piece
    }
}

/// Events that are packed together.
#[derive(Debug, Default)]
pub(super) struct Piece {
    first: u64,
    events: Vec<Arc<str>>,
}

impl Piece {
    /// Unpacks a piece that begins with this event.
    pub(super) fn unpack(first: u64, data: &[u8]) -> rusqlite::Result<Self> {
        let text = String::from_utf8(unpacked(data)?).map_err(|error| unreadable(error.into()))?;
        Ok(Self {
            first,
            events: text.lines().map(Into::into).collect(),
        })
    }

    pub(super) fn get(&self, id: u64) -> Option<&Arc<str>> {
        let place = usize::try_from(id.checked_sub(self.first)?).ok()?;
        self.events.get(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(texts: &[String]) -> Vec<PackedPiece> {
        let mut packer = Packer::new(1);
        let mut pieces: Vec<PackedPiece> =
            texts.iter().filter_map(|text| packer.push(text)).collect();
        assert_eq!(packer.next(), texts.len() as u64 + 1);
        pieces.extend(packer.finish());
        pieces
    }

    fn check(texts: &[String], count: usize) {
        let pieces = pieces(texts);
        assert_eq!(pieces.len(), count);
        for (id, text) in (1..).zip(texts) {
            let of = pieces.iter().rev().find(|(first, _)| *first <= id);
            let (first, data) = of.expect("a piece");
            let piece = Piece::unpack(*first, data).expect("it can be unpacked");
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
        let (first, data) = pieces(&["a".to_owned(), "b".to_owned()]).remove(0);
        let piece = Piece::unpack(first, &data).expect("it can be unpacked");
        assert!(piece.get(0).is_none() && piece.get(3).is_none());
    }
}
