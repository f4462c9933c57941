//! The text of a definition that was put together from parts of files.
use crate::{File, Place};
use std::fmt::Write as _;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// Bytes that a definition which is put together may have.
pub(crate) const MOST_BYTES: usize = 16 << 20;

/// Parts of one text that come from different places.
const MOST_PIECES: usize = 4 << 20;

/// A text of which each byte comes from a place of a file: copied from there, or made of what stands there.
///
/// This is the source map of a definition within a template: [`place_at`](Self::place_at) leads from the definition's own text, in
/// which its faults are found, to the file that a person edits. The bytes of a string with escapes, the lines of a block of YAML and
/// the pieces of a `Fn::Join` lead to where each of them is written; what stands for a placeholder or a function leads to that.
#[derive(Debug, Clone, Default)]
pub struct DefinitionText {
    text: String,
    files: Vec<Arc<File>>,
    pieces: Vec<Piece>,
    is_cut: bool,
}

/// A part of the text, up to where the next one begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece {
    at: usize,
    source: usize,
    file: u32,
    /// The file has the same bytes there; else all of it stands for what begins there.
    is_copied: bool,
}

impl DefinitionText {
    /// Creates the text of a whole file.
    pub fn from_file(file: &Arc<File>) -> Self {
        let mut text = Self::default();
        text.push_copied(file, 0, file.text());
        text
    }

    /// Returns true for the same text out of the same places.
    pub(crate) fn is_same_as(&self, other: &Self) -> bool {
        let paths = |text: &Self| -> Vec<PathBuf> {
            text.files().map(|file| file.path().to_owned()).collect()
        };
        self.text == other.text && self.pieces == other.pieces && paths(self) == paths(other)
    }

    /// Returns the text: JSON or YAML.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Bytes of memory that it takes, about.
    pub(crate) fn weight(&self) -> usize {
        self.text.len() + size_of_val(self.pieces.as_slice())
    }

    /// Returns true if nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns the files that its parts come from, in the order in which they were met.
    pub fn files(&self) -> impl Iterator<Item = &Arc<File>> {
        self.files.iter()
    }

