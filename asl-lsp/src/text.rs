//! The text of an open document, and its positions as the protocol counts them.
use lsp_types::{Position, Range, TextDocumentContentChangeEvent};
use std::ops;

/// Units of columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Encoding {
    /// Bytes, where the client takes them.
    Utf8,
    /// Units of 16 bits, which every client takes.
    #[default]
    Utf16,
}

/// Bytes from one mark to the next within a long line.
const MARKED: usize = 256;

/// A text with the beginnings of its lines, so that a position is found without going through all of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Text {
    content: String,
    encoding: Encoding,
    marks: Vec<Mark>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Mark {
    offset: usize,
    line: u32,
    column: u32,
}

impl Mark {
    fn next_line(self, offset: usize) -> Self {
        Self {
            offset,
            line: self.line.saturating_add(1),
            column: 0,
        }
    }
}

impl Text {
    pub(crate) fn new(content: String, encoding: Encoding) -> Self {
        let mut text = Self {
            content,
            encoding,
            marks: vec![Mark::default()],
        };
        text.mark_up_to(u32::MAX);
        text
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.content
    }

    pub(crate) fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Takes the changes of one notification, in their order. Marks are kept up to where the text is the same, and made up to where a
    /// change is: so many changes in a row take little more than one.
    pub(crate) fn apply(&mut self, changes: Vec<TextDocumentContentChangeEvent>) {
        for change in changes {
            let range = match change.range {
                None => 0..self.content.len(),
                Some(range) => {
                    self.mark_up_to(range.end.line.max(range.start.line));
                    self.range_of(range)
                }
            };
            let same = self.marks.partition_point(|mark| mark.offset < range.start);
            self.marks.truncate(same.max(1));
            self.content.replace_range(range, &change.text);
        }
        self.mark_up_to(u32::MAX);
    }

    /// Marks the lines from the last mark on, up to the one after a line. They end as the protocol has it: at a line feed, a
    /// carriage return, or both.
    fn mark_up_to(&mut self, line: u32) {
        let Some(mut at) = self.marks.last().copied() else {
            return;
        };
        let begin = at.offset;
        let rest = self.content.get(begin..).unwrap_or_default();
        let mut was_return = false;
        for (offset, byte) in (begin..).zip(rest.bytes()) {
            if was_return && byte != b'\n' {
                at = at.next_line(offset);
                self.marks.push(at);
            }
            if at.line > line {
                return;
            }
            was_return = byte == b'\r';
            let last = self.marks.last().map_or(0, |mark| mark.offset);
            let begins_character = byte & 0xC0 != 0x80;
            if begins_character && offset - last >= MARKED {
                self.marks.push(Mark { offset, ..at });
            }
            if byte == b'\n' {
                at = at.next_line(offset + 1);
                self.marks.push(at);
            } else {
                at.column += units(byte, self.encoding);
            }
        }
        if was_return {
            self.marks.push(at.next_line(self.content.len()));
        }
    }

    /// Returns the byte at a position: at the end of its line where that is shorter, or of the text.
    pub(crate) fn offset(&self, position: Position) -> usize {
        let wanted = (position.line, position.character);
        let next = self
            .marks
            .partition_point(|mark| (mark.line, mark.column) <= wanted);
        let Some(mark) = next.checked_sub(1).and_then(|last| self.marks.get(last)) else {
            return 0;
        };
        if mark.line < position.line {
            return self.content.len();
        }
        let mut column = mark.column;
        let rest = self.content.get(mark.offset..).unwrap_or_default();
        for (at, character) in rest.char_indices() {
            let width = width(character, self.encoding);
            if matches!(character, '\n' | '\r') || column + width > position.character {
                return mark.offset + at;
            }
            column += width;
        }
        self.content.len()
    }

    /// Returns the position of a byte; of one within a character, that of the character.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let next = self.marks.partition_point(|mark| mark.offset <= offset);
        let Some(mark) = next.checked_sub(1).and_then(|last| self.marks.get(last)) else {
            return Position::default();
        };
        let rest = self.content.get(mark.offset..).unwrap_or_default();
        let before = rest
            .char_indices()
            .take_while(|(at, character)| mark.offset + at + character.len_utf8() <= offset);
        let columns: u32 = before
            .map(|(_, character)| width(character, self.encoding))
            .sum();
        Position::new(mark.line, mark.column + columns)
    }

    /// Returns the range of some bytes.
    pub(crate) fn range(&self, bytes: ops::Range<usize>) -> Range {
        Range::new(self.position(bytes.start), self.position(bytes.end))
    }

    /// Returns the bytes of a range; one that ends before it begins is empty.
    pub(crate) fn range_of(&self, range: Range) -> ops::Range<usize> {
        let start = self.offset(range.start);
        start..self.offset(range.end).max(start)
    }
}

