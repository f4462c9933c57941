//! Lines and columns of offsets, and the way back, for any order.
use crate::Position;

/// Bytes from one mark to the next within a long line.
const MARKED: usize = 256;

/// Starts of the lines of a text: built once, it returns the line and column of any byte, and the byte at any line and
/// column.
///
/// ```
/// use asl_model::{LineIndex, Position};
/// let text = "a\né b";
/// let index = LineIndex::new(text);
/// assert_eq!(index.position(text, 5), Position { line: 2, column: 3 });
/// assert_eq!(index.offset(text, Position { line: 2, column: 3 }), 5);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineIndex {
    /// The beginnings of lines, and of long ones every so many bytes.
    marks: Vec<Mark>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark {
    offset: usize,
    position: Position,
}

impl LineIndex {
    /// Goes through a text once.
    pub fn new(text: &str) -> Self {
        let mut at = Mark {
            offset: 0,
            position: Position { line: 1, column: 1 },
        };
        let mut marks = vec![at];
        for line in text.split_inclusive('\n') {
            mark_line(line, at, &mut marks);
            if line.ends_with('\n') {
                at = Mark {
                    offset: at.offset + line.len(),
                    position: Position {
                        line: at.position.line + 1,
                        column: 1,
                    },
                };
                marks.push(at);
            }
        }
        Self { marks }
    }

    /// Returns the line and column of a byte of the text that this was built of; those of its end beyond it.
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let next = self.marks.partition_point(|mark| mark.offset <= offset);
        let Some(mark) = self.marks.get(next.saturating_sub(1)) else {
            return Position { line: 1, column: 1 };
        };
        let rest = text.get(mark.offset..).unwrap_or_default().char_indices();
        let before = rest.take_while(|(at, _)| mark.offset + at < offset);
        // Within a character it is at that one.
        let within = usize::from(
            offset > mark.offset && !text.is_char_boundary(offset) && offset < text.len(),
        );
        Position {
            line: mark.position.line,
            column: mark.position.column + before.count() - within,
        }
    }

    /// Returns the byte at a line and column, limited to the end of the line and of the text.
    pub fn offset(&self, text: &str, position: Position) -> usize {
        let wanted = (position.line, position.column);
        let next = self
            .marks
            .partition_point(|mark| (mark.position.line, mark.position.column) <= wanted);
        let Some(mark) = self.marks.get(next.saturating_sub(1)) else {
            return 0;
        };
        if mark.position.line < position.line {
            return text.len();
        }
        let rest = text.get(mark.offset..).unwrap_or_default();
        let columns = position.column.saturating_sub(mark.position.column);
        let end = rest
            .char_indices()
            .enumerate()
            .find(|(column, (_, character))| *column == columns || *character == '\n');
        end.map_or(text.len(), |(_, (at, _))| mark.offset + at)
    }
}

/// Marks a long line every so many bytes.
fn mark_line(line: &str, start: Mark, marks: &mut Vec<Mark>) {
    if line.len() <= MARKED {
        return;
    }
    let mut last = 0;
    for (column, (offset, _)) in line.char_indices().enumerate() {
        if offset - last >= MARKED {
            last = offset;
            marks.push(Mark {
                offset: start.offset + offset,
                position: Position {
                    line: start.position.line,
                    column: column + 1,
                },
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::LineIndex;
    use crate::Position;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_character_is_found_again(text in "(?s)[aé\n😀]{0,700}") {
            let index = LineIndex::new(&text);
            let mut expected = Position { line: 1, column: 1 };
            for (offset, character) in text.char_indices() {
                prop_assert_eq!(index.position(&text, offset), expected);
                prop_assert_eq!(index.offset(&text, expected), offset);
                expected.column += 1;
                if character == '\n' {
                    expected = Position { line: expected.line + 1, column: 1 };
                }
            }
            prop_assert_eq!(index.position(&text, text.len() + 9), expected);
        }
    }

    #[test]
    fn what_is_not_there_is_at_the_end() {
        let text = "é\nb";
        let index = LineIndex::new(text);
        let offset = |line, column| index.offset(text, Position { line, column });
        assert_eq!(
            [offset(1, 9), offset(2, 9), offset(7, 1), offset(0, 0)],
            [2, 4, 4, 0]
        );
        assert_eq!(index.position(text, 1), Position { line: 1, column: 1 });
        assert_eq!(
            LineIndex::new("").position("", 3),
            Position { line: 1, column: 1 }
        );
        assert_eq!(
            LineIndex::default().offset("", Position { line: 1, column: 1 }),
            0
        );
    }
}