    /// Returns the origin of the byte at `offset`; None for an empty text.
    pub fn place_at(&self, offset: usize) -> Option<Place<'_>> {
        let (piece, file) = self.piece_at(offset)?;
        let end = offset.min(self.text.len()).saturating_sub(piece.at);
        Some(Place {
            file,
            offset: piece.source + if piece.is_copied { end } else { 0 },
        })
    }

    /// The same, with the file to keep.
    pub(crate) fn source_of(&self, offset: usize) -> Option<(Arc<File>, usize)> {
        let place = self.place_at(offset)?;
        let (piece, _) = self.piece_at(offset)?;
        Some((
            Arc::clone(self.files.get(piece.file as usize)?),
            place.offset,
        ))
    }

    /// Returns true if the byte at `offset` is copied from a file unchanged.
    pub(crate) fn is_copied_at(&self, offset: usize) -> bool {
        self.piece_at(offset)
            .is_some_and(|(piece, _)| piece.is_copied)
    }

    /// Returns the origin of the last byte in a range that comes from the same file as the first.
    pub(crate) fn last_place(&self, range: Range<usize>) -> Option<Place<'_>> {
        let (first, file) = self.piece_at(range.start)?;
        let begin = self.pieces.partition_point(|piece| piece.at <= first.at);
        let inner = self.pieces.get(begin..).unwrap_or_default();
        let inner = inner.iter().take_while(|piece| piece.at < range.end);
        let of_file = inner.filter(|piece| piece.file == first.file);
        let all = of_file.chain([first]);
        let last = all.max_by_key(|piece| piece.source).unwrap_or(first);
        let next = self.pieces.partition_point(|piece| piece.at <= last.at);
        let end = self
            .pieces
            .get(next)
            .map_or(self.text.len(), |next| next.at);
        let length = end
            .min(range.end)
            .saturating_sub(last.at.max(range.start) + 1);
        let offset = match last.is_copied {
            true => last.source + range.start.saturating_sub(last.at) + length,
            false => last.source,
        };
        Some(Place { file, offset })
    }

    fn piece_at(&self, offset: usize) -> Option<(&Piece, &File)> {
        let next = self.pieces.partition_point(|piece| piece.at <= offset);
        let piece = self.pieces.get(next.checked_sub(1)?)?;
        Some((piece, self.files.get(piece.file as usize)?))
    }

    /// Adds text that is copied from a file.
    pub(crate) fn push_copied(&mut self, file: &Arc<File>, source: usize, text: &str) {
        self.push(file, source, text, true);
    }

    /// Adds the value of text in a file.
    pub(crate) fn push_made(&mut self, file: &Arc<File>, source: usize, text: &str) {
        self.push(file, source, text, false);
    }

    fn push(&mut self, file: &Arc<File>, source: usize, text: &str, is_copied: bool) {
        if self.text.len() + text.len() > MOST_BYTES || self.pieces.len() >= MOST_PIECES {
            self.is_cut = true;
            return;
        }
        if text.is_empty() {
            return;
        }
        let file = self.number_of(file);
        let at = self.text.len();
        let goes_on = self.pieces.last().is_some_and(|last| {
            let offset = if is_copied { at - last.at } else { 0 };
            (last.file, last.is_copied, last.source + offset) == (file, is_copied, source)
        });
        if !goes_on {
            self.pieces.push(Piece {
                at,
                source,
                file,
                is_copied,
            });
        }
        self.text.push_str(text);
    }

    fn number_of(&mut self, file: &Arc<File>) -> u32 {
        // The last one is the likeliest; there are few.
        let known = self
            .files
            .iter()
            .rposition(|known| Arc::ptr_eq(known, file));
        let number = known.unwrap_or_else(|| {
            self.files.push(Arc::clone(file));
            self.files.len() - 1
        });
        u32::try_from(number).unwrap_or(u32::MAX)
    }

    /// Adds another text.
    pub(crate) fn append(&mut self, other: &Self) {
        self.append_range(other, 0..other.text.len());
        self.is_cut |= other.is_cut;
    }

    /// Adds a part of another text.
    pub(crate) fn append_range(&mut self, other: &Self, range: Range<usize>) {
        for (part, file, piece) in other.parts(range) {
            let text = other.text.get(part.clone()).unwrap_or_default();
            let before = if piece.is_copied {
                part.start - piece.at
            } else {
                0
            };
            self.push(file, piece.source + before, text, piece.is_copied);
        }
    }

    /// Adds another text as the inside of a JSON string.
    pub(crate) fn append_escaped(&mut self, other: &Self) {
        let mut escape = String::new();
        for (part, file, piece) in other.parts(0..other.text.len()) {
            let text = other.text.get(part.clone()).unwrap_or_default();
            let source = |at: usize| match piece.is_copied {
                true => piece.source + (part.start - piece.at) + at,
                false => piece.source,
            };
            let mut plain = 0;
            for (at, character) in text.char_indices() {
                if !needs_escape(character) {
                    continue;
                }
                let before = text.get(plain..at).unwrap_or_default();
                self.push(file, source(plain), before, piece.is_copied);
                escape.clear();
                escape_into(&mut escape, character);
                self.push(file, source(at), &escape, false);
                plain = at + character.len_utf8();
            }
            let rest = text.get(plain..).unwrap_or_default();
            self.push(file, source(plain), rest, piece.is_copied);
        }
        self.is_cut |= other.is_cut;
    }

    /// Returns the parts of a range that come from one piece each.
    fn parts(
        &self,
        range: Range<usize>,
    ) -> impl Iterator<Item = (Range<usize>, &Arc<File>, &Piece)> {
        let next = self.pieces.partition_point(|piece| piece.at <= range.start);
        let first = next.saturating_sub(1);
        let pieces = self.pieces.iter().enumerate().skip(first);
        let ends = move |index: usize| self.pieces.get(index + 1).map(|next| next.at);
        pieces.map_while(move |(index, piece)| {
            let start = piece.at.max(range.start);
            let end = ends(index).unwrap_or(self.text.len()).min(range.end);
            let file = self.files.get(piece.file as usize)?;
            (start < end).then_some((start..end, file, piece))
        })
    }

    /// Replaces ranges of the text with other texts. The ranges are in ascending order, and each replacement keeps the
    /// origin of its range.
    pub(crate) fn replaced(&self, values: &[(Range<usize>, impl AsRef<str>)]) -> Self {
        let mut replaced = Self {
            is_cut: self.is_cut,
            ..Self::default()
        };
        let mut end = 0;
        for (range, value) in values {
            replaced.append_range(self, end..range.start);
            if let Some((piece, _)) = self.piece_at(range.start)
                && let Some(file) = self.files.get(piece.file as usize)
            {
                let before = if piece.is_copied {
                    range.start - piece.at
                } else {
                    0
                };
                replaced.push(file, piece.source + before, value.as_ref(), false);
            }
            end = range.end;
        }
        replaced.append_range(self, end..self.text.len());
        replaced
    }

    /// Returns true if something was left out, since it would have become too long.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }
}

