//! Lines and columns of offsets.
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
        for &byte in passed {
            if byte == b'\n' {
                self.lines += 1;
                self.characters = 0;
            } else if byte & 0xc0 != 0x80 {
                self.characters += 1; // continuation bytes of UTF-8 are no characters
            }
        }
        self.offset = self.offset.max(offset);
        Position {
            line: self.lines + 1,
            column: self.characters + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::LineCounter;

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
}
