//! Lines within flow collections and quoted scalars that are indented less than the block around them.
//!
//! YAML 1.2.2 (7.3, 7.4) forbids them, and YAML 1.1 as well, but the parsers that read templates on their way to CloudFormation take them: a
//! closing brace at the beginning of its line is usual. Such a line means the same with more spaces before it, so these are put
//! there while the text is read.
use saphyr_parser::Parser;
use std::iter::Peekable;
use std::str::Chars;
use std::vec::IntoIter;

/// A line that needs more indentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ShallowLine {
    /// From 1.
    pub(super) line: usize,
    /// The number of spaces to add.
    pub(super) spaces: usize,
}

/// Returns the lines that need more indentation to be valid; empty if the text is valid or has another error.
pub(super) fn shallow_lines(text: &str) -> Vec<ShallowLine> {
    let lines = Scanner::new(text).scan();
    match !lines.is_empty() && is_indented_too_little(text) {
        true => lines,
        false => Vec::new(),
    }
}

fn is_indented_too_little(text: &str) -> bool {
    let fault = Parser::new_from_str(text).find_map(Result::err);
    fault.is_some_and(|fault| fault.info().starts_with("invalid indentation"))
}

/// The characters of a text, with spaces before its shallow lines.
pub(super) struct IndentedCharacters<'t> {
    characters: Chars<'t>,
    lines: Peekable<IntoIter<ShallowLine>>,
    line: usize,
    spaces: usize,
}

impl<'t> IndentedCharacters<'t> {
    pub(super) fn new(text: &'t str, lines: Vec<ShallowLine>) -> Self {
        Self {
            characters: text.chars(),
            lines: lines.into_iter().peekable(),
            line: 1,
            spaces: 0,
        }
    }
}

impl Iterator for IndentedCharacters<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        if self.spaces > 0 {
            self.spaces -= 1;
            return Some(' ');
        }
        let character = self.characters.next()?;
        if character == '\n' {
            self.line += 1;
            let line = self.line;
            if let Some(shallow) = self.lines.next_if(|shallow| shallow.line == line) {
                self.spaces = shallow.spaces;
            }
        }
        Some(character)
    }
}

/// Finds where flow collections and quoted scalars are, as far as their lines matter.
struct Scanner<'t> {
    bytes: &'t [u8],
    at: usize,
    line: usize,
    line_start: usize,
    found: Vec<ShallowLine>,
}

