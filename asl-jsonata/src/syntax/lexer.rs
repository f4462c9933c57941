//! Tokens.
use super::RegexLiteral;
use crate::ParseError;
use crate::functions::{number_text, quoted};
use serde_json::{Number, Value};

/// A word of the language.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token<'t> {
    pub(super) kind: TokenKind<'t>,
    /// Offset in bytes.
    pub(super) position: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum TokenKind<'t> {
    /// A field, as it is or in backquotes.
    Name(&'t str),
    /// Without its `$`.
    Variable(&'t str),
    /// An operator, a bracket or a separator; also `and`, `or` and `in`.
    Operator(&'static str),
    Literal(Value),
    Regex(RegexLiteral),
    End,
}

impl TokenKind<'_> {
    /// As messages name it.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Literal(value) => literal_text(value),
            Self::Regex(_) => self.text(),
            _ => quoted(&self.text()),
        }
    }

    /// Returns the text of the token.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Name(text) | Self::Variable(text) => (*text).to_owned(),
            Self::Operator(text) => (*text).to_owned(),
            Self::Literal(Value::String(text)) => text.clone(),
            Self::Literal(value) => literal_text(value),
            Self::Regex(regex) => regex.to_string(),
            Self::End => "(end)".to_owned(),
        }
    }
}

/// Longer ones before those that they begin with. `!` and `~` alone are none, but end a name.
const OPERATORS: [&str; 33] = [
    "..", ":=", "!=", ">=", "<=", "**", "~>", ".", "[", "]", "{", "}", "(", ")", ",", "@", "#",
    ";", ":", "?", "+", "-", "*", "/", "%", "|", "=", "<", ">", "^", "&", "!", "~",
];

const WHITESPACE: &[char] = &[' ', '\t', '\n', '\r', '\u{b}'];

/// Returns true if a character ends a name.
fn ends_name(character: char) -> bool {
    WHITESPACE.contains(&character) || ".[]{}(),@#;:?+-*/%|=<>^&!~".contains(character)
}

