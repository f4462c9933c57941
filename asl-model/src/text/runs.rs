//! From which bytes of a text a string of it was made.
use super::string_place::{Start, Style, Walk, block_header};

/// A part of a string up to the start of the next part: either bytes that are unchanged in the text, or the result of other
/// text, such as an escape.
///
/// ```
/// use asl_model::{Run, SourceMap};
/// let map = SourceMap::new(r#"{"a": "x\ny"}"#);
/// let run = |at, source, is_copied| Run { at, source, is_copied };
/// assert_eq!(map.runs_of("/a", "x\ny"), [run(0, 7, true), run(1, 8, false), run(2, 10, true)]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct Run {
    /// Offset in the string, in bytes.
    pub at: usize,
    /// Offset in the text, in bytes.
    pub source: usize,
    /// True if the text has the same bytes.
    pub is_copied: bool,
}

/// The runs of the string that begins at `start`, with its tag if it has one.
pub(super) fn runs_of_string(text: &str, start: Start, string: &str) -> Vec<Run> {
    let (offset, style) = content(text, start.offset, string);
    let mut runs = Runs {
        text,
        string,
        at: 0,
        list: Vec::new(),
    };
    let mut walk = Walk::new(text, offset);
    if let Style::Block(indentation) | Style::Folded(indentation) = style {
        walk.skip_spaces(indentation);
    }
    while runs.at < string.len() {
        let source = walk.offset(text);
        let bytes = match style {
            Style::Double if walk.skip_escaped_break() => Some(0),
            Style::Folded(_) | Style::Double | Style::Single | Style::Plain
                if walk.is_at_break(style) =>
            {
                Some(runs.folded(walk.skip_breaks(style)))
            }
            _ => walk.unit(style),
        };
        let consumed = walk.offset(text).saturating_sub(source);
        if !bytes.is_some_and(|bytes| runs.take(source, bytes, consumed)) {
            runs.push(start.offset, false);
            break;
        }
    }
    runs.list
}

/// Returns the start of a string's content, and its style.
fn content(text: &str, start: usize, string: &str) -> (usize, Style) {
    let before = text.get(..start).unwrap_or_default();
    if let Some((header, style)) = block_header(before) {
        return block(text, header, style, string);
    }
    let offset = after_properties(text, start);
    let rest = text.get(offset..).unwrap_or_default();
    let style = match rest.chars().next() {
        Some('"') => Style::Double,
        Some('\'') => Style::Single,
        Some(sign @ ('|' | '>')) => {
            let line = rest.find('\n').map_or(text.len(), |end| offset + end + 1);
            return block(text, line, sign, string);
        }
        _ => return (offset, Style::Plain),
    };
    (offset + 1, style)
}

/// Returns the style of a block whose lines begin at `offset`.
fn block(text: &str, offset: usize, sign: char, string: &str) -> (usize, Style) {
    let indented = |text: &str| {
        let mut lines = text.split('\n');
        let line = lines.find(|line| !line.trim().is_empty());
        line.map_or(0, |line| line.len() - line.trim_start_matches(' ').len())
    };
    let written = indented(text.get(offset..).unwrap_or_default());
    let indentation = written.saturating_sub(indented(string));
    let style = match sign {
        '>' => Style::Folded(indentation),
        _ => Style::Block(indentation),
    };
    (offset, style)
}

/// Returns the length of the tag and the anchor of a value, with comments and spaces.
fn after_properties(text: &str, start: usize) -> usize {
    let mut rest = text.get(start..).unwrap_or_default();
    while rest.starts_with(['!', '&']) {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        rest = rest.get(end..).unwrap_or_default().trim_start();
        while rest.starts_with('#') {
            let end = rest.find('\n').unwrap_or(rest.len());
            rest = rest.get(end..).unwrap_or_default().trim_start();
        }
    }
    text.len() - rest.len()
}

struct Runs<'t> {
    text: &'t str,
    string: &'t str,
    at: usize,
    list: Vec<Run>,
}

