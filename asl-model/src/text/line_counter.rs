//! Lines and columns of offsets, and the way back.
use super::string_place::Start;
use crate::Position;

/// Counts lines and characters, each once, for growing offsets.
#[derive(Debug, Default)]
pub(super) struct LineCounter {
    offset: usize,
    lines: usize,
    characters: usize,
}

impl LineCounter {
    pub(super) fn position(&mut self, text: &str, offset: usize) -> Position {
        let passed = text.as_bytes().get(self.offset..offset).unwrap_or_default();
        // The compiler vectorizes two simple loops.
        let line_ends = passed.iter().filter(|byte| **byte == b'\n').count();
        let mut line = passed;
        if line_ends > 0 {
            self.lines += line_ends;
            self.characters = 0;
            line = passed
                .rsplit(|byte| *byte == b'\n')
                .next()
                .unwrap_or_default();
        }
        // Continuation bytes of UTF-8 are no characters.
        self.characters += line.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        self.offset = self.offset.max(offset);
        Position {
            line: self.lines + 1,
            column: self.characters + 1,
        }
    }
}

/// Finds the offsets of lines and columns. It passes each character once if the positions ascend.
#[derive(Debug)]
pub(super) struct LineFinder<'t> {
    text: &'t str,
    last: Start,
}

impl<'t> LineFinder<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            last: Start {
                position: Position { line: 1, column: 1 },
                offset: 0,
            },
        }
    }

    /// The first character that is there or beyond, or the end of the text.
    pub(super) fn start(&mut self, position: Position) -> Start {
        let Start {
            position: mut at,
            mut offset,
        } = self.last;
        let mut rest = self.text.get(offset..).unwrap_or_default();
        while at.line < position.line
            && let Some(end) = rest.find('\n')
        {
            offset += end + 1;
            at = Position {
                line: at.line + 1,
                column: 1,
            };
            rest = self.text.get(offset..).unwrap_or_default();
        }
        for character in rest.chars() {
            if (at.line, at.column) >= (position.line, position.column) {
                break;
            }
            offset += character.len_utf8();
            at.column += 1;
            if character == '\n' {
                at = Position {
                    line: at.line + 1,
                    column: 1,
                };
            }
        }
        self.last = Start {
            position: at,
            offset,
        };
        Start { position, offset }
    }
}

#[cfg(test)]
mod tests {
    use super::{LineCounter, LineFinder};
    use crate::Position;

    #[test]
    fn characters_are_counted_in_lines() {
        let text = "aé\n\n😀b";
        let mut counter = LineCounter::default();
        for (offset, line, column) in [
            (0, 1, 1),
            (1, 1, 2),
            (3, 1, 3),
            (4, 2, 1),
            (5, 3, 1),
            (9, 3, 2),
            (99, 3, 2),
        ] {
            let position = counter.position(text, offset);
            assert_eq!((position.line, position.column), (line, column), "{offset}");
        }
    }

    #[test]
    fn offsets_are_found_again() {
        let text = "aé\n\n😀b";
        let mut finder = LineFinder::new(text);
        for (offset, line, column) in [(0, 1, 1), (1, 1, 2), (5, 3, 1), (9, 3, 2), (10, 3, 9)] {
            let start = finder.start(Position { line, column });
            assert_eq!(start.offset, offset, "{line}:{column}");
        }
    }
}
