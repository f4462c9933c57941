//! The token of a field name or a value in a text: its end, and its replacement.
use serde_json::Value;
use std::ops::Range;

/// Styles of strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    /// `"…"`, of JSON or YAML; numbers and the like of JSON too.
    Double,
    /// `'…'` of YAML.
    Single,
    /// Without quotation marks.
    Plain,
}

/// A name or a value that is no collection, in a text.
#[derive(Debug)]
pub(super) struct Token {
    pub(super) range: Range<usize>,
    style: Style,
}

impl Token {
    /// The token that begins at `offset`, if it is there and says `expected`: a text that was put together from others may come
    /// from somewhere else.
    pub(super) fn at(text: &str, offset: usize, expected: &Value) -> Option<Self> {
        let rest = text.get(offset..)?;
        let (length, style) = match rest.chars().next()? {
            '"' => (double_quoted(rest, expected.as_str()?)?, Style::Double),
            '\'' => (single_quoted(rest, expected.as_str()?)?, Style::Single),
            _ if expected.is_string() => (plain(rest, expected)?, Style::Plain),
            _ => (plain(rest, expected)?, Style::Double),
        };
        Some(Self {
            range: offset..offset + length,
            style,
        })
    }

    /// Returns a string in its place, written as it is.
    pub(super) fn string(&self, string: &str) -> String {
        match self.style {
            Style::Plain if is_plain(string) => string.to_owned(),
            Style::Single if !string.contains(['\'', '\n']) => format!("'{string}'"),
            _ => Value::from(string).to_string(),
        }
    }

    /// Prints any value; JSON is also valid YAML.
    pub(super) fn value(&self, value: &Value) -> String {
        match value {
            Value::String(string) => self.string(string),
            value => value.to_string(),
        }
    }
}

/// Bytes of a string in double quotation marks that says so.
fn double_quoted(text: &str, expected: &str) -> Option<usize> {
    let mut strings = serde_json::Deserializer::from_str(text).into_iter::<String>();
    let string = strings.next()?.ok()?;
    (string == expected).then(|| strings.byte_offset())
}

fn single_quoted(text: &str, expected: &str) -> Option<usize> {
    let written = format!("'{}'", expected.replace('\'', "''"));
    let rest = text.strip_prefix(&written)?;
    (!rest.starts_with('\'')).then_some(written.len())
}

/// Returns a plain word: a string of YAML, a number or one of the words of JSON.
fn plain(text: &str, expected: &Value) -> Option<usize> {
    let line = text.lines().next()?;
    if let Value::String(string) = expected {
        let rest = line.strip_prefix(string.as_str())?;
        let ends = rest.is_empty() || rest.starts_with([':', ',', '}', ']', ' ', '\t']);
        return (ends && !string.is_empty()).then_some(string.len());
    }
    let length = line.find([',', '}', ']', ' ', '\t']).unwrap_or(line.len());
    let word: Value = serde_json::from_str(line.get(..length)?).ok()?;
    (word == *expected).then_some(length)
}

/// Returns true if YAML takes a string for itself without quotation marks, wherever it stands.
fn is_plain(string: &str) -> bool {
    let begins = string.starts_with(|c: char| c.is_ascii_alphabetic() || c == '$');
    let is_word = |c: char| c.is_ascii_alphanumeric() || "$._-@".contains(c);
    let is_other = matches!(
        string.to_ascii_lowercase().as_str(),
        "true" | "false" | "null" | "yes" | "no" | "on" | "off" | "y" | "n"
    );
    begins && string.chars().all(is_word) && !is_other
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn replaced(text: &str, offset: usize, expected: &Value, new: &Value) -> Option<String> {
        let token = Token::at(text, offset, expected)?;
        let mut text = text.to_owned();
        let written = token.value(new);
        text.replace_range(token.range, &written);
        Some(text)
    }

    #[test]
    fn a_token_is_written_anew_in_its_own_style() {
        for (text, offset, expected, new, result) in [
            (r#"{"a": 1}"#, 1, json!("a"), json!("a.$"), r#"{"a.$": 1}"#),
            (r#"{"a": "5"}"#, 6, json!("5"), json!(5), r#"{"a": 5}"#),
            (r#"{"a": 5}"#, 6, json!(5), json!("x"), r#"{"a": "x"}"#),
            (
                r#"{"a": "\u0041"}"#,
                6,
                json!("A"),
                json!(["A"]),
                r#"{"a": ["A"]}"#,
            ),
            ("a: b", 0, json!("a"), json!("a.$"), "a.$: b"),
            ("a: b c", 3, json!("b c"), json!("d"), "a: d"),
            ("a: b # c", 3, json!("b"), json!("yes"), "a: \"yes\" # c"),
            ("a: 'it''s'", 3, json!("it's"), json!("its"), "a: 'its'"),
            ("a: [x, y]", 4, json!("x"), json!("$.x"), "a: [$.x, y]"),
        ] {
            assert_eq!(
                replaced(text, offset, &expected, &new).as_deref(),
                Some(result),
                "{text}"
            );
        }
    }

    #[test]
    fn what_says_something_else_is_no_token() {
        for (text, expected) in [
            ("\"b\"", json!("a")),
            ("bc", json!("b")),
            ("'a'''", json!("a")),
            ("12", json!(1)),
            ("", json!("a")),
            ("|\n  a", json!("a")),
        ] {
            assert!(Token::at(text, 0, &expected).is_none(), "{text}");
        }
    }
}
