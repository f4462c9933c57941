//! `{% … %}` (2024 specification, Expressions).
use crate::{Expression, Options, ParseError, Patterns};

/// The form of a string in a JSONata state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "readers of the language handle each"
)]
pub enum DelimitedText<'a> {
    /// Plain text.
    Text,
    /// The expression between `{%` at the very start and `%}` at the very end.
    Expression(&'a str),
    /// Only one delimiter is in its place: the service refuses such a string.
    HalfOpen,
}

/// Reports a JSONata string from plain text: the delimiters are the first and the last characters, without spaces around
/// them.
///
/// ```
/// use asl_jsonata::{DelimitedText, delimited};
/// assert_eq!(delimited("{% $x + 1 %}"), DelimitedText::Expression(" $x + 1 "));
/// assert_eq!(delimited("100 %"), DelimitedText::Text);
/// assert_eq!(delimited("{% $x"), DelimitedText::HalfOpen);
/// ```
pub fn delimited(text: &str) -> DelimitedText<'_> {
    match (text.strip_prefix("{%"), text.strip_suffix("%}")) {
        (None, None) => DelimitedText::Text,
        (Some(rest), Some(_)) => match rest.strip_suffix("%}") {
            Some(expression) => DelimitedText::Expression(expression),
            None => DelimitedText::HalfOpen,
        },
        _ => DelimitedText::HalfOpen,
    }
}

/// An expression as a field of a definition holds it: the text with its delimiters, and the compiled expression between them.
#[derive(Debug, Clone, PartialEq)]
pub struct JsonataString {
    expression: Expression,
}

impl JsonataString {
    /// Compiles the text between the delimiters; the regular expressions of all strings of a definition are among the same patterns.
    ///
    /// # Errors
    ///
    /// As [`Expression::parse_among`]; positions count from its first character, after `{%`.
    pub fn parse(
        expression: &str,
        options: &Options,
        patterns: &mut Patterns,
    ) -> Result<Self, ParseError> {
        Ok(Self {
            expression: Expression::parse_among(expression, options, patterns)?,
        })
    }

    /// Returns the compiled expression.
    pub fn expression(&self) -> &Expression {
        &self.expression
    }

    /// Returns the text as a definition holds it.
    pub fn text(&self) -> String {
        format!("{{%{}%}}", self.expression.source())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_exact_delimiters_make_an_expression() {
        for (text, expected) in [
            ("", DelimitedText::Text),
            ("{%%}", DelimitedText::Expression("")),
            ("{%}", DelimitedText::HalfOpen),
            (" {% 1 %}", DelimitedText::HalfOpen),
            ("{% 1 %} ", DelimitedText::HalfOpen),
            ("1 %}", DelimitedText::HalfOpen),
            (
                "{% 1 %} and {% 2 %}",
                DelimitedText::Expression(" 1 %} and {% 2 "),
            ),
        ] {
            assert_eq!(delimited(text), expected, "{text}");
        }
    }
}
