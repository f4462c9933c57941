//! Writing dates and times (XPath and XQuery Functions and Operators 3.1, section 9.8.4).
use super::calendar::{Date, Shown, show_component};
use super::date_time::{Component, Names, Piece, read};
use super::integer::{IntegerPicture, Primary, Separators};
use super::leading_integer;
use crate::evaluate::{Evaluation, Outcome, failure};
use crate::functions::json_text::quoted;
use crate::functions::signature::unusable_argument;

pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
pub(super) const DAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

/// Picture for times without a picture.
const ISO_8601: &str = "[Y0001]-[M01]-[D01]T[H01]:[m01]:[s01].[f001][Z01:01t]";

/// Hours and minutes from UTC.
#[derive(Debug, Clone, Copy)]
struct Zone {
    hours: f64,
    minutes: f64,
}

impl Zone {
    /// `±hhmm`. As in the reference hours are rounded down, so that half an hour before UTC is one and a half.
    fn from_text(text: Option<&str>) -> Self {
        let offset = text.map_or(0.0, leading_integer);
        Self {
            hours: (offset / 100.0).floor(),
            minutes: offset % 100.0,
        }
    }

    /// As a number of hours and minutes: 530.
    fn offset(self) -> f64 {
        self.hours * 100.0 + self.minutes
    }
}

/// Writes milliseconds since 1970 as a picture says.
///
/// # Errors
///
/// The picture is wrong, or requests what a date does not have.
pub(in crate::functions) fn format_date_time(
    evaluation: &mut Evaluation<'_, '_>,
    time: f64,
    picture: Option<&str>,
    zone: Option<&str>,
) -> Outcome<String> {
    evaluation.charge_scan(zone.map_or(0, str::len))?;
    let zone = Zone::from_text(zone);
    let date = Date::from_time(time + (60.0 * zone.hours + zone.minutes) * 60_000.0);
    let mut text = String::new();
    for piece in read(evaluation, picture.unwrap_or(ISO_8601))? {
        let part = match piece {
            Piece::Literal(text) => text,
            Piece::Component(component) => component.format(evaluation, date, zone)?,
        };
        evaluation.charge_text(part.len())?;
        text.push_str(&part);
    }
    Ok(text)
}

impl Component {
    fn format(
        &self,
        evaluation: &mut Evaluation<'_, '_>,
        date: Option<Date>,
        zone: Zone,
    ) -> Outcome<String> {
        let specifier = self.specifier.unwrap_or_default();
        if let ('Z' | 'z', Some(integer)) = (specifier, &self.integer) {
            return self.format_zone(evaluation, zone, integer);
        }
        match (show_component(date, specifier), &self.integer) {
            (Shown::Nothing, _) => Ok("undefined".to_owned()),
            (Shown::Text(text), _) if specifier == 'P' && self.names == Some(Names::Upper) => {
                Ok(text.to_uppercase())
            }
            (Shown::Text(text), _) => Ok(text.to_owned()),
            (Shown::Number(number), Some(integer)) => {
                let number = match self.digits.filter(|_| specifier == 'Y') {
                    Some(digits) => number % 10_f64.powf(digits),
                    None => number,
                };
                integer.format(evaluation, number)
            }
            (Shown::Number(number), None) => self.name(specifier, number),
        }
    }

    /// Returns the name of a month or a day.
    fn name(&self, specifier: char, number: f64) -> Outcome<String> {
        let names: &[&str] = match specifier {
            'M' | 'x' => &MONTHS,
            'F' => &DAYS,
            // The reference has no picture for it then.
            'f' => return Err(unusable_argument("fromMillis", 2)),
            _ => return Err(no_names(self.specifier)),
        };
        let index = (number - 1.0) as usize;
        let Some(name) = names.get(index).filter(|_| !number.is_nan()) else {
            // What is no date has no name, of which the reference can neither change the case nor take a part.
            return match (self.names, self.width) {
                (Some(Names::Title), None) => Ok("undefined".to_owned()),
                _ => Err(unusable_argument("fromMillis", 1)),
            };
        };
        let name = match self.names {
            Some(Names::Upper) => name.to_uppercase(),
            Some(Names::Lower) => name.to_lowercase(),
            _ => (*name).to_owned(),
        };
        let most = self.width.and_then(|width| width.most);
        match most.filter(|most| name.len() as f64 > *most) {
            Some(most) => Ok(name
                .get(..most.max(0.0) as usize)
                .unwrap_or_default()
                .to_owned()),
            None => Ok(name),
        }
    }

    fn format_zone(
        &self,
        evaluation: &mut Evaluation<'_, '_>,
        zone: Zone,
        integer: &IntegerPicture,
    ) -> Outcome<String> {
        let offset = zone.offset();
        let (is_regular, digits) = match &integer.primary {
            Primary::Digits(digits) => (
                matches!(digits.separators, Separators::Regular { .. }),
                digits.mandatory,
            ),
            _ => (false, f64::NAN),
        };
        let mut text = if is_regular || digits == 3.0 || digits == 4.0 {
            integer.format(evaluation, offset)?
        } else if digits == 1.0 || digits == 2.0 {
            let mut text = integer.format(evaluation, zone.hours)?;
            if zone.minutes != 0.0 {
                let minutes = IntegerPicture::read("00")?.format(evaluation, zone.minutes)?;
                text.push(':');
                text.push_str(&minutes);
            }
            text
        } else {
            let message = "The timezone integer format specifier cannot have more than four digits";
            return Err(failure("D3134", message));
        };
        if offset >= 0.0 {
            text.insert(0, '+');
        }
        if self.specifier == Some('z') {
            text.insert_str(0, "GMT");
        }
        if offset == 0.0 && self.traditional {
            text = "Z".to_owned();
        }
        Ok(text)
    }
}

pub(super) fn no_names(specifier: Option<char>) -> Box<crate::EvaluationError> {
    let specifier = quoted(&specifier.map(String::from).unwrap_or_default());
    failure(
        "D3133",
        format!(
            "The 'name' modifier can only be applied to months and days in the date/time picture string, not {specifier}"
        ),
    )
}
