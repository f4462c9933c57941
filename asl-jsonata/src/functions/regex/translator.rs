//! The state of a translation, and what all its parts do.
use crate::syntax::RegexLiteral;
use std::iter::Peekable;
use std::str::Chars;

/// The reason why an expression cannot be translated.
pub(super) type Reason = String;

/// The groups of a pattern that capture.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Groups {
    pub(super) count: u32,
    pub(super) named: bool,
}

impl Groups {
    pub(super) fn from_pattern(pattern: &str) -> Self {
        let mut groups = Self::default();
        let mut in_class = false;
        let mut rest = pattern.chars();
        while let Some(c) = rest.next() {
            match c {
                '\\' => {
                    rest.next();
                }
                '[' => in_class = true,
                ']' => in_class = false,
                '(' if !in_class => {
                    let after = rest.as_str();
                    let named = after.starts_with("?<")
                        && !after.starts_with("?<=")
                        && !after.starts_with("?<!");
                    groups.named |= named;
                    groups.count += u32::from(named || !after.starts_with('?'));
                }
                _ => {}
            }
        }
        groups
    }
}

/// The element that a quantifier would repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    Nothing,
    Atom,
}

pub(super) struct Translator<'p> {
    pub(super) literal: &'p RegexLiteral,
    pub(super) groups: Groups,
    pub(super) rest: Peekable<Chars<'p>>,
    pub(super) text: String,
    /// Number of open groups.
    pub(super) open: usize,
    pub(super) last: Last,
}

impl Translator<'_> {
    pub(super) fn eat(&mut self, expected: char) -> bool {
        self.rest.next_if_eq(&expected).is_some()
    }

    /// Returns true if this text comes next; it is passed over then.
    pub(super) fn eat_text(&mut self, expected: &str) -> bool {
        let mut ahead = self.rest.clone();
        let found = expected.chars().all(|c| ahead.next() == Some(c));
        if found {
            self.rest = ahead;
        }
        found
    }
}