impl Runs<'_> {
    /// Takes the next bytes of the string, for which so many of the text stand; whether they can.
    fn take(&mut self, source: usize, bytes: usize, consumed: usize) -> bool {
        let Some(made) = self.string.get(self.at..self.at + bytes) else {
            return false;
        };
        let is_copied = self.text.get(source..source + bytes) == Some(made);
        if bytes == consumed && !is_copied {
            return false;
        }
        if bytes > 0 {
            self.push(source, is_copied);
        }
        self.at += bytes;
        true
    }

    fn push(&mut self, source: usize, is_copied: bool) {
        let goes_on = self.list.last().is_some_and(|last| {
            last.is_copied && is_copied && last.source + (self.at - last.at) == source
        });
        if !goes_on {
            let at = self.at;
            self.list.push(Run {
                at,
                source,
                is_copied,
            });
        }
    }

    /// Returns the number of bytes that line breaks become in the string: a single break is a space, or nothing next to
    /// others.
    fn folded(&self, breaks: usize) -> usize {
        let rest = self.string.get(self.at..).unwrap_or_default();
        let kept = rest.bytes().take(breaks).take_while(|byte| *byte == b'\n');
        match kept.count() {
            0 => usize::from(rest.starts_with(' ')),
            kept => kept,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Document, Options};
    use serde_json::Value;

    /// Returns the string `/a`, rebuilt from its runs, with `~` for parts that are not in the text.
    #[track_caller]
    fn followed(text: &str) -> (String, String) {
        let document = Document::parse(text, Options::default()).unwrap();
        let mut pointer = "/a".to_owned();
        let mut value = document.value().get("a").unwrap();
        if let Some((name, inner)) = value.as_object().and_then(|fields| fields.iter().next()) {
            pointer = format!("/a/{name}");
            value = inner;
        }
        let Value::String(string) = value else {
            panic!("{value}")
        };
        let runs = document.map().runs_of(&pointer, string);
        let mut made = String::new();
        for (index, run) in runs.iter().enumerate() {
            let end = runs.get(index + 1).map_or(string.len(), |next| next.at);
            match run.is_copied {
                true => made.push_str(&text[run.source..run.source + end - run.at]),
                false => made.push_str(&"~".repeat(string[run.at..end].chars().count())),
            }
        }
        (string.clone(), made)
    }

    #[test]
    fn strings_are_followed_however_they_are_written() {
        for (text, made) in [
            (r#"{"a": "x\"yé\u00e9\ud83d\ude00z"}"#, "x~yé~~z"),
            ("a: 'it''s b'", "it's b"),
            (
                "a: plain text\n  goes on\n\n  here\nb: 1\n",
                "plain text~goes on\nhere",
            ),
            ("a: \"x\n  y\\\n  z\\tw\"", "x~yz~w"),
            ("a: |\n  {\n    \"b\": 1\n  }\nc: 1\n", "{\n  \"b\": 1\n}\n"),
            ("a: |\r\n  x\r\n  y\r\n", "x\ny\n"),
            ("a: |-\n\n    x\n      y\n", "\nx\n  y"),
            ("a: |2\n    x\n   y\n", "  x\n y\n"),
            ("a: >-\n  x\n  y\n\n  z\n", "x~y\nz"),
            ("a: !Sub |\n  x ${y}\n   z\n", "x ${y}\n z\n"),
            ("a: !Sub # why\n  'x ${y}'\n", "x ${y}"),
            ("a: !Sub &b >\n  x\n  y\n", "x~y\n"),
            ("a: !Ref B\n", "B"),
            ("a:\n  Fn::Sub: |\n    x\n\n    y\n", "x\n\ny\n"),
            ("a: &b c\n", "c"),
            ("b:\n- a\na: |\n\n  x\n", "\nx\n"),
        ] {
            let (string, followed) = followed(text);
            assert_eq!(followed, made, "{string:?} of {text:?}");
        }
    }

    #[test]
    fn what_cannot_be_followed_is_where_it_begins() {
        assert_eq!(
            followed("b: &b x y\na: *b\n"),
            ("x y".to_owned(), "~~~".to_owned())
        );
    }
}
