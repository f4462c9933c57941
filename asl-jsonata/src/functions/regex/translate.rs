//! Regular expressions of JavaScript (ECMA-262, section 22.2.1 and annex B.1.2, without the flag `u`) in the syntax of the crate `regex`.
use crate::syntax::RegexLiteral;
use std::fmt::Write;
use std::iter::Peekable;
use std::str::Chars;

/// What `.` matches: anything but the end of a line.
const NO_LINE_END: &str = r"[^\n\r\x{2028}\x{2029}]";
const DIGITS: &str = "0-9";
const WORD_CHARACTERS: &str = "0-9A-Za-z_";
const WHITE_SPACE: &str = r"\t\n\x0B\x0C\r\x20\xA0\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}";

/// Why an expression cannot be translated.
pub(super) type Reason = String;

/// Translates the pattern.
///
/// # Errors
///
/// It is no regular expression, or uses what cannot be matched in linear time.
pub(super) fn translated(literal: &RegexLiteral) -> Result<String, Reason> {
    let mut translator = Translator {
        literal,
        groups: Groups::of(&literal.pattern),
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

/// The groups of a pattern that capture.
#[derive(Debug, Clone, Copy, Default)]
struct Groups {
    count: u32,
    named: bool,
}

impl Groups {
    fn of(pattern: &str) -> Self {
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

/// What a quantifier would repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    Nothing,
    Atom,
}

struct Translator<'p> {
    literal: &'p RegexLiteral,
    groups: Groups,
    rest: Peekable<Chars<'p>>,
    text: String,
    /// How many groups are open.
    open: usize,
    last: Last,
}

/// An escape or a character of a class.
enum Member {
    Character(char),
    /// The inside of a class.
    Set {
        inside: &'static str,
        negated: bool,
    },
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

    fn eat(&mut self, expected: char) -> bool {
        self.rest.next_if_eq(&expected).is_some()
    }

    /// Whether this text comes next; it is passed over then.
    fn eat_text(&mut self, expected: &str) -> bool {
        let mut ahead = self.rest.clone();
        let found = expected.chars().all(|c| ahead.next() == Some(c));
        if found {
            self.rest = ahead;
        }
        found
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

    /// A name has no meaning: groups are told by their numbers.
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

    /// The rest of `{2}`, `{2,}` or `{2,3}`; anything else after a brace is the brace itself.
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

    /// What an escape stands for, after its first character.
    fn member(&mut self, c: char, in_class: bool) -> Result<Member, Reason> {
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

    /// A character, of two escapes where it needs two UTF-16 units; `u` itself where digits are missing.
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

    fn class(&mut self) -> Result<(), Reason> {
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

    /// A character, a range or an escape of a class.
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

fn no_references() -> Reason {
    "references to groups are not supported".to_owned()
}

/// A character that stands for itself, in a class or outside.
fn push_character(text: &mut String, c: char) {
    if c.is_ascii_alphanumeric() || !c.is_ascii() {
        text.push(c);
    } else {
        // Writing to a string cannot fail.
        let _ = write!(text, "\\x{:02X}", u32::from(c));
    }
}

fn push_set(text: &mut String, inside: &str, negated: bool) {
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
