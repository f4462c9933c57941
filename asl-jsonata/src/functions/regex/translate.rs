//! Regular expressions of JavaScript (ECMA-262, section 22.2.1 and annex B.1.2, without the flag `u`) in the syntax of the crate `regex`.
use super::members::{Member, push_character, push_set};
use super::translator::{Groups, Last, Reason, Translator};
use crate::syntax::RegexLiteral;
use std::iter::Peekable;
use std::str::Chars;

/// The meaning of `.`: any character except line ends.
const NO_LINE_END: &str = r"[^\n\r\x{2028}\x{2029}]";

/// Translates the pattern.
///
/// # Errors
///
/// It is no regular expression, or uses what cannot be matched in linear time.
pub(super) fn translated(literal: &RegexLiteral) -> Result<String, Reason> {
    let mut translator = Translator {
        literal,
        groups: Groups::from_pattern(&literal.pattern),
        rest: literal.pattern.chars().peekable(),
        text: String::new(),
        open: 0,
        last: Last::Nothing,
    };
    while let Some(c) = translator.rest.next() {
        translator.term(c)?;
    }
    if translator.open > 0 {
        return Err("Unterminated group".to_owned());
    }
    Ok(translator.text)
}

impl Translator<'_> {
    fn term(&mut self, c: char) -> Result<(), Reason> {
        match c {
            '|' => self.push("|", Last::Nothing),
            '(' => self.group()?,
            ')' => {
                self.open = self.open.checked_sub(1).ok_or("Unmatched ')'")?;
                self.push(")", Last::Atom);
            }
            '^' if self.literal.multiline => self.push("(?mR:^)", Last::Nothing),
            '$' if self.literal.multiline => self.push("(?mR:$)", Last::Nothing),
            '^' | '$' => self.push(c.encode_utf8(&mut [0; 4]), Last::Nothing),
            '.' => self.push(NO_LINE_END, Last::Atom),
            '*' | '+' | '?' => self.quantifier(c.encode_utf8(&mut [0; 4]))?,
            '{' => match self.repetition()? {
                Some(repetition) => self.quantifier(&repetition)?,
                None => self.character('{'),
            },
            '[' => self.class()?,
            '\\' => self.escape()?,
            _ => self.character(c),
        }
        Ok(())
    }

    fn push(&mut self, text: &str, last: Last) {
        self.text.push_str(text);
        self.last = last;
    }

    fn character(&mut self, c: char) {
        if self.literal.ignore_case && c.is_ascii_alphabetic() {
            let (lower, upper) = (c.to_ascii_lowercase(), c.to_ascii_uppercase());
            self.text.extend(['[', lower, upper, ']']);
        } else if self.literal.ignore_case && !c.is_ascii() {
            self.text.push_str("(?i:");
            self.text.push(c);
            self.text.push(')');
        } else {
            push_character(&mut self.text, c);
        }
        self.last = Last::Atom;
    }

    fn group(&mut self) -> Result<(), Reason> {
        self.open += 1;
        if !self.eat('?') {
            self.push("(", Last::Nothing);
        } else if self.eat(':') {
            self.push("(?:", Last::Nothing);
        } else if self.eat('=') || self.eat('!') {
            return Err("look-ahead is not supported".to_owned());
        } else if self.eat('<') {
            if self.eat('=') || self.eat('!') {
                return Err("look-behind is not supported".to_owned());
            }
            self.group_name()?;
            self.push("(", Last::Nothing);
        } else {
            return Err("Invalid group".to_owned());
        }
        Ok(())
    }

    /// Skips a name, which has no meaning: groups are identified by their numbers.
    fn group_name(&mut self) -> Result<(), Reason> {
        let mut length = 0_usize;
        loop {
            match self.rest.next() {
                Some('>') if length > 0 => return Ok(()),
                Some(c)
                    if c.is_alphabetic()
                        || c == '_'
                        || c == '$'
                        || length > 0 && c.is_alphanumeric() =>
                {
                    length += 1
                }
                _ => return Err("Invalid capture group name".to_owned()),
            }
        }
    }

    /// Returns the rest of `{2}`, `{2,}` or `{2,3}`; anything else after a brace is the brace itself.
    fn repetition(&mut self) -> Result<Option<String>, Reason> {
        let mut ahead = self.rest.clone();
        let number = |ahead: &mut Peekable<Chars<'_>>| {
            let mut digits = String::new();
            while let Some(digit) = ahead.next_if(char::is_ascii_digit) {
                digits.push(digit);
            }
            digits
        };
        let least = number(&mut ahead);
        let most = if ahead.next_if_eq(&',').is_some() {
            Some(number(&mut ahead))
        } else {
            None
        };
        if least.is_empty() || ahead.next() != Some('}') {
            return Ok(None);
        }
        self.rest = ahead;
        if let Some(most) = most.as_deref().filter(|most| !most.is_empty()) {
            let value = |digits: &str| digits.parse::<u64>().unwrap_or(u64::MAX);
            if value(most) < value(&least) {
                return Err("numbers out of order in {} quantifier".to_owned());
            }
        }
        Ok(Some(match most {
            None => format!("{{{least}}}"),
            Some(most) => format!("{{{least},{most}}}"),
        }))
    }

    fn quantifier(&mut self, quantifier: &str) -> Result<(), Reason> {
        if self.last == Last::Nothing {
            return Err("Nothing to repeat".to_owned());
        }
        self.push(quantifier, Last::Nothing);
        if self.eat('?') {
            self.text.push('?');
        }
        Ok(())
    }

    fn escape(&mut self) -> Result<(), Reason> {
        let Some(c) = self.rest.next() else {
            return Err("\\ at end of pattern".to_owned());
        };
        match c {
            'b' => self.push(r"(?-u:\b)", Last::Nothing),
            'B' => self.push(r"(?-u:\B)", Last::Nothing),
            'k' if self.groups.named => return Err(no_references()),
            '1'..='9' if self.is_reference(c) => return Err(no_references()),
            _ => match self.member(c, false)? {
                Member::Character(c) => self.character(c),
                Member::Set { inside, negated } => {
                    push_set(&mut self.text, inside, negated);
                    self.last = Last::Atom;
                }
            },
        }
        Ok(())
    }

    /// `\2` refers to a group if there are as many; else it is a character.
    fn is_reference(&self, first: char) -> bool {
        let mut number = first.to_digit(10).unwrap_or(0);
        for digit in self.rest.clone() {
            let Some(digit) = digit.to_digit(10) else {
                break;
            };
            number = number.saturating_mul(10).saturating_add(digit);
        }
        number <= self.groups.count
    }
}

fn no_references() -> Reason {
    "references to groups are not supported".to_owned()
}
