//! Positions inside strings, in the JSON or YAML text.
use crate::Position;
use std::str::Chars;

/// The start of a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Start {
    pub(super) position: Position,
    /// In bytes.
    pub(super) offset: usize,
}

/// Returns the position of the byte at `offset` of the string at `start`; if unknown, `start`.
pub(super) fn place_in_string(text: &str, start: Start, offset: usize) -> Position {
    let (before, rest) = text.split_at_checked(start.offset).unwrap_or((text, ""));
    let mut walk = Walk {
        rest: rest.chars(),
        position: start.position,
    };
    let style = match walk.peek() {
        _ if starts_block(before) => Style::Block(start.position.column - 1),
        Some('"') => Style::Double,
        Some('\'') => Style::Single,
        Some('*' | '&' | '!') | None => return start.position,
        Some(_) => Style::Plain,
    };
    if matches!(style, Style::Double | Style::Single) {
        walk.next();
    }
    let mut passed = 0;
    while passed < offset {
        match walk.unit(style) {
            Some(bytes) => passed += bytes,
            None => return start.position,
        }
    }
    walk.position
}

/// Returns true if only spaces come after a line that ends in the sign of a block of YAML.
fn starts_block(before: &str) -> bool {
    block_header(before).is_some()
}

/// Returns the start of the line after the header of a YAML block (`|` or `>` with its indicators), and the sign, if only
/// spaces and empty lines follow.
pub(super) fn block_header(before: &str) -> Option<(usize, char)> {
    let header = before.trim_end_matches([' ', '\t', '\r', '\n']);
    let after = before.get(header.len()..)?.find('\n')?;
    let sign = header.trim_end_matches(|c: char| matches!(c, '-' | '+') || c.is_ascii_digit());
    let sign = sign
        .chars()
        .next_back()
        .filter(|c| matches!(c, '|' | '>'))?;
    Some((header.len() + after + 1, sign))
}

/// Styles of strings.
#[derive(Debug, Clone, Copy)]
pub(super) enum Style {
    Double,
    Single,
    Plain,
    /// Lines of a block of YAML with so many spaces before each.
    Block(usize),
    /// The same where lines continue in the next one.
    Folded(usize),
}

/// A way through a text, character by character.
pub(super) struct Walk<'t> {
    rest: Chars<'t>,
    position: Position,
}

impl<'t> Walk<'t> {
    /// From an offset on, whose line and column do not matter.
    pub(super) fn new(text: &'t str, offset: usize) -> Self {
        Self {
            rest: text.get(offset..).unwrap_or_default().chars(),
            position: Position { line: 1, column: 1 },
        }
    }

    /// Returns the current offset in the text, in bytes.
    pub(super) fn offset(&self, text: &str) -> usize {
        text.len() - self.rest.as_str().len()
    }

    /// Returns true if a line ends here; the spaces before its end are none of a string, but in a block.
    pub(super) fn is_at_break(&self, style: Style) -> bool {
        let rest = match style {
            Style::Block(_) | Style::Folded(_) => self.rest.as_str(),
            Style::Double | Style::Single | Style::Plain => {
                self.rest.as_str().trim_start_matches([' ', '\t'])
            }
        };
        rest.starts_with('\n') || rest.starts_with("\r\n")
    }

    /// Goes past the ends of lines, empty ones with them, and the spaces before the next one; how many lines ended.
    pub(super) fn skip_breaks(&mut self, style: Style) -> usize {
        let most = match style {
            Style::Block(indentation) | Style::Folded(indentation) => indentation,
            Style::Double | Style::Single | Style::Plain => usize::MAX,
        };
        let mut breaks = 0;
        while self.is_at_break(style) {
            while self.next().is_some_and(|character| character != '\n') {}
            self.skip_spaces(most);
            breaks += 1;
        }
        breaks
    }

    /// Goes past a backslash at the end of a line, and the spaces before the next one.
    pub(super) fn skip_escaped_break(&mut self) -> bool {
        let rest = self.rest.as_str();
        let is_there = rest.starts_with("\\\n") || rest.starts_with("\\\r\n");
        if is_there {
            while self.next().is_some_and(|character| character != '\n') {}
            self.skip_spaces(usize::MAX);
        }
        is_there
    }

    fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    fn next(&mut self) -> Option<char> {
        let character = self.rest.next()?;
        match character {
            '\n' => {
                self.position.line += 1;
                self.position.column = 1;
            }
            _ => self.position.column += 1,
        }
        Some(character)
    }

    pub(super) fn skip_spaces(&mut self, most: usize) {
        for _ in 0..most {
            if self.peek() != Some(' ') {
                return;
            }
            self.next();
        }
    }

    /// Goes past what stands for one character of the string; its bytes there.
    pub(super) fn unit(&mut self, style: Style) -> Option<usize> {
        match (self.next()?, style) {
            ('"', Style::Double) => None,
            ('\\', Style::Double) => self.escape(),
            // A quote is written twice.
            ('\'', Style::Single) => (self.next()? == '\'').then_some(1),
            ('\r', _) if self.peek() == Some('\n') => Some(0),
            ('\n', Style::Block(indentation) | Style::Folded(indentation)) => {
                self.skip_spaces(indentation);
                Some(1)
            }
            // A line continues in the next one, after a space.
            ('\n', _) => {
                self.skip_spaces(usize::MAX);
                Some(1)
            }
            (character, _) => Some(character.len_utf8()),
        }
    }

    /// Skips an escape, and returns the number of bytes of its value.
    fn escape(&mut self) -> Option<usize> {
        let digits = match self.next()? {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            'N' | '_' => return Some(2),
            'L' | 'P' => return Some(3),
            _ => return Some(1),
        };
        match self.hexadecimal(digits)? {
            high @ 0xD800..0xDC00 => {
                let _backslash = (self.next()?, self.next()?);
                let low = self.hexadecimal(4)?.checked_sub(0xDC00)?;
                char::from_u32(0x1_0000 + ((high - 0xD800) << 10) + low).map(char::len_utf8)
            }
            code => char::from_u32(code).map(char::len_utf8),
        }
    }

    fn hexadecimal(&mut self, digits: usize) -> Option<u32> {
        (0..digits).try_fold(0_u32, |number, _| {
            let digit = self.next()?.to_digit(16)?;
            number.checked_mul(16)?.checked_add(digit)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Position, SourceMap};

    /// Returns the text at the position of `needle` in the string `/a`.
    #[track_caller]
    fn found(text: &str, string: &str, needle: &str) -> String {
        let offset = string.find(needle).unwrap();
        let place = SourceMap::new(text).locate_in("/a", offset).unwrap();
        let line = text.lines().nth(place.line - 1).unwrap();
        line.chars().skip(place.column - 1).collect()
    }

    #[test]
    fn escapes_of_json_count_as_what_they_mean() {
        assert_eq!(
            found(r#"{"a": "{% 1 + b %}"}"#, "{% 1 + b %}", "b"),
            "b %}\"}"
        );
        let text =
            r#"{"a": "\"\\\n\u00e9\ud83d\ude00é\u{1F600}b"}"#.replace("\\u{1F600}", "\u{1F600}");
        let string = "\"\\\né\u{1F600}é\u{1F600}b";
        assert_eq!(found(&text, string, "b"), "b\"}");
    }

    #[test]
    fn strings_of_yaml_are_followed_over_their_lines() {
        for text in [
            "a: {% 1 + b %}x".replace("{%", "<%"),
            "a: '<% 1 + b %}x'".to_owned(),
            "a: \"<% 1 +\n     b %}x\"".to_owned(),
            "a: <% 1 +\n  b %}x".to_owned(),
            "a: |-\n  <% 1 +\n  b %}x".to_owned(),
            "a: >-\r\n    <% 1 +\r\n    b %}x\r\n".to_owned(),
        ] {
            let rest = found(&text, "<% 1 + b %}x", "b %");
            assert!(rest.starts_with("b %}x"), "{rest:?} of {text:?}");
        }
        assert_eq!(found("a: 'it''s b'", "it's b", "b"), "b'");
        assert_eq!(found("a: \"\\xe9b\"", "éb", "b"), "b\"");
        assert_eq!(found("a: |\n  x\n\n    b\n", "x\n\n  b\n", "b"), "b");
    }

    #[test]
    fn what_cannot_be_followed_is_where_it_begins() {
        for text in ["b: &b x\na: *b", "b:\na: 'b'", "b:\na: b"] {
            let found = SourceMap::new(text).locate_in("/a", 99);
            assert_eq!(found, Some(Position { line: 2, column: 4 }), "{text}");
        }
    }
}