/// Reads tokens from a text.
pub(super) struct Lexer<'t> {
    text: &'t str,
    position: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, position: 0 }
    }

    /// Returns the next token. A slash divides where an operator may stand, and begins a regular expression elsewhere.
    pub(super) fn next(&mut self, operator_expected: bool) -> Result<Token<'t>, ParseError> {
        self.skip_blanks()?;
        let position = self.position;
        let kind = match self.rest().chars().next() {
            None => TokenKind::End,
            Some('/') if !operator_expected => self.regex()?,
            Some(quote @ ('"' | '\'')) => self.string(quote)?,
            Some('`') => self.quoted_name()?,
            Some('0'..='9') => self.number()?,
            Some(_) => match self.operator()? {
                Some(operator) => TokenKind::Operator(operator),
                None => self.word(),
            },
        };
        Ok(Token { kind, position })
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.position..).unwrap_or_default()
    }

    /// Takes so many bytes.
    fn take(&mut self, length: usize) -> &'t str {
        let taken = self.rest().get(..length).unwrap_or_default();
        self.position += taken.len();
        taken
    }

    /// Passes over whitespace and comments.
    fn skip_blanks(&mut self) -> Result<(), ParseError> {
        loop {
            let rest = self.rest();
            self.position += rest.len() - rest.trim_start_matches(WHITESPACE).len();
            let Some(comment) = self.rest().strip_prefix("/*") else {
                return Ok(());
            };
            let Some(length) = comment.find("*/") else {
                return Err(fault("S0106", "Comment has no closing tag", self.position));
            };
            self.position += "/*".len() + length + "*/".len();
        }
    }

    fn operator(&mut self) -> Result<Option<&'static str>, ParseError> {
        let mut operators = OPERATORS.into_iter();
        let Some(operator) = operators.find(|operator| self.rest().starts_with(operator)) else {
            return Ok(None);
        };
        if matches!(operator, "!" | "~") {
            let message = format!("Unknown operator: \"{operator}\"");
            return Err(fault("S0204", message, self.position));
        }
        self.position += operator.len();
        Ok(Some(operator))
    }

    /// Returns a name, a variable or a word with a meaning.
    fn word(&mut self) -> TokenKind<'t> {
        let length = self.rest().find(ends_name);
        let word = self.take(length.unwrap_or(self.rest().len()));
        match word {
            "and" => TokenKind::Operator("and"),
            "or" => TokenKind::Operator("or"),
            "in" => TokenKind::Operator("in"),
            "true" => TokenKind::Literal(Value::Bool(true)),
            "false" => TokenKind::Literal(Value::Bool(false)),
            "null" => TokenKind::Literal(Value::Null),
            _ => match word.strip_prefix('$') {
                Some(name) => TokenKind::Variable(name),
                None => TokenKind::Name(word),
            },
        }
    }

    fn quoted_name(&mut self) -> Result<TokenKind<'t>, ParseError> {
        self.position += 1;
        let Some(length) = self.rest().find('`') else {
            let message = "Quoted property name must be terminated with a backquote (`)";
            return Err(fault("S0105", message, self.text.len()));
        };
        let name = self.take(length);
        self.position += 1;
        Ok(TokenKind::Name(name))
    }

    fn number(&mut self) -> Result<TokenKind<'t>, ParseError> {
        let position = self.position;
        let text = self.take(number_length(self.rest()));
        match text.parse::<f64>().ok().and_then(number_value) {
            Some(number) => Ok(TokenKind::Literal(Value::Number(number))),
            None => {
                let message = format!("Number out of range: \"{text}\"");
                Err(fault("S0102", message, position))
            }
        }
    }

    fn string(&mut self, quote: char) -> Result<TokenKind<'t>, ParseError> {
        self.position += 1;
        let mut string = StringBuilder::default();
        let special = [quote, '\\'];
        loop {
            let Some(length) = self.rest().find(special) else {
                let message = "String literal must be terminated by a matching quote";
                return Err(fault("S0101", message, self.text.len()));
            };
            string.push_str(self.take(length));
            if self.take(1) != "\\" {
                return Ok(TokenKind::Literal(Value::String(string.finish())));
            }
            self.escape(&mut string)?;
        }
    }

    /// Reads what follows a backslash.
    fn escape(&mut self, string: &mut StringBuilder) -> Result<(), ParseError> {
        let position = self.position;
        let escape = self.rest().chars().next();
        self.position += escape.map_or(0, char::len_utf8);
        string.push(match escape {
            Some(itself @ ('"' | '\\' | '/')) => itself,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                string.push_unit(self.hexadecimal(position)?);
                return Ok(());
            }
            _ => {
                let message = format!(
                    "Unsupported escape sequence: \\{}",
                    quoted(&String::from_iter(escape))
                );
                return Err(fault("S0103", message, position));
            }
        });
        Ok(())
    }

    /// Returns the four digits after `\u`; fewer are skipped at the end of the text, where the missing token is a quote.
    fn hexadecimal(&mut self, position: usize) -> Result<u16, ParseError> {
        let rest = self.rest();
        let digits = rest.get(..4).unwrap_or(rest);
        let hexadecimal = digits.chars().all(|digit| digit.is_ascii_hexdigit());
        match u16::from_str_radix(digits, 16) {
            Ok(unit) if hexadecimal => {
                self.position += digits.len();
                Ok(unit)
            }
            _ => {
                let message = "The escape sequence \\u must be followed by 4 hex digits";
                Err(fault("S0104", message, position))
            }
        }
    }

    /// `/pattern/flags`; a slash in brackets or after a backslash does not end it.
    fn regex(&mut self) -> Result<TokenKind<'t>, ParseError> {
        self.position += 1;
        let Some(length) = pattern_length(self.rest()) else {
            let message = "No terminating / in regular expression";
            return Err(fault("S0302", message, self.text.len()));
        };
        if length == 0 {
            let message = "Empty regular expressions are not allowed";
            return Err(fault("S0301", message, self.position));
        }
        let pattern = self.take(length).into();
        self.position += 1;
        let flags = self.rest();
        let flags = self.take(flags.len() - flags.trim_start_matches(['i', 'm']).len());
        Ok(TokenKind::Regex(RegexLiteral {
            pattern,
            ignore_case: flags.contains('i'),
            multiline: flags.contains('m'),
        }))
    }
}