fn width(character: char, encoding: Encoding) -> u32 {
    let units = match encoding {
        Encoding::Utf8 => character.len_utf8(),
        Encoding::Utf16 => character.len_utf16(),
    };
    u32::try_from(units).unwrap_or(1)
}

/// Returns the contribution of a byte to the column; the bytes of a character add up to its width.
fn units(byte: u8, encoding: Encoding) -> u32 {
    match (encoding, byte) {
        (Encoding::Utf8, _) => 1,
        (Encoding::Utf16, 0x80..=0xBF) => 0,
        (Encoding::Utf16, 0xF0..) => 2,
        (Encoding::Utf16, _) => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(content: &str) -> Text {
        Text::new(content.to_owned(), Encoding::Utf16)
    }

    #[test]
    fn columns_count_units_of_16_bits_or_bytes() {
        let content = "é😀x\r\ny\rz\n";
        let position = |encoding, needle: char| {
            let text = Text::new(content.to_owned(), encoding);
            let offset = content.find(needle).unwrap();
            let position = text.position(offset);
            assert_eq!(text.offset(position), offset);
            (position.line, position.character)
        };
        assert_eq!(position(Encoding::Utf16, 'x'), (0, 3));
        assert_eq!(position(Encoding::Utf8, 'x'), (0, 6));
        assert_eq!(position(Encoding::Utf16, 'y'), (1, 0));
        assert_eq!(position(Encoding::Utf16, 'z'), (2, 0));
        assert_eq!(text(content).position(99), Position::new(3, 0));
    }

    #[test]
    fn positions_outside_are_at_the_nearest_end() {
        let text = text("ab\n😀c");
        let offset = |line, character| text.offset(Position::new(line, character));
        assert_eq!([offset(0, 9), offset(1, 1), offset(7, 0)], [2, 3, 8]);
    }

    #[test]
    fn changes_are_taken_in_their_order() {
        let mut text = text("one\ntwo\n");
        let change =
            |start: (u32, u32), end: (u32, u32), text: &str| TextDocumentContentChangeEvent {
                range: Some(Range::new(
                    Position::new(start.0, start.1),
                    Position::new(end.0, end.1),
                )),
                range_length: None,
                text: text.to_owned(),
            };
        text.apply(vec![
            change((1, 0), (1, 3), "zwei\ndrei"),
            change((2, 4), (2, 4), "!"),
            change((0, 2), (0, 1), ""),
        ]);
        assert_eq!(text.as_str(), "one\nzwei\ndrei!\n");
    }

    proptest! {
        /// Checks that positions after changes equal those of the same text parsed at once.
        #[test]
        fn changes_leave_the_places_of_the_text(
            content in "(?s)[aé\r\n😀]{0,400}",
            changes in prop::collection::vec((0..40_u32, 0..9_u32, 0..3_u32, "(?s)[b\r\n]{0,4}"), 0..12),
        ) {
            let mut changed = text(&content);
            let mut slowly = content;
            let changes: Vec<_> = changes.into_iter().map(|(line, column, lines, new)| {
                let start = Position::new(line, column);
                let range = Range::new(start, Position::new(line + lines, column));
                let bytes = text(&slowly).range_of(range);
                slowly.replace_range(bytes, &new);
                TextDocumentContentChangeEvent { range: Some(range), range_length: None, text: new }
            }).collect();
            changed.apply(changes);
            prop_assert_eq!(changed.as_str(), &slowly);
            // Marks within lines may be at other places.
            let places = |text: &Text| {
                let all = 0..=text.as_str().len();
                all.map(|offset| text.position(offset)).collect::<Vec<_>>()
            };
            prop_assert_eq!(places(&changed), places(&text(&slowly)));
        }

        #[test]
        fn every_character_is_found_again(content in "(?s)[aé\r\n😀]{0,700}", is_utf8: bool) {
            let encoding = if is_utf8 { Encoding::Utf8 } else { Encoding::Utf16 };
            let text = Text::new(content.clone(), encoding);
            for (offset, character) in content.char_indices() {
                let ends_pair = character == '\n' && content[..offset].ends_with('\r');
                if !ends_pair {
                    prop_assert_eq!(text.offset(text.position(offset)), offset);
                }
            }
        }
    }
}
