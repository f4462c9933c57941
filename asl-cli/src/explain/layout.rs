//! Layout of data and texts: on one line if they fit, otherwise truncated or on several lines.
use crate::terminal::{text_width, truncate, visible};
use serde_json::Value;
use std::io::{self, Write};

/// Columns by which a line within is moved.
const INDENT: usize = 2;

/// Returns a value on one line of at most so many columns.
pub(crate) fn on_one_line(value: &Value, columns: usize) -> String {
    truncate(&compact(value, columns), columns)
}

/// Returns a value as JSON, no more of it than shows.
pub(crate) fn compact(value: &Value, columns: usize) -> String {
    let mut start = Start {
        bytes: Vec::new(),
        // A column holds a character, and that at most four bytes.
        limit: 4 * columns + 4,
    };
    // An error says that the limit is reached.
    let _ = serde_json::to_writer(&mut start, value);
    String::from_utf8_lossy(&start.bytes).into_owned()
}

/// The start of the output.
struct Start {
    bytes: Vec<u8>,
    limit: usize,
}

impl Write for Start {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = self.limit.saturating_sub(self.bytes.len());
        if room == 0 {
            return Err(io::Error::other("enough"));
        }
        let taken = bytes.len().min(room);
        self.bytes.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// All of a value: on one line where that fits into so many columns, else with a line for each member that needs one.
pub(crate) fn on_lines(value: &Value, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    push(&mut lines, String::new(), value, columns, "");
    lines
}

/// Recursion is bounded by the depth of data.
fn push(lines: &mut Vec<String>, before: String, value: &Value, columns: usize, after: &str) {
    let room = columns.saturating_sub(text_width(&before) + after.len());
    let line = compact(value, room);
    let members: Vec<(String, &Value)> = match value {
        _ if text_width(&line) <= room => Vec::new(),
        Value::Object(object) => {
            let quoted = |name: &String| format!("{}: ", Value::String(name.clone()));
            object
                .iter()
                .map(|(name, value)| (quoted(name), value))
                .collect()
        }
        Value::Array(array) => array.iter().map(|value| (String::new(), value)).collect(),
        _ => Vec::new(),
    };
    if members.is_empty() {
        let whole = value.to_string();
        return lines.push(format!("{before}{}{after}", escape_controls(&whole)));
    }
    let (open, close) = if value.is_array() {
        ('[', ']')
    } else {
        ('{', '}')
    };
    let indent: String = before.chars().take_while(|it| *it == ' ').collect();
    lines.push(format!("{before}{open}"));
    let last = members.len() - 1;
    for (at, (name, member)) in members.into_iter().enumerate() {
        let comma = if at == last { "" } else { "," };
        let begin = format!("{indent}{}{}", " ".repeat(INDENT), escape_controls(&name));
        push(lines, begin, member, columns, comma);
    }
    lines.push(format!("{indent}{close}{after}"));
}

/// Returns a text without what a terminal would obey.
pub(crate) fn escape_controls(text: &str) -> String {
    text.chars().map(visible).collect()
}

/// Wraps a text at a number of columns, between words if possible, up to a number of lines.
pub(crate) fn wrapped(text: &str, columns: usize, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last().map_or(0, |line| text_width(line));
        let fits = last == 0 || last + 1 + text_width(word) <= columns;
        if !fits && lines.len() == most {
            let last = lines.pop().unwrap_or_default();
            lines.push(truncate(&format!("{last} {word}"), columns));
            return lines;
        }
        match lines.last_mut().filter(|_| fits) {
            Some(line) if last == 0 => line.push_str(word),
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_does_not_fit_is_broken_where_it_must() {
        let value =
            json!({"id": 1, "items": [{"sku": "book"}, {"sku": "lampshade"}], "größe": "日本"});
        assert_eq!(on_lines(&value, 80), [value.to_string()]);
        assert_eq!(
            on_lines(&value, 34),
            [
                "{",
                "  \"id\": 1,",
                "  \"items\": [",
                "    {\"sku\":\"book\"},",
                "    {\"sku\":\"lampshade\"}",
                "  ],",
                "  \"größe\": \"日本\"",
                "}",
            ]
        );
        // What cannot be broken is not cut.
        assert_eq!(on_lines(&json!("a long text"), 5), ["\"a long text\""]);
        assert_eq!(on_lines(&json!([]), 1), ["[]"]);
        assert_eq!(on_one_line(&value, 12), "{\"id\":1,\"it…");
    }

    #[test]
    fn errors_are_broken_between_words() {
        assert_eq!(wrapped("one two three", 7, 9), ["one two", "three"]);
        assert_eq!(wrapped("one two three four", 7, 2), ["one two", "three …"]);
        assert_eq!(wrapped("incomprehensible", 7, 2), ["incomprehensible"]);
        assert_eq!(wrapped("", 7, 2), [""]);
    }
}
