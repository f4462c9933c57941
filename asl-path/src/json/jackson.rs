//! Error messages of Jackson, the JSON parser of the service.
//!
//! The texts are those of its reader of strings (`ReaderBasedJsonParser`, 2.17 on), which is read along here: slowly, since
//! only a text that was refused already comes this way.
use std::fmt;
use std::iter::Peekable;
use std::str::Chars;

const REDACTED: &str = "REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled)";
/// UTF-16 units of a text that are shown as the source.
const LONGEST_SOURCE: usize = 500;
const VALUES: &str = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')";
/// As much of a token is shown.
const LONGEST_TOKEN: usize = 256;

/// Returns Jackson's message for the first error of `text`, with the position on a separate line; None if Jackson accepts
/// the text.
///
/// ```
/// use asl_path::json::service_text;
/// assert_eq!(
///     service_text("{").as_deref(),
///     Some(
///         "Unexpected end-of-input: expected close marker for Object (start marker at [Source: REDACTED \
///          (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: 1, column: 1])\n at [Source: REDACTED \
///          (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: 1, column: 2]"
///     )
/// );
/// assert_eq!(service_text("{}"), None);
/// ```
pub fn service_text(text: &str) -> Option<String> {
    let fault = fault_of(text, Source::Redacted)?;
    Some(format!("{}\n at {}", fault.message, fault.location))
}

/// A fault of a JSON text in Jackson's words, of a reader that shows its source.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct JsonFault {
    /// The fault, without its place.
    pub message: String,
    /// The beginning of the text, with line and column.
    pub location: String,
}

/// Returns the first fault of `text` in Jackson's words, as the service's API reports that of a definition. None if Jackson
/// finds none.
///
/// ```
/// let fault = asl_path::json::service_fault("no").unwrap();
/// assert_eq!(fault.location, "[Source: (String)\"no\"; line: 1, column: 3]");
/// assert!(fault.message.starts_with("Unrecognized token 'no': was expecting"));
/// ```
pub fn service_fault(text: &str) -> Option<JsonFault> {
    fault_of(text, Source::Shown(text))
}

/// The source text that a fault quotes.
#[derive(Clone, Copy)]
enum Source<'t> {
    Redacted,
    Shown(&'t str),
}

impl fmt::Display for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Redacted => f.write_str(REDACTED),
            Self::Shown(text) => f.write_str(&show_source(text)),
        }
    }
}

fn fault_of<'t>(text: &'t str, source: Source<'t>) -> Option<JsonFault> {
    let mut reader = Reader {
        source,
        rest: text.chars().peekable(),
        here: Place { line: 1, column: 1 },
        before: Place { line: 1, column: 0 },
        open: Vec::new(),
    };
    let Fault { message, place } = reader.read().err()?;
    let location = reader.shown(place);
    Some(JsonFault { message, location })
}

/// `(String)"…"` with the beginning of a text; control characters but line ends are escaped.
fn show_source(text: &str) -> String {
    let mut shown = "(String)\"".to_owned();
    let mut units = 0;
    let mut rest = text.chars();
    for character in rest.by_ref() {
        units += character.len_utf16();
        match character {
            '\r' | '\n' => shown.push(character),
            control if control.is_control() => {
                shown.push_str(&format!("\\u{:04x}", u32::from(control)));
            }
            other => shown.push(other),
        }
        if units >= LONGEST_SOURCE {
            break;
        }
    }
    shown.push('"');
    let left: usize = rest.map(char::len_utf16).sum();
    if left > 0 {
        shown.push_str(&format!("[truncated {left} chars]"));
    }
    shown
}

/// One-based.
#[derive(Debug, Clone, Copy)]
struct Place {
    line: usize,
    column: usize,
}

struct Fault {
    message: String,
    place: Place,
}

/// An array or an object that is not closed.
#[derive(Clone, Copy)]
struct Open {
    is_object: bool,
    start: Place,
    /// True if it has a value already.
    is_begun: bool,
}

impl Open {
    fn described(self) -> &'static str {
        if self.is_object { "Object" } else { "Array" }
    }
}

struct Reader<'t> {
    source: Source<'t>,
    rest: Peekable<Chars<'t>>,
    /// Of the next character.
    here: Place,
    /// Of the last one.
    before: Place,
    open: Vec<Open>,
}