fn needs_escape(character: char) -> bool {
    matches!(character, '"' | '\\' | '\0'..='\u{1f}')
}

fn escape_into(text: &mut String, character: char) {
    match character {
        '"' => text.push_str("\\\""),
        '\\' => text.push_str("\\\\"),
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        // Writing to a string cannot fail.
        other => drop(write!(text, "\\u{:04x}", u32::from(other))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &DefinitionText) -> Vec<usize> {
        let all = 0..text.as_str().len();
        all.map(|at| text.place_at(at).unwrap().offset).collect()
    }

    #[test]
    fn every_byte_comes_from_somewhere() {
        let file = Arc::new(File::new("f", "abcdef"));
        let mut text = DefinitionText::default();
        text.push_copied(&file, 2, "cd");
        text.push_made(&file, 5, "xyz");
        text.push_copied(&file, 4, "e");
        assert_eq!(
            (text.as_str(), places(&text)),
            ("cdxyze", vec![2, 3, 5, 5, 5, 4])
        );
        let replaced = text.replaced(&[(1..4, "__"), (5..6, "")]);
        assert_eq!(
            (replaced.as_str(), places(&replaced)),
            ("c__z", vec![2, 3, 3, 5])
        );
        let mut escaped = DefinitionText::default();
        let quoted = Arc::new(File::new("g", "a\"\nb"));
        escaped.append_escaped(&DefinitionText::from_file(&quoted));
        assert_eq!(
            (escaped.as_str(), places(&escaped)),
            ("a\\\"\\nb", vec![0, 1, 1, 2, 2, 3])
        );
        assert!(DefinitionText::default().place_at(0).is_none());
    }

    #[test]
    fn the_last_place_of_a_range_is_found_wherever_its_parts_come_from() {
        let file = Arc::new(File::new("f", "abcdef"));
        let other = Arc::new(File::new("g", "0123456789"));
        let mut text = DefinitionText::default();
        text.push_copied(&file, 1, "bcd");
        text.push_copied(&other, 7, "78");
        text.push_copied(&file, 0, "a");
        let last = |range| text.last_place(range).unwrap().offset;
        assert_eq!(
            [last(0..3), last(0..6), last(1..2), last(3..5), last(5..6)],
            [3, 3, 2, 8, 0]
        );
    }

    #[test]
    fn what_would_be_too_long_is_cut() {
        let file = Arc::new(File::new("f", "x".repeat(MOST_BYTES)));
        let mut text = DefinitionText::from_file(&file);
        assert!(!text.is_cut());
        text.push_made(&file, 0, "y");
        assert!(text.is_cut());
    }
}
