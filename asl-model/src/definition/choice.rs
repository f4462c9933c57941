//! Choice States and their rules (2024 specification, Choice State).
use super::{Assign, StateName};
use crate::{PayloadTemplate, Timestamp};
use asl_jsonata::JsonataString;
use asl_path::Path;

/// Fields of a Choice State.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Choice {
    /// "Choices".
    pub choices: Vec<ChoiceRule>,
    /// "Default".
    pub default: Option<StateName>,
}

/// A member of "Choices": a rule and its target.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ChoiceRule {
    /// The condition.
    pub rule: Rule,
    /// "Next".
    pub next: StateName,
    /// "Assign".
    pub assign: Option<Assign>,
    /// "Output" of a rule of a JSONata state.
    pub output: Option<PayloadTemplate>,
    /// "Comment".
    pub comment: Option<String>,
}

/// A boolean expression or a data test, or the condition of a JSONata state.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all rules are tests: a box for each would cost more than it saves"
)]
pub enum Rule {
    /// "And".
    And(Vec<NestedRule>),
    /// "Or".
    Or(Vec<NestedRule>),
    /// "Not".
    Not(Box<NestedRule>),
    /// "Variable" and an operator.
    Test(DataTest),
    /// "Condition".
    Condition(Condition),
}

/// "Condition".
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// A boolean as itself.
    Boolean(bool),
    /// A JSONata string that gives one.
    Expression(JsonataString),
}

/// A rule within "And", "Or" or "Not": it leads nowhere itself.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct NestedRule {
    /// The condition.
    pub rule: Rule,
    /// "Comment".
    pub comment: Option<String>,
}

/// A data-test expression.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DataTest {
    /// "Variable".
    pub variable: Path,
    /// The operator with its value.
    pub comparison: Comparison,
}

/// An operator with its value.
#[derive(Debug, Clone, PartialEq)]
pub enum Comparison {
    /// "StringEquals", "StringLessThan" …
    String(ComparisonOperator, String),
    /// "NumericEquals" …
    Numeric(ComparisonOperator, serde_json::Number),
    /// "TimestampEquals" …: the moment, and the text it was read from.
    Timestamp(ComparisonOperator, Timestamp, String),
    /// "BooleanEquals".
    Boolean(bool),
    /// "StringEqualsPath" …
    StringPath(ComparisonOperator, Path),
    /// "NumericEqualsPath" …
    NumericPath(ComparisonOperator, Path),
    /// "TimestampEqualsPath" …
    TimestampPath(ComparisonOperator, Path),
    /// "BooleanEqualsPath".
    BooleanPath(Path),
    /// "StringMatches".
    Matches(StringPattern),
    /// "IsNull", "IsPresent" …, and the boolean it is compared with.
    Is(TypeTest, bool),
}

/// Comparison operators for two values of one type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparisonOperator {
    /// "…Equals".
    Equals,
    /// "…LessThan".
    LessThan,
    /// "…GreaterThan".
    GreaterThan,
    /// "…LessThanEquals".
    LessThanEquals,
    /// "…GreaterThanEquals".
    GreaterThanEquals,
}

/// The tests of presence and type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeTest {
    /// "IsNull".
    Null,
    /// "IsPresent".
    Present,
    /// "IsNumeric".
    Numeric,
    /// "IsString".
    String,
    /// "IsBoolean".
    Boolean,
    /// "IsTimestamp".
    Timestamp,
}

/// A pattern of "StringMatches": `*` stands for any characters, `\*` for an asterisk, `\\` for a backslash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StringPattern {
    source: String,
    /// The literal pieces between the asterisks, unescaped.
    pieces: Vec<String>,
    open_escape: Option<usize>,
}

