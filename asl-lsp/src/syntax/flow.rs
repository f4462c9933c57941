//! JSON and YAML flow collections, parsed even if they are incomplete or invalid.
use super::node::{Builder, Kind, Name, Style};
use std::ops::Range;

/// Syntax of brackets and words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    Json,
    /// YAML, where a line indented by at most so many spaces ends open collections.
    Yaml {
        outer: usize,
    },
}

/// The name that the next value of an object has.
#[derive(Debug)]
struct PendingName {
    name: Name,
    /// End of the colon.
    colon: Option<usize>,
}

/// Reads a range of a text, one value with all in it.
pub(crate) struct Reader<'t, 'b> {
    text: &'t str,
    end: usize,
    at: usize,
    flow: Flow,
    builder: &'b mut Builder,
    /// Collections opened earlier.
    floor: usize,
    /// Number of open objects and arrays.
    objects: usize,
    arrays: usize,
    pending: Option<PendingName>,
}

/// Parses the value at the start of the range, with the field name `name`; returns its end.
pub(crate) fn read(
    text: &str,
    range: Range<usize>,
    flow: Flow,
    name: Option<Name>,
    builder: &mut Builder,
) -> usize {
    let mut reader = Reader {
        text,
        end: range.end.min(text.len()),
        at: range.start,
        flow,
        floor: builder.depth(),
        objects: 0,
        arrays: 0,
        builder,
        pending: name.map(|name| PendingName {
            name,
            colon: Some(range.start),
        }),
    };
    reader.read_all();
    reader.at
}

