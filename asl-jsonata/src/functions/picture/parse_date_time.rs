//! Reading dates and times as a picture says they are written (JSONata documentation, Date/Time Functions: `$toMillis`).
use super::calendar::{DAY, Date, Shown, show_component, time_of};
use super::date_time::{Component, Piece, read};
use super::format_date_time::{DAYS, MONTHS, no_names};
use super::integer::{Case, IntegerPicture, Primary, Separators, unsupported_sequence};
use super::{leading_integer, words};
use crate::evaluate::{Evaluation, Outcome, failure};
use crate::functions::regex::{TooLarge, groups_of_whole};
use crate::functions::signature::unusable_argument;

/// The compiled size of a byte of a pattern, in bytes.
const BYTES_OF_PATTERN: usize = 384;

/// Digits of one component that are worth counting: a pattern of so many is refused.
const MOST_DIGITS: f64 = 1_000_000.0;

/// Parses a text to milliseconds since 1970. None if it does not match the picture; NaN if it is not a date.
///
/// # Errors
///
/// The picture is wrong, or leaves out what cannot be guessed.
pub(in crate::functions) fn parse_date_time(
    evaluation: &mut Evaluation<'_, '_>,
    text: &str,
    picture: &str,
) -> Outcome<Option<f64>> {
    let pieces = read(evaluation, picture)?;
    let mut pattern = String::new();
    let mut parts = Vec::new();
    for piece in &pieces {
        let part = Part::from_piece(piece)?;
        evaluation.charge_text(part.size.saturating_mul(BYTES_OF_PATTERN))?;
        pattern.push_str(&format!("({})", part.pattern));
        parts.push(part);
    }
    pattern.push('$');
    let groups = groups_of_whole(evaluation, &pattern, text)?;
    let groups = groups.map_err(|TooLarge| unusable_argument("toMillis", 2))?;
    let Some(groups) = groups else {
        return Ok(None);
    };
    let mut found = DateTimeComponents::default();
    for (part, text) in parts.iter().zip(groups) {
        if let Some((specifier, reader)) = &part.reader {
            let value = reader.read(evaluation, text)?;
            found.set(*specifier, value);
        }
    }
    if found.0.is_empty() {
        return Ok(None);
    }
    found.time(evaluation.now()).map(Some)
}

/// A piece of a picture as a pattern, with the reader of its match.
struct Part<'p> {
    pattern: String,
    /// The estimated length of the pattern with its repetitions written out.
    size: usize,
    reader: Option<(Option<char>, Reader<'p>)>,
}

enum Reader<'p> {
    Integer(&'p IntegerPicture),
    Zone {
        is_named: bool,
        separator: Option<char>,
    },
    Names(Vec<(&'static str, f64)>),
}

impl<'p> Part<'p> {
    fn from_piece(piece: &'p Piece) -> Outcome<Self> {
        let component = match piece {
            Piece::Literal(text) => {
                let pattern = format!("(?i:{})", escaped(text));
                return Ok(Self {
                    size: pattern.len(),
                    pattern,
                    reader: None,
                });
            }
            Piece::Component(component) => component,
        };
        let (pattern, reader) = match (component.specifier, &component.integer) {
            (Some(specifier @ ('Z' | 'z')), Some(integer)) => zone(specifier == 'z', integer),
            (_, Some(integer)) => (
                integer_pattern(integer, component.digits)?,
                Reader::Integer(integer),
            ),
            (_, None) => ("[a-zA-Z]+".to_owned(), Reader::Names(component.names()?)),
        };
        // A number of digits that no pattern can have is too large soon.
        let digits = component.digits.unwrap_or_default().clamp(0.0, MOST_DIGITS);
        Ok(Self {
            size: pattern.len() + digits as usize,
            pattern,
            reader: Some((component.specifier, reader)),
        })
    }
}

/// Text that stands for itself.
fn escaped(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            let special = c.is_ascii() && !c.is_ascii_alphanumeric();
            let code = special.then(|| format!("\\x{:02X}", u32::from(c)));
            code.unwrap_or_else(|| c.to_string())
                .chars()
                .collect::<Vec<char>>()
        })
        .collect()
}

