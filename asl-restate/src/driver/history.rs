//! The history of an execution, in packed pieces, until it is sealed.
use asl_backend::{HistoryPacker, HistoryPiece, event_text};
use asl_engine::HistoryEvent;

/// Events that are not sealed.
pub(super) struct UnsealedEvents {
    pieces: Vec<HistoryPiece>,
    packer: HistoryPacker,
}

impl Default for UnsealedEvents {
    fn default() -> Self {
        Self {
            pieces: Vec::new(),
            packer: HistoryPacker::new(1),
        }
    }
}

impl UnsealedEvents {
    pub(super) fn note(&mut self, event: &HistoryEvent) {
        self.pieces.extend(self.packer.push(&event_text(event)));
    }

    /// Returns the pieces that were not taken before, and how many events there are in all.
    pub(super) fn take(&mut self) -> (Vec<HistoryPiece>, u64) {
        self.pieces.extend(self.packer.finish());
        (std::mem::take(&mut self.pieces), self.packer.next_id() - 1)
    }
}
