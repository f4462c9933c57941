//! Names: after a dot and between quotes, and the escapes in both.
use super::{Fault, PResult, parse_blanks, parse_sign};
use crate::ast::Quote;
use nom::Parser;
use nom::character::complete::{char, multispace0};
use nom::multi::separated_list1;

/// `'…'` or `"…"`: the text between, escapes resolved.
pub(super) fn parse_quoted(quote: Quote, input: &str) -> PResult<'_, String> {
    let Some(text) = input.strip_prefix(quote.char()) else {
        return Err(Fault::expected(
            "a name in the same quotes as the first",
            input,
        ));
    };
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        if escaped {
            escaped = false;
        } else if character == '\\' {
            escaped = true;
        } else if character == quote.char() {
            let (content, rest) = text.split_at(at);
            return Ok((rest.get(1..).unwrap_or_default(), unescape(content, quote)?));
        }
    }
    Err(Fault::other(
        format!("the quote {} is not closed", quote.char()),
        input,
    ))
}

/// `'a'`, `'a', 'b'`, up to and with the closing bracket.
pub(super) fn parse_names(quote: Quote, input: &str) -> PResult<'_, Vec<String>> {
    let comma = (parse_blanks, char(','), multispace0);
    let (rest, names) = separated_list1(comma, |input| parse_quoted(quote, input)).parse(input)?;
    let (rest, _) = parse_sign(']', "',' or ']' after a name", rest)?;
    Ok((rest, names))
}

/// Resolves `\n`, `\u0041`, `\x` (which is `x`) and the like. A `\u` with too few characters after it stands for nothing,
/// and half of a surrogate pair for the replacement character: no JSON text of this program holds it.
///
/// Recorded from the service: a backslash before the other quotation mark stands for itself.
fn unescape(content: &str, quote: Quote) -> Result<String, nom::Err<Fault<'_>>> {
    let other = match quote.char() {
        '"' => '\'',
        _ => '"',
    };
    unescape_with(content, Some(other), escaped_character)
}

/// Returns the escapes of a Reference Path's name after a dot: as between quotes, but `\b`, `\n` and the like are letters
/// (2024 specification, Reference Paths: `$.\stor\e.boo\k`).
pub(super) fn unescape_dot_name(content: &str) -> Result<String, nom::Err<Fault<'_>>> {
    unescape_with(content, None, |character| character)
}

fn unescape_with(
    content: &str,
    unescaped: Option<char>,
    escaped: impl Fn(char) -> char,
) -> Result<String, nom::Err<Fault<'_>>> {
    if !content.contains('\\') {
        return Ok(content.to_owned());
    }
    let mut text = String::with_capacity(content.len());
    let mut units = Vec::new();
    let mut rest = content;
    while let Some(character) = rest.chars().next() {
        let after = rest.get(character.len_utf8()..).unwrap_or_default();
        let escape = if character == '\\' {
            after.chars().next().filter(|c| Some(*c) != unescaped)
        } else {
            None
        };
        if escape == Some('u') {
            let (unit, next) = hexadecimal_unit(after.get(1..).unwrap_or_default())?;
            units.extend(unit);
            rest = next;
            continue;
        }
        flush(&mut units, &mut text);
        text.push(escape.map_or(character, &escaped));
        rest = after
            .get(escape.map_or(0, char::len_utf8)..)
            .unwrap_or_default();
    }
    flush(&mut units, &mut text);
    Ok(text)
}

fn flush(units: &mut Vec<u16>, text: &mut String) {
    text.extend(
        char::decode_utf16(units.drain(..)).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)),
    );
}

fn escaped_character(character: char) -> char {
    match character {
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        other => other,
    }
}

/// Returns the four characters after `\u` and the rest; a sign is taken as Java's `Integer.parseInt` takes it.
fn hexadecimal_unit(digits: &str) -> Result<(Option<u16>, &str), nom::Err<Fault<'_>>> {
    let Some((end, last)) = digits.char_indices().nth(3) else {
        return Ok((None, ""));
    };
    let (unit, rest) = digits.split_at(end + last.len_utf8());
    let number = i32::from_str_radix(unit, 16).map_err(|_| {
        Fault::other(
            format!("expected four hexadecimal digits after \\u, found '{unit}'"),
            digits,
        )
    })?;
    Ok((Some((number & 0xffff) as u16), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unescaped(content: &str) -> Option<String> {
        unescape(content, Quote::Single).ok()
    }

    #[test]
    fn escapes_are_resolved() {
        assert_eq!(
            unescaped(r#"a\'b\"c\\d\/"#).as_deref(),
            Some(r#"a'b\"c\d/"#)
        );
        assert_eq!(
            unescaped(r"\b\f\n\r\t\x").as_deref(),
            Some("\u{8}\u{c}\n\r\tx")
        );
        assert_eq!(unescaped(r"\u0041\uD83D\uDE00!").as_deref(), Some("A😀!"));
    }

    #[test]
    fn odd_unicode_escapes_are_as_in_jayway() {
        assert_eq!(unescaped(r"\u12").as_deref(), Some(""));
        assert_eq!(unescaped(r"\u+1234").as_deref(), Some("\u{123}4"));
        assert_eq!(unescaped(r"\uD800x").as_deref(), Some("\u{fffd}x"));
        assert_eq!(unescaped(r"\u{10ffff}"), None);
    }

    #[test]
    fn names_need_commas_and_the_same_quotes() {
        assert_eq!(
            parse_names(Quote::Single, "'a' ,\t'b']c").ok(),
            Some(("c", vec!["a".to_owned(), "b".to_owned()]))
        );
        assert!(parse_names(Quote::Single, "'a',\"b\"]").is_err());
        assert!(parse_names(Quote::Single, "'a' 'b']").is_err());
        assert!(parse_names(Quote::Single, "'a',]").is_err());
        assert!(parse_names(Quote::Single, "'a").is_err());
    }
}
