//! Pictures of dates and times: `[Y0001]-[M01]-[D01]`.
use super::integer::{IntegerPicture, Primary};
use super::leading_integer;
use crate::evaluate::{Evaluation, Outcome, failure};
use crate::functions::decimal::is_white_space;
use crate::functions::json_text::quoted;

/// Text and components.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    Literal(String),
    Component(Box<Component>),
}

/// `[M01]`, `[FNn,3-3]`, `[Z01:01t]`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Component {
    /// None of `[]`, which has a presentation all the same.
    pub(super) specifier: Option<char>,
    pub(super) width: Option<Width>,
    pub(super) names: Option<Names>,
    /// The second modifier is `t`.
    pub(super) traditional: bool,
    pub(super) integer: Option<IntegerPicture>,
    /// Number of digits of a year, a month or a day; None if unlimited.
    pub(super) digits: Option<f64>,
}

/// The width after a comma; an invalid number is kept as NaN.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Width {
    pub(super) least: Option<f64>,
    pub(super) most: Option<f64>,
}

/// Formats of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    Upper,
    Lower,
    Title,
}

/// Reads a picture.
///
/// # Errors
///
/// A component is not closed or not known.
pub(super) fn read(evaluation: &mut Evaluation<'_, '_>, picture: &str) -> Outcome<Vec<Piece>> {
    evaluation.charge_text(picture.len().saturating_mul(4))?;
    let mut pieces = Vec::new();
    let mut rest = picture;
    let literal = |pieces: &mut Vec<Piece>, text: &str| {
        if !text.is_empty() {
            pieces.push(Piece::Literal(text.replace("]]", "]")));
        }
    };
    while let Some((before, after)) = rest.split_once('[') {
        literal(&mut pieces, before);
        if let Some(after) = after.strip_prefix('[') {
            literal(&mut pieces, "[");
            rest = after;
            continue;
        }
        let Some((marker, after)) = after.split_once(']') else {
            let message = "No matching closing bracket ']' in date/time picture string";
            return Err(failure("D3135", message));
        };
        evaluation.charge_items(2)?;
        let marker: String = marker.chars().filter(|c| !is_white_space(*c)).collect();
        pieces.push(Piece::Component(Box::new(Component::read(&marker)?)));
        rest = after;
    }
    literal(&mut pieces, rest);
    Ok(pieces)
}

/// Returns the default format of a component.
fn default_presentation(specifier: Option<char>) -> Option<&'static str> {
    Some(match specifier? {
        'Y' | 'M' | 'D' | 'd' | 'W' | 'w' | 'X' | 'x' | 'H' | 'h' | 'f' => "1",
        'F' | 'P' | 'C' | 'E' => "n",
        'm' | 's' => "01",
        'Z' | 'z' => "01:01",
        _ => return None,
    })
}

impl Component {
    fn read(marker: &str) -> Outcome<Self> {
        let mut letters = marker.chars();
        let specifier = letters.next();
        let (presentation, width) = match marker.rsplit_once(',') {
            // A comma in the place of the specifier is a presentation too.
            Some(("", width)) => (",", Some(Width::read(width))),
            Some((before, width)) => {
                let mut before = before.chars();
                before.next();
                (before.as_str(), Some(Width::read(width)))
            }
            None => (letters.as_str(), None),
        };
        let (first, second) = modifiers(presentation);
        let Some(first) = first.or_else(|| default_presentation(specifier)) else {
            let specifier = quoted(&specifier.map(String::from).unwrap_or_default());
            let message =
                format!("Unknown component specifier {specifier} in date/time picture string");
            return Err(failure("D3132", message));
        };
        let names = match first.as_bytes() {
            [b'n', ..] => Some(Names::Lower),
            [b'N', b'n', ..] => Some(Names::Title),
            [b'N', ..] => Some(Names::Upper),
            _ => None,
        };
        let mut component = Self {
            specifier,
            width,
            names,
            traditional: second == Some('t'),
            integer: None,
            digits: None,
        };
        component.read_integer(first, second)?;
        Ok(component)
    }

    fn read_integer(&mut self, first: &str, second: Option<char>) -> Outcome<()> {
        match self.specifier {
            Some('Z' | 'z') => self.integer = Some(IntegerPicture::read(first)?),
            Some(specifier) if self.names.is_none() && "YMDdFWwXxHhmsf".contains(specifier) => {
                let picture =
                    second.map_or_else(|| first.to_owned(), |second| format!("{first};{second}"));
                let mut integer = IntegerPicture::read(&picture)?;
                self.apply_width(&mut integer);
                self.integer = Some(integer);
            }
            _ => {}
        }
        Ok(())
    }

    /// At least as many digits as the width says; at most for years, months and days.
    fn apply_width(&mut self, integer: &mut IntegerPicture) {
        let has_limit = matches!(self.specifier, Some('Y' | 'M' | 'D'));
        let most = self.width.and_then(|width| width.most);
        let Primary::Digits(digits) = &mut integer.primary else {
            self.digits = most.filter(|_| has_limit);
            return;
        };
        let least = self.width.and_then(|width| width.least);
        if let Some(least) = least.filter(|least| digits.mandatory < *least) {
            digits.mandatory = least;
        }
        if has_limit {
            if let Some(most) = most {
                digits.mandatory = most;
                self.digits = Some(most);
            } else {
                let width = digits.mandatory + digits.optional as f64;
                self.digits = (width >= 2.0).then_some(width);
            }
        }
    }
}

impl Width {
    fn read(text: &str) -> Self {
        let number = |text: &str| (text != "*").then(|| leading_integer(text));
        match text.split_once('-') {
            Some((least, most)) => Self {
                least: number(least),
                most: number(most),
            },
            None => Self {
                least: number(text),
                most: None,
            },
        }
    }
}

/// Returns the first modifier, and the second one: a letter at the end, if it is not all there is.
fn modifiers(presentation: &str) -> (Option<&str>, Option<char>) {
    if presentation.is_empty() {
        return (None, None);
    }
    match presentation.char_indices().next_back() {
        Some((at, last @ ('a' | 't' | 'c' | 'o'))) if at > 0 => {
            (presentation.get(..at), Some(last))
        }
        _ => (Some(presentation), None),
    }
}