fn zone(is_named: bool, integer: &IntegerPicture) -> (String, Reader<'static>) {
    let separator = match &integer.primary {
        Primary::Digits(digits) => match digits.separators {
            Separators::Regular { separator, .. } => Some(separator),
            Separators::Irregular(_) => None,
        },
        _ => None,
    };
    let name = if is_named { "(?i:GMT)" } else { "" };
    let minutes = separator.map(|separator| format!("{}[0-9]+", escaped(&separator.to_string())));
    let pattern = format!("{name}[-+][0-9]+{}", minutes.unwrap_or_default());
    (
        pattern,
        Reader::Zone {
            is_named,
            separator,
        },
    )
}

fn integer_pattern(integer: &IntegerPicture, digits: Option<f64>) -> Outcome<String> {
    let upper = integer.case == Case::Upper;
    Ok(match &integer.primary {
        Primary::Letters => "[a-zA-Z]+".to_owned(),
        Primary::Roman if upper => "[MDCLXVImdclxvi]+".to_owned(),
        Primary::Roman => "[mdclxviMDCLXVI]+".to_owned(),
        Primary::Words => {
            let words: Vec<String> = words::all().map(|(word, _)| word).collect();
            format!("(?i-u:{}|and|[\\-, ])+", words.join("|"))
        }
        Primary::Digits(pattern) => {
            let count = match digits.filter(|digits| *digits > 0.0) {
                Some(digits) if pattern.optional == 0 => format!("{{{digits}}}"),
                Some(digits) => format!("{{{},{digits}}}", digits - pattern.optional as f64),
                None => "+".to_owned(),
            };
            let suffix = if integer.ordinal {
                "(?i-u:th|st|nd|rd)"
            } else {
                ""
            };
            format!("[0-9]{count}{suffix}")
        }
        Primary::Sequence(token) => return Err(unsupported_sequence(token)),
    })
}

impl Component {
    /// Returns the names that the component may have, with their values.
    fn names(&self) -> Outcome<Vec<(&'static str, f64)>> {
        let names: &[&'static str] = match self.specifier {
            Some('M' | 'x') => &MONTHS,
            Some('F') => &DAYS,
            Some('P') => return Ok(vec![("am", 0.0), ("AM", 0.0), ("pm", 1.0), ("PM", 1.0)]),
            _ => return Err(no_names(self.specifier)),
        };
        let most = self.width.and_then(|width| width.most);
        let most = most
            .filter(|most| *most > 0.0)
            .map_or(usize::MAX, |most| most as usize);
        let shortened = |name: &'static str| name.get(..most).unwrap_or(name);
        let known = names
            .iter()
            .zip(1_u32..)
            .map(|(name, value)| (shortened(name), f64::from(value)));
        Ok(known.collect())
    }
}

impl Reader<'_> {
    fn read(&self, evaluation: &mut Evaluation<'_, '_>, text: &str) -> Outcome<Option<f64>> {
        match self {
            Self::Integer(integer) => integer.parse(evaluation, text).map(Some),
            // Of two names that are shortened to the same the last one counts.
            Self::Names(names) => Ok(names
                .iter()
                .rev()
                .find(|(name, _)| *name == text)
                .map(|(_, value)| *value)),
            Self::Zone {
                is_named,
                separator,
            } => {
                let text = if *is_named {
                    text.get(3..).unwrap_or_default()
                } else {
                    text
                };
                Ok(Some(zone_minutes(text, *separator)))
            }
        }
    }
}

/// Returns the minutes of `+05:30`, `+0530` or `+5`. The minutes after the hours count forward in the reference, for both
/// signs.
fn zone_minutes(text: &str, separator: Option<char>) -> f64 {
    let (hours, minutes) = match separator {
        Some(separator) => text.split_once(separator).unwrap_or((text, "")),
        None if text.len() <= 3 => (text, "0"),
        None => text.split_at_checked(3).unwrap_or((text, "")),
    };
    leading_integer(hours) * 60.0 + leading_integer(minutes)
}

