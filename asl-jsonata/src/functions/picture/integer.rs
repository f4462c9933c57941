//! Pictures of integers: `0,000`, `A`, `i`, `Ww`, `1;o`.
use super::{leading_integer, numerals, regular_distance, words};
use crate::evaluate::{Evaluation, Outcome, failure};
use crate::functions::decimal::number_text;
use crate::functions::json_text::quoted;
use crate::functions::signature::unusable_argument;

/// A format of integers.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::functions) struct IntegerPicture {
    pub(super) primary: Primary,
    pub(super) case: Case,
    pub(super) ordinal: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Primary {
    Digits(Digits),
    Letters,
    Roman,
    Words,
    /// A numbering that is not supported.
    Sequence(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    Upper,
    Lower,
    Title,
}

/// A pattern of digits.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Digits {
    /// The digit zero that is used.
    zero: u32,
    /// Minimum number of digits; NaN for an invalid width of a date's component.
    pub(super) mandatory: f64,
    pub(super) optional: usize,
    pub(super) separators: Separators,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Separators {
    /// The same one after so many digits, from the right.
    Regular { distance: usize, separator: char },
    /// Each after so many digits from the right, from right to left.
    Irregular(Vec<(usize, char)>),
}

/// The digits zero of Unicode's decimal digits in the basic plane.
const ZEROS: [u32; 37] = [
    0x30, 0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6,
    0x0D66, 0x0DE6, 0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80,
    0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0,
    0xFF10,
];

impl IntegerPicture {
    /// Reads a picture.
    ///
    /// # Errors
    ///
    /// Its digits are of different scripts.
    pub(in crate::functions) fn read(picture: &str) -> Outcome<Self> {
        let (format, modifier) = picture.rsplit_once(';').unwrap_or((picture, ""));
        let (primary, case) = match format {
            "A" => (Primary::Letters, Case::Upper),
            "a" => (Primary::Letters, Case::Lower),
            "I" => (Primary::Roman, Case::Upper),
            "i" => (Primary::Roman, Case::Lower),
            "W" => (Primary::Words, Case::Upper),
            "Ww" => (Primary::Words, Case::Title),
            "w" => (Primary::Words, Case::Lower),
            _ => (digits(format)?, Case::Lower),
        };
        Ok(Self {
            primary,
            case,
            ordinal: modifier.starts_with('o'),
        })
    }

    /// Formats an integer; infinity and NaN become their text.
    ///
    /// # Errors
    ///
    /// The picture is of a numbering that is not supported.
    pub(in crate::functions) fn format(
        &self,
        evaluation: &mut Evaluation<'_, '_>,
        number: f64,
    ) -> Outcome<String> {
        let absolute = number.abs();
        // There are no words for what is no number, and infinitely many letters of what is infinite.
        let has_text = match self.primary {
            Primary::Digits(_) | Primary::Sequence(_) => true,
            Primary::Letters | Primary::Roman => !number.is_infinite(),
            Primary::Words => number.is_finite(),
        };
        if !has_text {
            return Err(failure("D1001", "Number out of range: null"));
        }
        let mut text = match &self.primary {
            Primary::Letters => {
                numerals::letters(absolute, if self.case == Case::Upper { 'A' } else { 'a' })
            }
            Primary::Roman => {
                let thousands = (absolute / 1000.0) as usize;
                evaluation.charge_text(thousands.saturating_add(numerals::ROMAN_BELOW_THOUSAND))?;
                self.in_case(numerals::roman(absolute))
            }
            Primary::Words => self.in_case(words::words(absolute, self.ordinal)),
            Primary::Digits(digits) => {
                let mut text = digits.format(evaluation, absolute)?;
                if self.ordinal {
                    let suffix = ordinal_suffix(&text);
                    text.push_str(suffix);
                }
                text
            }
            Primary::Sequence(token) => return Err(unsupported_sequence(token)),
        };
        if number < 0.0 {
            text.insert(0, '-');
        }
        Ok(text)
    }

    fn in_case(&self, text: String) -> String {
        match (self.case, &self.primary) {
            (Case::Upper, _) => text.to_uppercase(),
            (Case::Lower, Primary::Words) => text.to_lowercase(),
            _ => text,
        }
    }

    /// Reads a number that was written so; its text is not checked.
    ///
    /// # Errors
    ///
    /// The picture is of a numbering that is not supported.
    pub(in crate::functions) fn parse(
        &self,
        evaluation: &mut Evaluation<'_, '_>,
        text: &str,
    ) -> Outcome<f64> {
        evaluation.charge_text(text.len())?;
        Ok(match &self.primary {
            Primary::Letters => {
                numerals::from_letters(text, if self.case == Case::Upper { 'A' } else { 'a' })
            }
            Primary::Roman if self.case == Case::Upper => numerals::from_roman(text),
            Primary::Roman => numerals::from_roman(&text.to_uppercase()),
            Primary::Words => {
                // Each word is looked for among all.
                evaluation.charge_steps(text.len())?;
                words::from_words(&text.to_lowercase())
            }
            Primary::Digits(digits) => digits.parse(text, self.ordinal)?,
            Primary::Sequence(token) => return Err(unsupported_sequence(token)),
        })
    }
}

pub(super) fn unsupported_sequence(token: &str) -> Box<crate::EvaluationError> {
    let token = quoted(token);
    failure(
        "D3130",
        format!(
            "Formatting or parsing an integer as a sequence starting with {token} is not supported by this implementation"
        ),
    )
}

/// Returns a pattern of digits, if it has one that is mandatory.
fn digits(pattern: &str) -> Outcome<Primary> {
    let mut zero = None;
    let (mut mandatory, mut optional) = (0, 0);
    let mut separators = Vec::new();
    for c in pattern.chars().rev() {
        let code = u32::from(c);
        let of_digit = ZEROS
            .iter()
            .find(|zero| (**zero..**zero + 10).contains(&code));
        if let Some(found) = of_digit {
            if *zero.get_or_insert(*found) != *found {
                let message =
                    "In a decimal digit pattern, all digits must be from the same decimal group";
                return Err(failure("D3131", message));
            }
            mandatory += 1;
        } else if c == '#' {
            optional += 1;
        } else {
            separators.push((mandatory + optional, c));
        }
    }
    Ok(match zero {
        Some(zero) => Primary::Digits(Digits {
            zero,
            mandatory: mandatory as f64,
            optional,
            separators: Separators::from_positions(separators),
        }),
        None => Primary::Sequence(pattern.to_owned()),
    })
}

impl Separators {
    fn from_positions(separators: Vec<(usize, char)>) -> Self {
        let positions: Vec<usize> = separators.iter().map(|(position, _)| *position).collect();
        match (separators.first(), regular_distance(&positions)) {
            (Some((_, first)), distance @ 1..) if separators.iter().all(|(_, c)| c == first) => {
                Self::Regular {
                    distance,
                    separator: *first,
                }
            }
            _ => Self::Irregular(separators),
        }
    }
}

impl Digits {
    fn format(&self, evaluation: &mut Evaluation<'_, '_>, number: f64) -> Outcome<String> {
        let text = number_text(number);
        let missing = (self.mandatory - text.len() as f64).max(0.0) as usize;
        let separators = match &self.separators {
            Separators::Regular { .. } => 1,
            Separators::Irregular(separators) => separators.len(),
        };
        let length = missing.saturating_add(text.len());
        evaluation.charge_text(length.saturating_mul(4).saturating_add(separators))?;
        evaluation.charge_scan(length.saturating_mul(separators).saturating_mul(2))?;
        let zeros = std::iter::repeat_n('0', missing);
        let shifted = zeros
            .chain(text.chars())
            .filter_map(|c| char::from_u32(u32::from(c) + self.zero - 0x30));
        Ok(self.separators.inserted(&shifted.collect::<Vec<char>>()))
    }

    fn parse(&self, text: &str, ordinal: bool) -> Outcome<f64> {
        let mut units: Vec<u16> = text.encode_utf16().collect();
        if ordinal {
            units.truncate(units.len().saturating_sub(2));
        }
        let text = String::from_utf16_lossy(&units);
        let digits = text.chars().filter(|c| match &self.separators {
            // Whatever the picture has, as the reference does.
            Separators::Regular { .. } => *c != ',',
            Separators::Irregular(separators) => {
                separators.iter().all(|(_, separator)| separator != c)
            }
        });
        let digit = |c: char| char::from_u32((u32::from(c) + 0x30).checked_sub(self.zero)?);
        let digits: Option<String> = digits.map(digit).collect();
        // No character comes before the first one.
        let digits = digits.ok_or_else(|| unusable_argument("parseInteger", 1))?;
        Ok(leading_integer(&digits))
    }
}

impl Separators {
    fn inserted(&self, digits: &[char]) -> String {
        match self {
            Self::Regular {
                distance,
                separator,
            } => {
                let mut text = String::with_capacity(digits.len());
                for (index, digit) in digits.iter().enumerate() {
                    if index > 0 && (digits.len() - index).is_multiple_of(*distance) {
                        text.push(*separator);
                    }
                    text.push(*digit);
                }
                text
            }
            Self::Irregular(separators) => {
                let mut text = digits.to_vec();
                for (position, separator) in separators.iter().rev() {
                    match text.len().checked_sub(*position) {
                        Some(at) => text.insert(at, *separator),
                        // Where there are fewer digits the reference takes a position from the end for one from the start.
                        None => {
                            let beyond = position - text.len();
                            let kept = text.len().saturating_sub(beyond);
                            text.drain(..kept);
                            text.insert(0, *separator);
                        }
                    }
                }
                text.into_iter().collect()
            }
        }
    }
}

fn ordinal_suffix(digits: &str) -> &'static str {
    let mut last = digits.chars().rev();
    let (last, before) = (last.next(), last.next());
    match last {
        _ if before == Some('1') => "th",
        Some('1') => "st",
        Some('2') => "nd",
        Some('3') => "rd",
        _ => "th",
    }
}
