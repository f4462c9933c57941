//! `CMD ARG…`: words as a shell splits them, without anything else that a shell does.
use super::CommandError;
use std::iter::Peekable;
use std::str::Chars;

/// Splits at blanks; quotes and backslashes keep blanks within a word.
pub(super) fn split(text: &str) -> Result<Vec<String>, CommandError> {
    let mut words = Vec::new();
    let mut rest = text.chars().peekable();
    loop {
        while rest.next_if(|c| c.is_whitespace()).is_some() {}
        if rest.peek().is_none() {
            return Ok(words);
        }
        words.push(word(&mut rest)?);
    }
}

fn word(rest: &mut Peekable<Chars<'_>>) -> Result<String, CommandError> {
    let mut word = String::new();
    while let Some(character) = rest.next_if(|c| !c.is_whitespace()) {
        match character {
            '\'' => quoted(rest, '\'', &mut word)?,
            '"' => quoted(rest, '"', &mut word)?,
            '\\' => word.push(rest.next().ok_or(CommandError::OpenEscape)?),
            other => word.push(other),
        }
    }
    Ok(word)
}

fn quoted(
    rest: &mut Peekable<Chars<'_>>,
    quote: char,
    word: &mut String,
) -> Result<(), CommandError> {
    loop {
        match rest.next() {
            None => return Err(CommandError::OpenQuote),
            Some(c) if c == quote => return Ok(()),
            Some('\\') if quote == '"' => match rest.next() {
                Some(c @ ('"' | '\\')) => word.push(c),
                Some(c) => word.extend(['\\', c]),
                None => return Err(CommandError::OpenQuote),
            },
            Some(c) => word.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_a_shell() {
        let words = |text| split(text).unwrap();
        assert_eq!(words("python3 a.py  --x=1"), ["python3", "a.py", "--x=1"]);
        assert_eq!(
            words(r#"sh -c 'echo "$0" | cat'"#),
            ["sh", "-c", r#"echo "$0" | cat"#]
        );
        assert_eq!(
            words(r#"a "b \"c\" \d" e\ f ''"#),
            ["a", r#"b "c" \d"#, "e f", ""]
        );
        assert_eq!(words(" "), [""; 0]);
        assert_eq!(split("'a"), Err(CommandError::OpenQuote));
        assert_eq!(split("\"a\\"), Err(CommandError::OpenQuote));
        assert_eq!(split("a\\"), Err(CommandError::OpenEscape));
    }
}