impl StringPattern {
    /// Reads a pattern. One with an open escape can be held, but not used: see [`Self::open_escape`].
    ///
    /// ```
    /// use asl_model::StringPattern;
    /// let pattern = StringPattern::parse(r"*.lo\*");
    /// assert!(pattern.matches("zebra.lo*"));
    /// assert!(!pattern.matches("zebra.log"));
    /// ```
    pub fn parse(source: &str) -> Self {
        let mut pieces = Vec::new();
        let mut piece = String::new();
        let mut open_escape = None;
        let mut characters = source.char_indices();
        while let Some((at, character)) = characters.next() {
            match character {
                '*' => pieces.push(std::mem::take(&mut piece)),
                '\\' => match characters.next() {
                    Some((_, escaped @ ('*' | '\\'))) => piece.push(escaped),
                    _ => open_escape = open_escape.or(Some(at)),
                },
                other => piece.push(other),
            }
        }
        pieces.push(piece);
        Self {
            source: source.to_owned(),
            pieces,
            open_escape,
        }
    }

    /// Returns the offset in bytes of the first backslash that escapes neither `*` nor `\`. Such a pattern fails when it is
    /// evaluated; the definition is valid (2022 specification, Data-test expression).
    ///
    /// ```
    /// use asl_model::StringPattern;
    /// assert_eq!(StringPattern::parse(r"a\b").open_escape(), Some(1));
    /// assert_eq!(StringPattern::parse(r"a\\b").open_escape(), None);
    /// ```
    pub fn open_escape(&self) -> Option<usize> {
        self.open_escape
    }

    /// The text it was read from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns true if all of `text` matches; linear in its length for each asterisk. A pattern with an open escape matches
    /// nothing.
    pub fn matches(&self, text: &str) -> bool {
        if self.open_escape.is_some() {
            return false;
        }
        let (first, rest) = match self.pieces.as_slice() {
            [] => return text.is_empty(),
            [only] => return only == text,
            [first, rest @ ..] => (first, rest),
        };
        let Some((last, between)) = rest.split_last() else {
            return false;
        };
        let Some(mut text) = text.strip_prefix(first.as_str()) else {
            return false;
        };
        // The earliest place of each piece leaves the most for those after it.
        for piece in between {
            match text.split_once(piece.as_str()) {
                Some((_, after)) => text = after,
                None => return false,
            }
        }
        text.ends_with(last.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::StringPattern;
    use proptest::prelude::*;

    /// Tries every length of every asterisk.
    fn matches_slowly(pattern: &[char], text: &[char]) -> bool {
        match pattern {
            [] => text.is_empty(),
            ['*', rest @ ..] => (0..=text.len()).any(|n| matches_slowly(rest, &text[n..])),
            ['\\', escaped, rest @ ..] => {
                text.first() == Some(escaped) && matches_slowly(rest, &text[1..])
            }
            [plain, rest @ ..] => text.first() == Some(plain) && matches_slowly(rest, &text[1..]),
        }
    }

    #[test]
    fn the_examples_of_the_specification_match() {
        for (pattern, text) in [
            ("foo*.log", "foo23.log"),
            ("*.log", "zebra.log"),
            ("foo*.*", "foobar.zebra"),
            (r"\*", "*"),
            (r"\\", r"\"),
            ("", ""),
            ("*", ""),
        ] {
            assert!(StringPattern::parse(pattern).matches(text), "{pattern}");
        }
    }

    #[test]
    fn an_open_backslash_matches_nothing() {
        for (source, at) in [(r"\", 0), (r"a\b", 1), (r"*\", 1), (r"\\\", 2), (r"\a\", 0)] {
            let pattern = StringPattern::parse(source);
            assert_eq!(pattern.open_escape(), Some(at), "{source}");
            assert_eq!(pattern.source(), source);
            for text in ["", "a", "b", "ab", source] {
                assert!(!pattern.matches(text), "{source} {text}");
            }
        }
    }

    #[test]
    fn many_asterisks_take_no_time() {
        let pattern = StringPattern::parse(&"*a".repeat(10_000));
        assert!(!pattern.matches(&format!("{}b", "a".repeat(20_000))));
        assert!(pattern.matches(&"a".repeat(20_000)));
    }

    proptest! {
        #[test]
        fn agrees_with_the_slow_model(pattern in r"([abé*]|\\\*|\\\\){0,8}", text in r"[abé*\\]{0,8}") {
            let fast = StringPattern::parse(&pattern).matches(&text);
            let characters: Vec<char> = pattern.chars().collect();
            let text: Vec<char> = text.chars().collect();
            prop_assert_eq!(fast, matches_slowly(&characters, &text));
        }
    }
}