impl<'t> Scanner<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            bytes: text.as_bytes(),
            at: 0,
            line: 1,
            line_start: 0,
            found: Vec::new(),
        }
    }

    fn scan(mut self) -> Vec<ShallowLine> {
        while self.at < self.bytes.len() {
            self.block_line();
        }
        self.found
    }

    fn byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn column(&self) -> usize {
        self.at - self.line_start
    }

    fn ends_word_at(&self, at: usize) -> bool {
        self.bytes
            .get(at)
            .is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
    }

    fn skip_blanks(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    /// To the beginning of the next line.
    fn skip_line(&mut self) {
        while self.byte().is_some_and(|byte| byte != b'\n') {
            self.at += 1;
        }
        self.break_line();
    }

    fn break_line(&mut self) {
        self.at += 1;
        self.line += 1;
        self.line_start = self.at;
    }

    /// A line that begins within blocks alone.
    fn block_line(&mut self) {
        // The column of the block that a value of this line is in.
        let mut block = None;
        loop {
            self.skip_blanks();
            let column = self.column();
            let within = block.or(column.checked_sub(1));
            match self.byte() {
                Some(b'-' | b'?') if self.ends_word_at(self.at + 1) => {
                    self.at += 1;
                    block = Some(column);
                    continue;
                }
                Some(quote @ (b'"' | b'\'')) => {
                    self.quoted(quote, within);
                    self.skip_blanks();
                    if self.is_at_colon() {
                        self.at += 1;
                        block = Some(column);
                        continue;
                    }
                }
                Some(b'[' | b'{') => self.flow(within),
                Some(b'|' | b'>') => return self.block_scalar(within),
                Some(b'!' | b'&') => {
                    while !self.ends_word_at(self.at) {
                        self.at += 1;
                    }
                    continue;
                }
                Some(b'#' | b'\n') | None => {}
                Some(_) => {
                    if self.plain() {
                        block = Some(column);
                        continue;
                    }
                }
            }
            return self.skip_line();
        }
    }

    fn is_at_colon(&self) -> bool {
        self.byte() == Some(b':') && self.ends_word_at(self.at + 1)
    }

    /// Reads a plain scalar of a block, or other content of a line. Returns true for a field name.
    fn plain(&mut self) -> bool {
        while let Some(byte) = self.byte() {
            if self.is_at_colon() {
                self.at += 1;
                return true;
            }
            let is_comment = byte == b'#' && self.ends_word_at(self.at - 1);
            if byte == b'\n' || is_comment {
                return false;
            }
            self.at += 1;
        }
        false
    }

    /// The lines of a literal or folded scalar: all that are empty, or indented more than its block.
    fn block_scalar(&mut self, block: Option<usize>) {
        self.skip_line();
        while self.at < self.bytes.len() {
            let rest = &self.bytes[self.at..];
            let spaces = rest.iter().take_while(|byte| **byte == b' ').count();
            let is_empty = matches!(rest.get(spaces), None | Some(b'\n' | b'\r'));
            let is_within = block.is_none_or(|block| spaces > block);
            if !is_empty && !is_within {
                return;
            }
            self.skip_line();
        }
    }

    /// Continues at the next line of a flow collection or a quoted scalar.
    fn next_line(&mut self, block: Option<usize>) {
        self.break_line();
        self.skip_blanks();
        let column = self.column();
        let is_empty = matches!(self.byte(), None | Some(b'\n'));
        if let Some(block) = block.filter(|block| column <= *block && !is_empty) {
            self.found.push(ShallowLine {
                line: self.line,
                spaces: block + 1 - column,
            });
        }
    }

    /// A quoted scalar, behind its end.
    fn quoted(&mut self, quote: u8, block: Option<usize>) {
        self.at += 1;
        while let Some(byte) = self.byte() {
            match byte {
                b'\n' => {
                    self.next_line(block);
                    continue;
                }
                b'\\' if quote == b'"' && self.bytes.get(self.at + 1) != Some(&b'\n') => {
                    self.at += 1;
                }
                b'\'' if quote == b'\'' && self.bytes.get(self.at + 1) == Some(&b'\'') => {
                    self.at += 1;
                }
                byte if byte == quote => {
                    self.at += 1;
                    return;
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    /// A flow collection with all that is in it, behind its end.
    fn flow(&mut self, block: Option<usize>) {
        let mut depth = 0_usize;
        let mut in_plain = false;
        while let Some(byte) = self.byte() {
            match byte {
                b'\n' => {
                    self.next_line(block);
                    in_plain = false;
                    continue;
                }
                b'"' | b'\'' if !in_plain => {
                    self.quoted(byte, block);
                    continue;
                }
                b'#' if self.ends_word_at(self.at - 1) => {
                    while self.byte().is_some_and(|byte| byte != b'\n') {
                        self.at += 1;
                    }
                    continue;
                }
                b'[' | b'{' => depth += 1,
                b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            in_plain = match byte {
                b'[' | b'{' | b']' | b'}' | b',' => false,
                b':' if self.ends_word_at(self.at + 1) => false,
                b' ' | b'\t' | b'\r' => in_plain,
                _ => true,
            };
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Document, Options};
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn read(text: &str) -> Value {
        let document = Document::parse(text, Options::default());
        document
            .unwrap_or_else(|faults| panic!("{faults:?}\n{text}"))
            .value()
            .clone()
    }

    #[test]
    fn closing_brackets_may_be_indented_less_than_their_block() {
        let text = "a:\n  b:\n    c: {\n  x: 1,\n y: [\n2,\n]\n}\n    d: 2\n";
        assert_eq!(
            read(text),
            json!({"a": {"b": {"c": {"x": 1, "y": [2]}, "d": 2}}})
        );
        let text = "a:\n  - {\n  x: 1 # }\n}\n  - \"two\nlines\"\n  - 'it''s\n\n here'\n";
        assert_eq!(
            read(text),
            json!({"a": [{"x": 1}, "two lines", "it's\nhere"]})
        );
    }

    #[test]
    fn what_only_looks_like_a_collection_is_left_alone() {
        let text = "a:\n  s: |\n    {\n  t: it's [ not\n  u: !Sub 'x' # \"\n  \"v: w\": >-\n    \"\n  f: {\n}\n";
        let value = read(text);
        assert_eq!(value["a"]["s"], "{\n");
        assert_eq!(value["a"]["t"], "it's [ not");
        assert_eq!(value["a"]["v: w"], "\"");
        assert_eq!(value["a"]["f"], json!({}));
    }

    #[test]
    fn faults_are_told_where_they_are_in_the_text_as_it_is_written() {
        let text = "a:\n  b: {\nx: 1, y: 2\n}\n";
        let position = crate::locate(text, "/a/b/y").unwrap();
        assert_eq!((position.line, position.column), (3, 10));
        assert!(Document::parse("a:\n  b: {\nx: 1\n", Options::default()).is_err());
        // Blocks keep their rules.
        assert!(Document::parse("a:\n  b: 1\n c: 2\n", Options::default()).is_err());
    }

    proptest! {
        /// Indentation within a flow collection does not change the value.
        #[test]
        fn indentation_within_a_flow_collection_means_nothing(
            spaces in prop::collection::vec(0_usize..8, 6),
        ) {
            let lines = ["{", "x: [1,", "\"t wo\",", "'it''s'],", "y: plain", "}"];
            let mut text = "a:\n    k: ".to_owned();
            for (index, (line, spaces)) in lines.iter().zip(&spaces).enumerate() {
                if index > 0 {
                    text.push('\n');
                    text.push_str(&" ".repeat(*spaces));
                }
                text.push_str(line);
            }
            text.push_str("\n    z: 1\n");
            prop_assert_eq!(read(&text), json!({"a": {"k": {"x": [1, "t wo", "it's"], "y": "plain"}, "z": 1}}));
        }

        #[test]
        fn any_text_is_gone_through(text in "[-?:{}\\[\\],'\"|># \n\\\\a!&]{0,60}") {
            let lines = shallow_lines(&text);
            prop_assert!(lines.windows(2).all(|two| two[0].line < two[1].line));
        }
    }
}
