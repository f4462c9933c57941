//! Decoded scalars, with the source of each part.
use super::node::Style;
use std::borrow::Cow;
use std::ops::Range;

/// A text, with where its bytes come from.
#[derive(Debug, Clone)]
pub(crate) struct DecodedText<'t> {
    pub(crate) text: Cow<'t, str>,
    /// Offsets in the text and in the source where copied bytes start; the first one is the start of both.
    marks: Vec<(usize, usize)>,
}

impl DecodedText<'_> {
    /// Returns the source offset of a byte of the text.
    pub(crate) fn source(&self, at: usize) -> usize {
        let next = self.marks.partition_point(|(mark, _)| *mark <= at);
        let mark = next.checked_sub(1).and_then(|last| self.marks.get(last));
        mark.map_or(0, |(mark, source)| source + (at - mark))
    }

    /// The same of a range.
    pub(crate) fn source_range(&self, range: Range<usize>) -> Range<usize> {
        let start = self.source(range.start);
        // The byte behind it may be somewhere else.
        let end = match range.end.checked_sub(1) {
            Some(last) if last >= range.start => self.source(last) + 1,
            _ => start,
        };
        start..end.max(start)
    }

    /// Returns the byte of the text at a source offset, or the next one.
    pub(crate) fn at(&self, source: usize) -> usize {
        let next = self.marks.partition_point(|(_, mark)| *mark <= source);
        let mark = next.checked_sub(1).and_then(|last| self.marks.get(last));
        let end = self.marks.get(next).map_or(self.text.len(), |(at, _)| *at);
        mark.map_or(0, |(at, mark)| (at + (source - mark)).min(end))
    }
}

/// Returns the range of a scalar's content, without quotes.
pub(crate) fn content(text: &str, span: &Range<usize>, style: Style) -> Range<usize> {
    let whole = text.get(span.clone()).unwrap_or_default();
    let quote = match style {
        Style::Double => '"',
        Style::Single => '\'',
        Style::Plain | Style::Literal(_) | Style::Folded(_) => return span.clone(),
    };
    let start = span.start + usize::from(whole.starts_with(quote));
    let is_closed = whole.len() >= 2 && whole.ends_with(quote);
    start..(span.end - usize::from(is_closed)).max(start)
}

/// Reads a scalar.
pub(crate) fn decode<'t>(text: &'t str, span: &Range<usize>, style: Style) -> DecodedText<'t> {
    let content = content(text, span, style);
    let raw = text.get(content.clone()).unwrap_or_default();
    let is_plain = match style {
        Style::Double => !raw.contains(['\\', '\n']),
        Style::Single => !raw.contains(['\'', '\n']),
        Style::Plain => !raw.contains('\n'),
        Style::Literal(_) | Style::Folded(_) => false,
    };
    if is_plain {
        return DecodedText {
            text: Cow::Borrowed(raw),
            marks: vec![(0, content.start)],
        };
    }
    let mut decoder = Decoder {
        raw,
        at: 0,
        start: content.start,
        text: String::with_capacity(raw.len()),
        marks: vec![(0, content.start)],
    };
    match style {
        Style::Literal(columns) => decoder.block(columns, '\n'),
        Style::Folded(columns) => decoder.block(columns, ' '),
        Style::Double | Style::Single | Style::Plain => decoder.flow(style),
    }
    DecodedText {
        text: Cow::Owned(decoder.text),
        marks: decoder.marks,
    }
}

struct Decoder<'t> {
    raw: &'t str,
    at: usize,
    start: usize,
    text: String,
    marks: Vec<(usize, usize)>,
}