impl Reader<'_> {
    fn shown(&self, place: Place) -> String {
        let Place { line, column } = place;
        format!("[Source: {}; line: {line}, column: {column}]", self.source)
    }

    /// Reads one value to its end.
    fn read(&mut self) -> Result<(), Fault> {
        loop {
            let Some(mut sign) = self.sign()? else {
                return match self.open.last() {
                    None => Ok(()),
                    Some(open) => Err(self.fault(format!(
                        "Unexpected end-of-input: expected close marker for {} (start marker at {})",
                        open.described(),
                        self.shown(open.start)
                    ))),
                };
            };
            if matches!(sign, ']' | '}') {
                self.close(sign)?;
            } else {
                if self.open.last().is_some_and(|open| open.is_begun) {
                    sign = self.after_comma(sign)?;
                }
                if let Some(open) = self.open.last_mut() {
                    open.is_begun = true;
                }
                if self.open.last().is_some_and(|open| open.is_object) {
                    sign = self.name(sign)?;
                }
                self.value(sign)?;
            }
            if self.open.is_empty() {
                return Ok(());
            }
        }
    }

    fn next(&mut self) -> Option<char> {
        let next = self.rest.next()?;
        self.before = self.here;
        self.here = match next {
            '\n' => Place {
                line: self.here.line + 1,
                column: 1,
            },
            _ => Place {
                column: self.here.column + next.len_utf16(),
                ..self.here
            },
        };
        Some(next)
    }

    /// The next character that is no white space.
    fn sign(&mut self) -> Result<Option<char>, Fault> {
        loop {
            match self.next() {
                Some(' ' | '\n' | '\r' | '\t') => {}
                Some(control) if control < ' ' => {
                    return Err(self.fault(format!(
                        "Illegal character ({}): only regular white space (\\r, \\n, \\t) is allowed between tokens",
                        described(control)
                    )));
                }
                Some('/') => {
                    return Err(self.unexpected(
                        '/',
                        "maybe a (non-standard) comment? (not recognized as one since Feature 'ALLOW_COMMENTS' not enabled for parser)",
                    ));
                }
                sign => return Ok(sign),
            }
        }
    }

    /// Returns the next character within an array or an object, which continues.
    fn sign_within(&mut self) -> Result<char, Fault> {
        let described = self.open.last().map_or("root", |open| open.described());
        self.sign()?.ok_or_else(|| {
            self.fault(format!(
                "Unexpected end-of-input within/between {described} entries"
            ))
        })
    }

    fn close(&mut self, sign: char) -> Result<(), Fault> {
        let fits = |open: &Open| open.is_object == (sign == '}');
        if self.open.last().is_some_and(fits) {
            self.open.pop();
            return Ok(());
        }
        let expected = if sign == ']' { '}' } else { ']' };
        let (described, start) = match self.open.last() {
            Some(open) => (open.described(), open.start),
            None => ("root", Place { line: 1, column: 0 }),
        };
        Err(self.fault(format!(
            "Unexpected close marker '{sign}': expected '{expected}' (for {described} starting at {})",
            self.shown(start)
        )))
    }

    fn after_comma(&mut self, sign: char) -> Result<char, Fault> {
        if sign != ',' {
            let described = self.open.last().map_or("root", |open| open.described());
            let wanted = format!("was expecting comma to separate {described} entries");
            return Err(self.unexpected(sign, &wanted));
        }
        self.sign_within()
    }

    /// Returns a name and its colon; gives what follows.
    fn name(&mut self, sign: char) -> Result<char, Fault> {
        if sign != '"' {
            return Err(self.unexpected(sign, "was expecting double-quote to start field name"));
        }
        self.string(" in field name", "name")?;
        match self.sign_within()? {
            ':' => self.sign_within(),
            other => Err(self.unexpected(
                other,
                "was expecting a colon to separate field name and value",
            )),
        }
    }

    fn value(&mut self, sign: char) -> Result<(), Fault> {
        match sign {
            '"' => self.string(
                ": was expecting closing quote for a string value",
                "string value",
            ),
            '[' | '{' => {
                self.open.push(Open {
                    is_object: sign == '{',
                    start: self.before,
                    is_begun: false,
                });
                Ok(())
            }
            '}' => Err(self.unexpected(sign, "expected a value")),
            't' => self.word("true"),
            'f' => self.word("false"),
            'n' => self.word("null"),
            '-' | '0'..='9' => self.number(sign),
            other => self.no_value(other),
        }
    }

    fn no_value(&mut self, sign: char) -> Result<(), Fault> {
        if sign == 'N' || sign == 'I' {
            let word = if sign == 'N' { "NaN" } else { "Infinity" };
            self.word(word)?;
            return Err(self.fault(format!(
                "Non-standard token '{word}': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow"
            )));
        }
        if is_identifier_part(sign) && !sign.is_ascii_digit() {
            return Err(self.unrecognized(sign.to_string()));
        }
        Err(self.unexpected(sign, &format!("expected a valid value {VALUES}")))
    }

    /// The word whose first letter was read.
    fn word(&mut self, word: &str) -> Result<(), Fault> {
        for (at, letter) in word.char_indices().skip(1) {
            if self.rest.next_if_eq(&letter).is_none() {
                return Err(self.unrecognized(word.get(..at).unwrap_or(word).to_owned()));
            }
            self.before = self.here;
            self.here.column += 1;
        }
        match self.rest.peek() {
            Some(next) if is_identifier_part(*next) => Err(self.unrecognized(word.to_owned())),
            _ => Ok(()),
        }
    }

    /// A token that begins so.
    fn unrecognized(&mut self, beginning: String) -> Fault {
        let mut token = beginning;
        while let Some(next) = self.rest.next_if(|next| is_identifier_part(*next)) {
            self.here.column += next.len_utf16();
            token.push(next);
            if token.len() >= LONGEST_TOKEN {
                token.push_str("...");
                break;
            }
        }
        self.fault(format!(
            "Unrecognized token '{token}': was expecting {VALUES}"
        ))
    }

    fn string(&mut self, unended: &str, described_as: &str) -> Result<(), Fault> {
        loop {
            match self.next() {
                None => return Err(self.fault(format!("Unexpected end-of-input{unended}"))),
                Some('"') => return Ok(()),
                Some('\\') => self.escape()?,
                Some(control) if control < ' ' => {
                    return Err(self.fault(format!(
                        "Illegal unquoted character ({}): has to be escaped using backslash to be included in {described_as}",
                        described(control)
                    )));
                }
                Some(_) => {}
            }
        }
    }

    fn escape(&mut self) -> Result<(), Fault> {
        const UNENDED: &str = "Unexpected end-of-input in character escape sequence";
        match self.next() {
            None => Err(self.fault(UNENDED.to_owned())),
            Some('"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't') => Ok(()),
            Some('u') => {
                for _ in 0..4 {
                    match self.next() {
                        None => return Err(self.fault(UNENDED.to_owned())),
                        Some(digit) if digit.is_ascii_hexdigit() => {}
                        Some(other) => {
                            return Err(self.unexpected(
                                other,
                                "expected a hex-digit for character escape sequence",
                            ));
                        }
                    }
                }
                Ok(())
            }
            Some(other) => Err(self.fault(format!(
                "Unrecognized character escape {}",
                described(other)
            ))),
        }
    }

    fn number(&mut self, sign: char) -> Result<(), Fault> {
        let mut first = sign;
        if sign == '-' {
            first =
                self.digit("expected digit (0-9) to follow minus sign, for valid numeric value")?;
        }
        if first == '0' && self.rest.peek().is_some_and(char::is_ascii_digit) {
            self.next();
            return Err(Fault {
                message: "Invalid numeric value: Leading zeroes not allowed".to_owned(),
                place: self.before,
            });
        }
        self.digits();
        if self.rest.peek() == Some(&'.') {
            self.next();
            self.digit("Decimal point not followed by a digit")?;
            self.digits();
        }
        if matches!(self.rest.peek(), Some('e' | 'E')) {
            self.next();
            if matches!(self.rest.peek(), Some('+' | '-')) {
                self.next();
            }
            self.digit("Exponent indicator not followed by a digit")?;
            self.digits();
        }
        match self.rest.peek().copied() {
            Some(next) if self.open.is_empty() && !next.is_ascii_whitespace() => {
                self.next();
                Err(self.unexpected(next, "Expected space separating root-level values"))
            }
            _ => Ok(()),
        }
    }

    fn digits(&mut self) {
        while self.rest.peek().is_some_and(char::is_ascii_digit) {
            self.next();
        }
    }

    fn digit(&mut self, wanted: &str) -> Result<char, Fault> {
        match self.next() {
            None => Err(self.fault("Unexpected end-of-input in a Number value".to_owned())),
            Some(digit) if digit.is_ascii_digit() => Ok(digit),
            Some(other) => Err(Fault {
                message: format!(
                    "Unexpected character ({}) in numeric value: {wanted}",
                    described(other)
                ),
                place: self.before,
            }),
        }
    }

    /// Creates an error at the character after the parsed text.
    fn fault(&self, message: String) -> Fault {
        Fault {
            message,
            place: self.here,
        }
    }

    /// At the character that was read last.
    fn unexpected(&self, found: char, wanted: &str) -> Fault {
        Fault {
            message: format!("Unexpected character ({}): {wanted}", described(found)),
            place: self.before,
        }
    }
}

