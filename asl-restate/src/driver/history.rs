//! The history of an execution, in packed pieces, until it is sealed.
use crate::messages::HistoryPiece;
use asl_backend::event_text;
use asl_engine::HistoryEvent;

/// Events of one piece, and bytes after which it gets no more.
const MOST_EVENTS: u64 = 1_000;
const MOST_BYTES: usize = 1 << 20;

/// Events that are not sealed.
#[derive(Default)]
pub(super) struct UnsealedEvents {
    pieces: Vec<HistoryPiece>,
    /// Events so far, and those of them that are in pieces.
    events: u64,
    packed: u64,
    /// Lines of the others.
    lines: String,
}

impl UnsealedEvents {
    pub(super) fn note(&mut self, event: &HistoryEvent) {
        self.lines.push_str(&event_text(event));
        self.lines.push('\n');
        self.events += 1;
        if self.events - self.packed >= MOST_EVENTS || self.lines.len() >= MOST_BYTES {
            self.pack();
        }
    }

    fn pack(&mut self) {
        if self.events == self.packed {
            return;
        }
        self.pieces.push(HistoryPiece {
            first: self.packed + 1,
            packed: lz4_flex::compress_prepend_size(self.lines.as_bytes()),
        });
        self.packed = self.events;
        self.lines = String::new();
    }

    /// Returns the pieces that were not taken before, and how many events there are in all.
    pub(super) fn take(&mut self) -> (Vec<HistoryPiece>, u64) {
        self.pack();
        (std::mem::take(&mut self.pieces), self.events)
    }
}