pub(super) fn fault(code: &'static str, message: impl Into<String>, position: usize) -> ParseError {
    ParseError {
        code,
        message: message.into(),
        position,
    }
}

/// Returns a literal as messages show it, with numbers as the reference writes them.
pub(super) fn literal_text(value: &Value) -> String {
    match value.as_f64() {
        Some(number) => number_text(number),
        None => value.to_string(),
    }
}

/// Returns the length of `0`, `12`, `1.5` or `2e-3` at the start of a text.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len()
    };
    let byte = |at: usize| text.as_bytes().get(at).copied();
    let mut length = if byte(0) == Some(b'0') { 1 } else { digits(0) };
    if byte(length) == Some(b'.') && digits(length + 1) > 0 {
        length += 1 + digits(length + 1);
    }
    if matches!(byte(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(byte(length + 1), Some(b'+' | b'-')));
        let exponent = digits(length + 1 + sign);
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length
}

/// Returns the number of a literal: an integer if a double distinguishes it from its neighbours. Zero has no sign.
pub(super) fn number_value(number: f64) -> Option<Number> {
    const LARGEST: f64 = 9_007_199_254_740_991.0;
    if number.fract() == 0.0 && number.abs() <= LARGEST {
        return Some(Number::from(number as i64));
    }
    Number::from_f64(number)
}

/// The length of a pattern up to the slash that ends it.
fn pattern_length(text: &str) -> Option<usize> {
    let mut depth = 0_i64;
    let mut backslashes = 0_usize;
    for (position, byte) in text.bytes().enumerate() {
        match byte {
            b'/' if depth == 0 && backslashes.is_multiple_of(2) => return Some(position),
            // A bracket after any backslash is taken for an escaped one, as the reference does.
            b'(' | b'[' | b'{' if backslashes == 0 => depth += 1,
            b')' | b']' | b'}' if backslashes == 0 => depth -= 1,
            _ => {}
        }
        backslashes = if byte == b'\\' { backslashes + 1 } else { 0 };
    }
    None
}

/// A string made of characters and UTF-16 units; a unit without its other half becomes U+FFFD.
#[derive(Default)]
struct StringBuilder {
    text: String,
    high_surrogate: Option<u16>,
}

impl StringBuilder {
    fn push(&mut self, character: char) {
        self.flush();
        self.text.push(character);
    }

    fn push_str(&mut self, text: &str) {
        if !text.is_empty() {
            self.flush();
            self.text.push_str(text);
        }
    }

    fn push_unit(&mut self, unit: u16) {
        if let Some(high) = self.high_surrogate.take() {
            if let Some(Ok(character)) = char::decode_utf16([high, unit]).next() {
                self.text.push(character);
                return;
            }
            self.text.push(char::REPLACEMENT_CHARACTER);
        }
        match char::from_u32(unit.into()) {
            Some(character) => self.text.push(character),
            None if unit < 0xDC00 => self.high_surrogate = Some(unit),
            None => self.text.push(char::REPLACEMENT_CHARACTER),
        }
    }

    fn flush(&mut self) {
        if self.high_surrogate.take().is_some() {
            self.text.push(char::REPLACEMENT_CHARACTER);
        }
    }

    fn finish(mut self) -> String {
        self.flush();
        self.text
    }
}