fn described(character: char) -> String {
    let code = u32::from(character);
    match code {
        _ if character.is_control() => format!("(CTRL-CHAR, code {code})"),
        256.. => format!("'{character}' (code {code} / 0x{code:x})"),
        _ => format!("'{character}' (code {code})"),
    }
}

/// Java's `Character.isJavaIdentifierPart`, as far as it matters.
fn is_identifier_part(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: usize, column: usize) -> String {
        format!("[Source: {REDACTED}; line: {line}, column: {column}]")
    }

    #[test]
    fn a_long_source_is_cut() {
        let text = format!("[\t{}", "x".repeat(600));
        let location = service_fault(&text).unwrap().location;
        let source = format!(
            "(String)\"[\\u0009{}\"[truncated 102 chars]",
            "x".repeat(498)
        );
        assert_eq!(
            location,
            format!("[Source: {source}; line: 1, column: 259]")
        );
    }

    #[track_caller]
    fn check(text: &str, message: &str, line: usize, column: usize) {
        assert_eq!(
            service_text(text),
            Some(format!("{message}\n at {}", shown(line, column))),
            "{text}"
        );
    }

    #[test]
    fn tokens_that_mean_nothing() {
        let expected =
            |token: &str| format!("Unrecognized token '{token}': was expecting {VALUES}");
        check("undefined", &expected("undefined"), 1, 10);
        check("[truth]", &expected("truth"), 1, 7);
        check("nul", &expected("nul"), 1, 4);
        check("{\"a\":\n True}", &expected("True"), 2, 6);
        let long = format!("{}...", "x".repeat(LONGEST_TOKEN));
        check(&"x".repeat(300), &expected(&long), 1, 257);
    }

    #[test]
    fn characters_that_cannot_stand_there() {
        let cases = [
            (
                "{bad}",
                "'b' (code 98)",
                "was expecting double-quote to start field name",
                2,
            ),
            (
                "{'a':1}",
                "'\u{27}' (code 39)",
                "was expecting double-quote to start field name",
                2,
            ),
            (
                "{\"a\" 1}",
                "'1' (code 49)",
                "was expecting a colon to separate field name and value",
                6,
            ),
            ("{\"a\":}", "'}' (code 125)", "expected a value", 6),
            (
                "[1 2]",
                "'2' (code 50)",
                "was expecting comma to separate Array entries",
                4,
            ),
            (
                "{\"a\":1 \"b\":2}",
                "'\"' (code 34)",
                "was expecting comma to separate Object entries",
                8,
            ),
            (
                "1a",
                "'a' (code 97)",
                "Expected space separating root-level values",
                2,
            ),
            (
                "\"\\uzzzz\"",
                "'z' (code 122)",
                "expected a hex-digit for character escape sequence",
                4,
            ),
        ];
        for (text, found, wanted, column) in cases {
            check(
                text,
                &format!("Unexpected character ({found}): {wanted}"),
                1,
                column,
            );
        }
        let valid = format!("expected a valid value {VALUES}");
        check(
            "[1,]",
            &format!("Unexpected character (']' (code 93)): {valid}"),
            1,
            4,
        );
        check(
            "€",
            &format!("Unexpected character ('€' (code 8364 / 0x20ac)): {valid}"),
            1,
            1,
        );
        check(
            ".5",
            &format!("Unexpected character ('.' (code 46)): {valid}"),
            1,
            1,
        );
        check(
            "-x",
            "Unexpected character ('x' (code 120)) in numeric value: expected digit (0-9) to follow minus sign, for valid numeric value",
            1,
            2,
        );
        check(
            "01",
            "Invalid numeric value: Leading zeroes not allowed",
            1,
            2,
        );
    }

    #[test]
    fn texts_that_end_too_soon() {
        let start = shown(1, 1);
        check(
            "[1,\n2",
            &format!(
                "Unexpected end-of-input: expected close marker for Array (start marker at {start})"
            ),
            2,
            2,
        );
        check(
            "{\"a\":",
            "Unexpected end-of-input within/between Object entries",
            1,
            6,
        );
        check(
            "\"ab",
            "Unexpected end-of-input: was expecting closing quote for a string value",
            1,
            4,
        );
        check("{\"ab", "Unexpected end-of-input in field name", 1, 5);
    }

    #[test]
    fn brackets_that_do_not_match() {
        let start = |column| shown(1, column);
        check(
            "]",
            &format!(
                "Unexpected close marker ']': expected '}}' (for root starting at {})",
                start(0)
            ),
            1,
            2,
        );
        check(
            "[1}",
            &format!(
                "Unexpected close marker '}}': expected ']' (for Array starting at {})",
                start(1)
            ),
            1,
            4,
        );
    }

    #[test]
    fn what_jackson_takes_has_no_text() {
        for text in [
            "",
            " ",
            "1",
            "-1.5e+3",
            "{\"a\": [1, \"\\u00e9\", null], \"b\": {}}",
            "[true, false]",
        ] {
            assert_eq!(service_text(text), None, "{text}");
        }
    }
}