impl<'t> Reader<'t, '_> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..self.end).unwrap_or_default()
    }

    fn is_yaml(&self) -> bool {
        self.flow != Flow::Json
    }

    fn is_nested(&self) -> bool {
        self.builder.depth() > self.floor
    }

    fn in_object(&self) -> bool {
        self.innermost() == Some(Kind::Object)
    }

    fn read_all(&mut self) {
        let mut has_read = false;
        loop {
            if self.builder.is_full() {
                self.at = self.end;
                break;
            }
            let before = self.at;
            if !self.skip_space() || (has_read && !self.is_nested()) {
                // What comes after the value is read by nobody in YAML, and is too much in JSON.
                if has_read && !self.is_nested() {
                    self.at = if self.is_yaml() { before } else { self.at };
                    self.builder.is_broken |= !self.is_yaml() && !self.rest().trim().is_empty();
                }
                break;
            }
            let Some(character) = self.rest().chars().next() else {
                break;
            };
            match character {
                '{' => self.open(Kind::Object),
                '[' => self.open(Kind::Array),
                '}' => self.close(Kind::Object),
                ']' => self.close(Kind::Array),
                ',' => self.separate(),
                ':' => self.colon(),
                _ => self.word(),
            }
            has_read = true;
        }
        while self.is_nested() {
            self.builder.is_broken = true;
            self.leave(self.at);
        }
    }

    /// Skips white space and comments; returns false at the end, or where open collections end.
    fn skip_space(&mut self) -> bool {
        loop {
            let rest = self.rest();
            if rest.starts_with(|it: char| it.is_ascii_graphic() && it != '#') {
                return true;
            }
            let trimmed = rest.trim_start_matches([' ', '\t', '\r', '\n', '\u{feff}']);
            let space = rest.get(..rest.len() - trimmed.len()).unwrap_or_default();
            if let Flow::Yaml { outer } = self.flow
                && let Some(line) = space.rfind('\n')
                && space.len() - line - 1 <= outer
                && !trimmed.starts_with(['}', ']', '#'])
            {
                return false;
            }
            self.at += space.len();
            if !(self.is_yaml() && trimmed.starts_with('#')) {
                return !trimmed.is_empty();
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    fn open(&mut self, kind: Kind) {
        self.missing_before(self.at, false);
        let name = self.pending.take().map(|pending| pending.name);
        self.builder.open(kind, self.at, name);
        *self.count(kind) += 1;
        self.at += 1;
    }

    fn count(&mut self, kind: Kind) -> &mut usize {
        match kind {
            Kind::Object => &mut self.objects,
            _ => &mut self.arrays,
        }
    }

    /// Closes what the bracket closes, with all in it; one that closes nothing is passed over.
    fn close(&mut self, kind: Kind) {
        self.missing_before(self.at, true);
        self.at += 1;
        if *self.count(kind) == 0 {
            self.builder.is_broken = true;
            return;
        }
        while self.innermost().is_some_and(|innermost| innermost != kind) {
            self.builder.is_broken = true;
            self.leave(self.at - 1);
        }
        self.leave(self.at);
    }

    fn innermost(&self) -> Option<Kind> {
        self.builder.innermost(self.floor).map(|node| node.kind)
    }

    fn leave(&mut self, end: usize) {
        self.missing_before(end, true);
        if let Some(kind) = self.innermost() {
            *self.count(kind) -= 1;
        }
        self.builder.close(end);
    }

    fn separate(&mut self) {
        self.missing_before(self.at, true);
        self.at += 1;
    }

    fn colon(&mut self) {
        self.at += 1;
        match &mut self.pending {
            Some(pending) if pending.colon.is_none() => pending.colon = Some(self.at),
            _ => self.builder.is_broken = true,
        }
    }

    /// Adds an empty value for a name without one: before a separator, or before another name.
    fn missing_before(&mut self, end: usize, is_end: bool) {
        if !self.in_object() {
            return;
        }
        let is_unfinished = |pending: &PendingName| is_end || pending.colon.is_none();
        let Some(pending) = self.pending.take_if(|pending| is_unfinished(pending)) else {
            return;
        };
        self.builder.is_broken = true;
        match pending.colon {
            Some(colon) => {
                let end = end.max(colon);
                self.builder
                    .add(Kind::Missing, colon..end, Some(pending.name))
            }
            None => {
                let end = pending.name.span.end;
                self.builder
                    .add(Kind::NameAlone, end..end, Some(pending.name))
            }
        };
    }

    /// A string, or what has no quotes: a name or a value.
    fn word(&mut self) {
        let start = self.at;
        let style = self.string();
        let span = start..self.at;
        let is_value = match &self.pending {
            Some(pending) => pending.colon.is_some(),
            None => !self.in_object(),
        };
        // After `"Next":` and a line's end, what a colon follows is the next name.
        if is_value && self.in_object() && self.is_followed_by_colon() {
            let colon = self.pending.as_ref().and_then(|pending| pending.colon);
            let between = colon.and_then(|colon| self.text.get(colon..start));
            if between.is_some_and(|between| between.contains('\n')) {
                self.missing_before(start, true);
                self.pending = Some(PendingName {
                    name: Name { span, style },
                    colon: None,
                });
                return;
            }
        }
        if is_value {
            let name = self.pending.take().map(|pending| pending.name);
            self.builder.add(Kind::Scalar(style), span, name);
        } else {
            self.missing_before(start, false);
            self.pending = Some(PendingName {
                name: Name { span, style },
                colon: None,
            });
        }
    }

    fn is_followed_by_colon(&self) -> bool {
        self.rest().trim_start().starts_with(':')
    }

    /// Goes past a string or a word.
    fn string(&mut self) -> Style {
        let rest = self.rest();
        let (style, length) = match rest.chars().next() {
            Some('"') => (Style::Double, quoted(rest, '"', self.is_yaml())),
            Some('\'') if self.is_yaml() => (Style::Single, quoted(rest, '\'', true)),
            _ => (Style::Plain, Some(self.plain(rest))),
        };
        let length = length.unwrap_or_else(|| {
            self.builder.is_broken = true;
            unclosed(rest)
        });
        self.at += length.max(1);
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
        style
    }

    /// Bytes of what has no quotes.
    fn plain(&self, rest: &str) -> usize {
        if let Some(placeholder) = rest.strip_prefix("${")
            && let Some(end) = placeholder.find(['}', '\n'])
            && placeholder.as_bytes().get(end) == Some(&b'}')
        {
            return "${}".len() + end;
        }
        let mut characters = rest.char_indices().peekable();
        while let Some((at, character)) = characters.next() {
            let is_end = match character {
                ',' | '[' | ']' | '{' | '}' | '\n' => true,
                ':' if self.is_yaml() => characters.peek().is_none_or(|(_, next)| {
                    next.is_whitespace() || matches!(next, ',' | '}' | ']')
                }),
                ':' | ' ' | '\t' | '\r' | '"' => !self.is_yaml() && at > 0,
                '#' => self.is_yaml() && rest.get(..at).is_some_and(|it| it.ends_with(' ')),
                _ => false,
            };
            if is_end {
                return rest.get(..at).map_or(at, |plain| plain.trim_end().len());
            }
        }
        rest.trim_end().len()
    }
}

/// Bytes of a string with its quotes; None if it is not closed on its line, or in YAML before what would not follow it.
pub(crate) fn quoted(rest: &str, quote: char, is_yaml: bool) -> Option<usize> {
    if quote == '"' && !is_yaml {
        return quoted_in_json(rest);
    }
    let mut characters = rest.char_indices().skip(1).peekable();
    let mut has_lines = false;
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' if quote == '"' => {
                characters.next();
            }
            '\'' if quote == '\'' && matches!(characters.peek(), Some((_, '\''))) => {
                characters.next();
            }
            it if it == quote => {
                // Of a string that is not closed, this is where the next one begins.
                let after = rest
                    .get(at + 1..)?
                    .trim_start_matches([' ', '\t'])
                    .chars()
                    .next();
                let ends = matches!(
                    after,
                    None | Some('\n' | '\r' | ',' | ']' | '}' | '#' | ':')
                );
                return (ends || !has_lines).then_some(at + 1);
            }
            '\n' if !is_yaml => return None,
            '\n' => has_lines = true,
            _ => {}
        }
    }
    None
}

/// Bytes of a string of JSON with its quotes; None if it is not closed on its line.
fn quoted_in_json(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let mut at = 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\n' => return None,
            // No byte of a longer character is a quote or a backslash.
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// Bytes of a string that is not closed: up to the end of its line, without what the line continues with.
pub(crate) fn unclosed(rest: &str) -> usize {
    let line = rest.split('\n').next().unwrap_or_default();
    line.trim_end()
        .trim_end_matches([',', '}', ']'])
        .trim_end()
        .len()
}
