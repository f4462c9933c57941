//! YAML strings that every reader of YAML 1.1 or 1.2 parses as the same string.
use std::fmt::Write;

/// The text of a string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ScalarText {
    /// On one line, quoted if necessary.
    Inline(String),
    /// As the lines of a block, with the sign that is above them.
    Block(&'static str),
}

/// Returns the text of a string as a value.
pub(super) fn written(text: &str) -> ScalarText {
    match block_sign(text) {
        Some(sign) => ScalarText::Block(sign),
        None => ScalarText::Inline(inline(text)),
    }
}

/// Returns a string on one line.
pub(super) fn inline(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    if !text.chars().all(is_printed) {
        return escaped(text);
    }
    match (text.contains('\''), text.contains(['"', '\\'])) {
        (true, false) => format!("\"{text}\""),
        _ => format!("'{}'", text.replace('\'', "''")),
    }
}

/// Returns the sign of the block that says a text of several lines exactly.
fn block_sign(text: &str) -> Option<&'static str> {
    let content = text.strip_suffix('\n');
    let lines = content.unwrap_or(text);
    // Where a line is indented by is told by the first one, and blocks end differently with several breaks.
    let is_clear = !lines.starts_with([' ', '\t', '\n']) && !lines.ends_with(['\n', ' ', '\t']);
    let is_printed = lines.chars().all(|c| c == '\n' || is_printed(c));
    let has_lines = lines.contains('\n') || content.is_some_and(|lines| !lines.is_empty());
    (is_clear && is_printed && has_lines).then_some(if content.is_some() { "|" } else { "|-" })
}

/// Returns true if a character can be printed unescaped: it breaks no line, and readers neither change nor refuse it.
fn is_printed(character: char) -> bool {
    match character {
        '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => false,
        other => !other.is_control(),
    }
}

/// Returns true if a string needs no quotes.
fn is_plain(text: &str) -> bool {
    let Some(first) = text.chars().next() else {
        return false;
    };
    let begins_well = first.is_alphabetic() || matches!(first, '_' | '$' | '/' | '(');
    begins_well
        && text.chars().all(is_printed)
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !text.contains(" #")
        // What a tool puts there may be a number.
        && !text.contains("${")
        && !is_word(text)
}

/// Returns true if a plain text is something else than a string to some reader (YAML 1.1's types of booleans and null; 1.2's
/// core schema).
fn is_word(text: &str) -> bool {
    const WORDS: [&str; 9] = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"];
    WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len() + 2);
    result.push('"');
    for character in text.chars() {
        match character {
            '"' => result.push_str("\\\""),
            '\\' => result.push_str("\\\\"),
            '\n' => result.push_str("\\n"),
            '\r' => result.push_str("\\r"),
            '\t' => result.push_str("\\t"),
            other if is_printed(other) => result.push(other),
            other => {
                let code = u32::from(other);
                let _ = match code {
                    ..0x100 => write!(result, "\\x{code:02x}"),
                    _ => write!(result, "\\u{code:04x}"),
                };
            }
        }
    }
    result.push('"');
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_stand_where_a_reader_could_err() {
        for plain in [
            "Charge",
            "States.ALL",
            "$.order.total",
            "$$.Execution.Id",
            "arn:aws:lambda:us-east-1:1:function:f",
            "States.Format('{}', $.a)",
            "é, [b]",
            "/a/b#c",
            "nothing",
            "it's",
        ] {
            assert_eq!(inline(plain), plain);
        }
        for (text, written) in [
            ("", "''"),
            ("yes", "'yes'"),
            ("NO", "'NO'"),
            ("Null", "'Null'"),
            ("y", "'y'"),
            ("12", "'12'"),
            ("2024-01-31", "'2024-01-31'"),
            ("1e3", "'1e3'"),
            (".5", "'.5'"),
            ("~", "'~'"),
            ("=", "'='"),
            ("<<", "'<<'"),
            ("- a", "'- a'"),
            ("*.json", "'*.json'"),
            ("{% $x %}", "'{% $x %}'"),
            ("{% 'a' %}", "\"{% 'a' %}\""),
            ("{% 'a' & \"b\" %}", "'{% ''a'' & \"b\" %}'"),
            ("a: b", "'a: b'"),
            ("a #b", "'a #b'"),
            ("a:", "'a:'"),
            ("a ", "'a '"),
            ("${Name}", "'${Name}'"),
            ("a\tb", "\"a\\tb\""),
            ("a\u{85}\u{feff}\u{1}", "\"a\\x85\\ufeff\\x01\""),
        ] {
            assert_eq!(inline(text), written);
        }
    }

    #[test]
    fn lines_stand_in_blocks_where_these_are_exact() {
        for (text, sign) in [
            ("a\nb", Some("|-")),
            ("a\nb\n", Some("|")),
            ("a\n", Some("|")),
            ("a\n\n  b", Some("|-")),
            ("a", None),
            ("\n", None),
            ("a\n\n", None),
            (" a\nb", None),
            ("a\nb ", None),
            ("a\r\nb", None),
        ] {
            assert_eq!(block_sign(text), sign, "{text:?}");
        }
    }
}
