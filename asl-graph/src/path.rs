//! The line of a way, as SVG writes it.
use super::layout::{Command, Piece};
use std::fmt::Write;

/// Returns the path data of pieces.
pub(crate) fn data(pieces: &[&Piece]) -> String {
    let mut data = String::new();
    for (index, command) in pieces.iter().flat_map(|piece| &piece.commands).enumerate() {
        let _ = match command {
            Command::Move(to) if index == 0 => write!(data, "M{:.1} {:.1}", to.x, to.y),
            Command::Move(_) => Ok(()),
            Command::Line(to) => write!(data, "L{:.1} {:.1}", to.x, to.y),
            Command::Curve(a, b, to) => write!(
                data,
                "C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
                a.x, a.y, b.x, b.y, to.x, to.y
            ),
        };
    }
    data
}