impl Decoder<'_> {
    fn rest(&self) -> &str {
        self.raw.get(self.at..).unwrap_or_default()
    }

    /// Notes that what follows is copied from where the source is now.
    fn mark(&mut self) {
        self.marks.push((self.text.len(), self.start + self.at));
    }

    /// Lines without the spaces before them, joined.
    fn block(&mut self, columns: usize, join: char) {
        let mut is_first = true;
        while self.at < self.raw.len() {
            if !is_first {
                self.text.push(join);
            }
            is_first = false;
            let spaces = self
                .rest()
                .bytes()
                .take(columns)
                .take_while(|it| *it == b' ')
                .count();
            self.at += spaces;
            self.mark();
            let line = self.rest().split('\n').next().unwrap_or_default();
            let length = line.len();
            let line = line.trim_end_matches('\r').to_owned();
            self.text.push_str(&line);
            self.at += length + 1;
        }
    }

    /// Escapes, and lines that continue in the next one.
    fn flow(&mut self, style: Style) {
        while let Some(character) = self.rest().chars().next() {
            match (character, style) {
                ('\\', Style::Double) => self.escape(),
                ('\'', Style::Single) => {
                    self.text.push('\'');
                    self.at += if self.rest().starts_with("''") { 2 } else { 1 };
                    self.mark();
                }
                ('\n', _) => {
                    let kept = self.text.trim_end_matches([' ', '\t', '\r']).len();
                    self.text.truncate(kept);
                    self.text.push(' ');
                    let spaces = self.rest().len() - self.rest().trim_start().len();
                    self.at += spaces.max(1);
                    self.mark();
                }
                (other, _) => {
                    self.text.push(other);
                    self.at += other.len_utf8();
                }
            }
        }
    }

    fn escape(&mut self) {
        let mut characters = self.rest().chars().skip(1);
        let (character, length) = match characters.next() {
            None => ('\\', 1),
            Some('n') => ('\n', 2),
            Some('t') => ('\t', 2),
            Some('r') => ('\r', 2),
            Some('b') => ('\u{8}', 2),
            Some('f') => ('\u{c}', 2),
            Some('u') => self.unicode(),
            Some(other) => (other, 1 + other.len_utf8()),
        };
        self.text.push(character);
        self.at += length;
        self.mark();
    }

    /// `\u0041`, or a pair of them.
    fn unicode(&self) -> (char, usize) {
        let digits = |from: usize| {
            let digits = self.rest().get(from..from + 4)?;
            u32::from_str_radix(digits, 16).ok()
        };
        let Some(first) = digits(2) else {
            return ('u', 2);
        };
        let is_pair = (0xD800..0xDC00).contains(&first) && self.rest().get(6..8) == Some("\\u");
        let second = digits(8).filter(|it| is_pair && (0xDC00..0xE000).contains(it));
        if let Some(second) = second {
            let code = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
            return (
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
                12,
            );
        }
        (
            char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER),
            6,
        )
    }
}

/// Returns a text as the inside of a scalar of that style; None if it cannot be written so.
pub(crate) fn encoded(text: &str, style: Style) -> Option<String> {
    match style {
        Style::Double => {
            let quoted = serde_json::Value::from(text).to_string();
            quoted.get(1..quoted.len() - 1).map(str::to_owned)
        }
        Style::Single => (!text.contains('\n')).then(|| text.replace('\'', "''")),
        Style::Plain => is_plain(text).then(|| text.to_owned()),
        Style::Literal(_) | Style::Folded(_) => (!text.contains('\n')).then(|| text.to_owned()),
    }
}

/// Returns true if a text without quotes is that text in YAML.
fn is_plain(text: &str) -> bool {
    let begins_well =
        text.starts_with(|it: char| it.is_alphanumeric() || matches!(it, '_' | '$' | '/'));
    let is_word = matches!(
        text.to_ascii_lowercase().as_str(),
        "true" | "false" | "null" | "yes" | "no" | "on" | "off"
    );
    begins_well
        && !is_word
        && text.parse::<f64>().is_err()
        && text.trim() == text
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.ends_with(':')
        && !text.contains(['\n', '{', '}', '[', ']', ',', '"', '\''])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(source: &str, style: Style) -> DecodedText<'_> {
        decode(source, &(0..source.len()), style)
    }

    #[test]
    fn scalars_say_what_they_mean_and_where_it_is_written() {
        for (source, style, text, needle) in [
            ("\"a b\"", Style::Double, "a b", "b"),
            (
                r#""a\n\"\u00e9\ud83d\ude00 b""#,
                Style::Double,
                "a\n\"é😀 b",
                "b",
            ),
            ("'it''s b'", Style::Single, "it's b", "b"),
            ("a\n   b", Style::Plain, "a b", "b"),
            ("  a\n    c\n  b", Style::Literal(2), "a\n  c\nb", "b"),
            ("  a\r\n  b", Style::Folded(2), "a b", "b"),
        ] {
            let decoded = decoded(source, style);
            assert_eq!(decoded.text, text);
            let at = text.find(needle).unwrap();
            assert_eq!(
                decoded.source(at),
                source.rfind(needle).unwrap(),
                "{source}"
            );
            assert_eq!(decoded.at(decoded.source(at)), at, "{source}");
        }
        assert_eq!(decoded("\"\\", Style::Double).text, "\\");
        assert_eq!(decoded("\"\\u12", Style::Double).text, "u12");
        assert_eq!(decoded("\"", Style::Double).text, "");
    }

    #[test]
    fn a_text_is_written_as_its_style_has_it() {
        assert_eq!(encoded("a\"b", Style::Double).as_deref(), Some("a\\\"b"));
        assert_eq!(encoded("it's", Style::Single).as_deref(), Some("it''s"));
        assert_eq!(encoded("a b", Style::Plain).as_deref(), Some("a b"));
        for text in ["true", "1", "a: b", "- a", "a #", "", "it's"] {
            assert_eq!(encoded(text, Style::Plain), None, "{text}");
        }
    }
}