/// The values of the components that a text has; none of one whose name is unknown.
#[derive(Debug, Default)]
struct DateTimeComponents(Vec<(Option<char>, Option<f64>)>);

impl DateTimeComponents {
    fn set(&mut self, specifier: Option<char>, value: Option<f64>) {
        match self.0.iter_mut().find(|(known, _)| *known == specifier) {
            Some((_, known)) => *known = value,
            None => self.0.push((specifier, value)),
        }
    }

    fn get(&self, specifier: char) -> Option<f64> {
        let found = self.0.iter().find(|(known, _)| *known == Some(specifier));
        found.and_then(|(_, value)| *value)
    }

    /// Returns true if the components that say something, of those in `all`, are some of those in `these`, and no others. A
    /// zero says nothing.
    fn are_of(&self, all: &str, these: &str) -> bool {
        let says = |specifier: &char| {
            self.get(*specifier)
                .is_some_and(|value| value != 0.0 && !value.is_nan())
        };
        let mut saying = all.chars().filter(says).peekable();
        saying.peek().is_some() && saying.all(|specifier| these.contains(specifier))
    }

    /// Returns the time. Components larger than the largest one are those of now, components smaller than the smallest one
    /// are minimal, and no component between them may be missing.
    fn time(mut self, now: i64) -> Outcome<f64> {
        const DATE: &str = "YXMxWwdD";
        let by_day_of_year = !self.are_of(DATE, "YMD") && self.are_of(DATE, "Yd");
        let by_week_of_month = self.are_of(DATE, "XxwF");
        let by_week = !by_week_of_month && self.are_of(DATE, "XWF");
        let in_halves = !self.are_of("PHhmsf", "Hmsf") && self.are_of("PHhmsf", "Phmsf");
        let date = if by_day_of_year {
            "YD"
        } else if by_week_of_month {
            "XxwF"
        } else if by_week {
            "XWF"
        } else {
            "YMD"
        };
        self.complete(date, if in_halves { "Phmsf" } else { "Hmsf" }, now)?;
        if by_week || by_week_of_month {
            return Err(missing());
        }
        let value = |specifier| self.get(specifier).unwrap_or(f64::NAN);
        let (mut month, mut day) = (value('M') - 1.0, value('D'));
        if month.is_nan() || month < 0.0 {
            month = 0.0;
        }
        if by_day_of_year {
            let first = time_of(value('Y'), 0.0, 1.0, 0.0);
            let date = Date::from_time(first + (value('d') - 1.0) * DAY);
            (month, day) = date.map_or((f64::NAN, f64::NAN), |date| (date.month(), date.day()));
        }
        let mut hours = value('H');
        if in_halves {
            let hour = value('h');
            hours = if hour == 12.0 { 0.0 } else { hour };
            if value('P') == 1.0 {
                hours += 12.0;
            }
        }
        let within = hours.trunc() * 3_600_000.0
            + value('m').trunc() * 60_000.0
            + value('s').trunc() * 1_000.0
            + value('f').trunc();
        let time = time_of(value('Y'), month, day, within);
        let zone = ['Z', 'z']
            .into_iter()
            .find_map(|specifier| self.get(specifier).filter(|minutes| *minutes != 0.0));
        Ok(time - zone.unwrap_or(0.0) * 60_000.0)
    }

    /// Sets the missing components, from the largest to the smallest.
    fn complete(&mut self, date: &str, time: &str, now: i64) -> Outcome<()> {
        let now = Date::from_time(now as f64);
        let (mut begun, mut ended) = (false, false);
        for specifier in date.chars().chain(time.chars()) {
            if self.get(specifier).is_some() {
                begun = true;
                if ended {
                    return Err(missing());
                }
            } else if begun {
                ended = true;
                self.set(
                    Some(specifier),
                    Some(if "MDd".contains(specifier) { 1.0 } else { 0.0 }),
                );
            } else if let Shown::Number(value) = show_component(now, specifier) {
                self.set(Some(specifier), Some(value));
            }
        }
        Ok(())
    }
}

fn missing() -> Box<crate::EvaluationError> {
    failure(
        "D3136",
        "The date/time picture string is missing specifiers required to parse the timestamp",
    )
}
