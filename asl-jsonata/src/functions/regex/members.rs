//! Escapes and classes.
use super::translator::{Last, Reason, Translator};
use std::fmt::Write;

const DIGITS: &str = "0-9";
const WORD_CHARACTERS: &str = "0-9A-Za-z_";
const WHITE_SPACE: &str = r"\t\n\x0B\x0C\r\x20\xA0\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}";

/// An escape or a character of a class.
pub(super) enum Member {
    Character(char),
    /// The inside of a class.
    Set {
        inside: &'static str,
        negated: bool,
    },
}

impl Translator<'_> {
    /// Returns the meaning of an escape, after its first character.
    pub(super) fn member(&mut self, c: char, in_class: bool) -> Result<Member, Reason> {
        let set = |inside, negated| Ok(Member::Set { inside, negated });
        let character = match c {
            'd' | 'D' => return set(DIGITS, c == 'D'),
            'w' | 'W' => return set(WORD_CHARACTERS, c == 'W'),
            's' | 'S' => return set(WHITE_SPACE, c == 'S'),
            'b' => '\u{8}',
            't' => '\t',
            'n' => '\n',
            'v' => '\u{b}',
            'f' => '\u{c}',
            'r' => '\r',
            'c' => self.control(in_class),
            'x' => self.hexadecimal(2).and_then(char::from_u32).unwrap_or(c),
            'u' => self.unicode()?,
            '0'..='7' => self.octal(c),
            _ => c,
        };
        Ok(Member::Character(character))
    }

    /// `\cJ` is a control character; without a letter the backslash is a character.
    fn control(&mut self, in_class: bool) -> char {
        let names =
            |c: &char| c.is_ascii_alphabetic() || in_class && (c.is_ascii_digit() || *c == '_');
        let mut ahead = self.rest.clone();
        match ahead.next_if(names) {
            Some(letter) => {
                self.rest = ahead;
                char::from(letter as u8 & 0x1F)
            }
            None => {
                // The `c` after it is a character of its own, which is written now.
                push_character(&mut self.text, '\\');
                'c'
            }
        }
    }

    /// So many hexadecimal digits, or nothing.
    fn hexadecimal(&mut self, count: usize) -> Option<u32> {
        let mut ahead = self.rest.clone();
        let mut value = 0;
        for _ in 0..count {
            value = value * 16 + ahead.next()?.to_digit(16)?;
        }
        self.rest = ahead;
        Some(value)
    }

    /// Returns a character, from two escapes if it needs two UTF-16 units; `u` itself if digits are missing.
    fn unicode(&mut self) -> Result<char, Reason> {
        const HIGH: std::ops::Range<u32> = 0xD800..0xDC00;
        const LOW: std::ops::Range<u32> = 0xDC00..0xE000;
        let Some(first) = self.hexadecimal(4) else {
            return Ok('u');
        };
        let mut value = first;
        if HIGH.contains(&first) && self.eat_text("\\u") {
            let second = self.hexadecimal(4).filter(|second| LOW.contains(second));
            value = second.map_or(first, |second| {
                0x1_0000 + ((first - HIGH.start) << 10) + (second - LOW.start)
            });
        }
        char::from_u32(value).ok_or_else(|| "half of a surrogate pair is not supported".to_owned())
    }

    /// Up to three digits of a character up to 255.
    fn octal(&mut self, first: char) -> char {
        let mut value = first.to_digit(8).unwrap_or(0);
        for _ in 0..2 {
            let fits = |c: &char| c.to_digit(8).is_some_and(|digit| value * 8 + digit < 256);
            let Some(digit) = self.rest.next_if(fits).and_then(|c| c.to_digit(8)) else {
                break;
            };
            value = value * 8 + digit;
        }
        char::from_u32(value).unwrap_or(first)
    }

    pub(super) fn class(&mut self) -> Result<(), Reason> {
        let negated = self.eat('^');
        let mut inside = String::new();
        loop {
            match self.rest.next() {
                None => return Err("Unterminated character class".to_owned()),
                Some(']') => break,
                Some(c) => self.class_member(c, &mut inside)?,
            }
        }
        match (inside.is_empty(), negated) {
            (true, true) => self.text.push_str("(?s:.)"),
            (true, false) => self.text.push_str("[a&&b]"),
            (false, _) => {
                let flag = if self.literal.ignore_case {
                    "(?i:"
                } else {
                    "(?:"
                };
                self.text.push_str(flag);
                push_set(&mut self.text, &inside, negated);
                self.text.push(')');
            }
        }
        self.last = Last::Atom;
        Ok(())
    }

    /// Translates a character, a range or an escape of a class.
    fn class_member(&mut self, c: char, inside: &mut String) -> Result<(), Reason> {
        let first = self.class_atom(c, inside)?;
        let mut ahead = self.rest.clone();
        if ahead.next() != Some('-') || matches!(ahead.peek(), None | Some(']')) {
            push_member(inside, &first);
            return Ok(());
        }
        self.rest = ahead;
        let Some(c) = self.rest.next() else {
            return Ok(());
        };
        let second = self.class_atom(c, inside)?;
        match (&first, &second) {
            (Member::Character(from), Member::Character(to)) if from <= to => {
                push_character(inside, *from);
                inside.push('-');
                push_character(inside, *to);
            }
            (Member::Character(_), Member::Character(_)) => {
                return Err("Range out of order in character class".to_owned());
            }
            _ => {
                push_member(inside, &first);
                push_character(inside, '-');
                push_member(inside, &second);
            }
        }
        Ok(())
    }

    fn class_atom(&mut self, c: char, inside: &mut String) -> Result<Member, Reason> {
        if c != '\\' {
            return Ok(Member::Character(c));
        }
        match self.rest.next() {
            None => Err("\\ at end of pattern".to_owned()),
            Some('c') => {
                let written = self.text.len();
                let member = self.member('c', true);
                // A lone backslash belongs into the class.
                if self.text.len() > written {
                    self.text.truncate(written);
                    push_character(inside, '\\');
                }
                member
            }
            Some(c) => self.member(c, true),
        }
    }
}

/// A character that stands for itself, in a class or outside.
pub(super) fn push_character(text: &mut String, c: char) {
    if c.is_ascii_alphanumeric() || !c.is_ascii() {
        text.push(c);
    } else {
        // Writing to a string cannot fail.
        let _ = write!(text, "\\x{:02X}", u32::from(c));
    }
}

pub(super) fn push_set(text: &mut String, inside: &str, negated: bool) {
    text.push_str(if negated { "[^" } else { "[" });
    text.push_str(inside);
    text.push(']');
}

fn push_member(inside: &mut String, member: &Member) {
    match member {
        Member::Character(c) => push_character(inside, *c),
        Member::Set {
            inside: set,
            negated,
        } => push_set(inside, set, *negated),
    }
}
