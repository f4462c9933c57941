//! Writing numbers (XPath and XQuery Functions and Operators 3.1, section 4.7.5).
use super::parts::Parts;
use super::properties::Properties;
use super::units::{Units, insert, position};
use crate::evaluate::Outcome;
use crate::functions::decimal::{number_text, rounded};
use crate::functions::picture::regular_distance;
use crate::functions::signature::unusable_argument;

/// A sub-picture, analysed (XPath and XQuery Functions and Operators 3.1, section 4.7.4).
pub(super) struct NumberPicture<'p> {
    parts: Parts<'p>,
    integer_groups: Vec<usize>,
    regular_groups: usize,
    fraction_groups: Vec<usize>,
    least_integer: usize,
    scaling: usize,
    least_fraction: usize,
    most_fraction: usize,
    least_exponent: usize,
}

impl<'p> NumberPicture<'p> {
    pub(super) fn from_parts(parts: Parts<'p>, properties: &Properties) -> Self {
        let decimals = |part: &[u16]| {
            part.iter()
                .filter(|unit| properties.is_decimal_digit(**unit))
                .count()
        };
        let integer_groups = parts.grouping_positions(parts.integer, false, properties);
        let scaling = decimals(parts.integer);
        let mut least_integer = scaling;
        let mut least_fraction = decimals(parts.fraction);
        let mut most_fraction = parts
            .fraction
            .iter()
            .filter(|unit| properties.is_digit(**unit))
            .count();
        if least_integer == 0 && most_fraction == 0 {
            match parts.exponent {
                Some(_) => (least_fraction, most_fraction) = (1, 1),
                None => least_integer = 1,
            }
        }
        let has_optional = position(parts.integer, &properties.digit, 0).is_some();
        if parts.exponent.is_some() && least_integer == 0 && has_optional {
            least_integer = 1;
        }
        if least_integer == 0 && least_fraction == 0 {
            least_fraction = 1;
        }
        Self {
            regular_groups: regular_distance(&integer_groups),
            integer_groups,
            fraction_groups: parts.grouping_positions(parts.fraction, true, properties),
            least_integer,
            scaling,
            least_fraction,
            most_fraction,
            least_exponent: parts.exponent.map_or(0, decimals),
            parts,
        }
    }

    pub(super) fn format(
        &self,
        properties: &Properties,
        number: f64,
        sign: &[u16],
    ) -> Outcome<Units> {
        let has = |property: &[u16]| position(self.parts.picture, property, 0).is_some();
        let scaled = if has(&properties.percent) {
            number * 100.0
        } else if has(&properties.per_mille) {
            number * 1000.0
        } else {
            number
        };
        let (mantissa, exponent) = self.scaled(scaled);
        let mantissa = rounded(mantissa, self.most_fraction as f64);
        let mut text = fixed(mantissa, self.most_fraction, properties)?;
        match text.iter().position(|unit| *unit == u16::from(b'.')) {
            Some(at) => drop(text.splice(at..=at, properties.decimal_separator.iter().copied())),
            None => text.extend(&properties.decimal_separator),
        }
        trim_zeros(&mut text, &properties.zero_digit);
        self.pad(&mut text, properties);
        self.group(&mut text, properties);
        let point = position(&text, &properties.decimal_separator, 0);
        if !has(&properties.decimal_separator) || point.is_some_and(|at| at + 1 == text.len()) {
            text.pop();
        }
        if let Some(exponent) = exponent {
            let digits = fixed(exponent, 0, properties)?;
            text.extend(&properties.exponent_separator);
            if exponent < 0.0 {
                text.extend(&properties.minus_sign);
            }
            let missing = self.least_exponent.saturating_sub(digits.len());
            text.extend(properties.zero_digit.repeat(missing));
            text.extend(digits);
        }
        Ok([sign, self.parts.prefix, &text, self.parts.suffix].concat())
    }

    /// Mantissa and exponent, where the picture has one.
    fn scaled(&self, number: f64) -> (f64, Option<f64>) {
        if self.least_exponent == 0 {
            return (number, None);
        }
        let power = |exponent: usize| format!("1e{exponent}").parse().unwrap_or(f64::INFINITY);
        let most: f64 = power(self.scaling);
        let least = if self.scaling == 0 {
            0.1
        } else {
            power(self.scaling - 1)
        };
        let (mut mantissa, mut exponent) = (number, 0.0);
        // Of zero, and of negative numbers, the reference never finds one.
        if mantissa == 0.0 || !mantissa.is_finite() {
            return (mantissa, Some(exponent));
        }
        while mantissa.abs() < least {
            mantissa *= 10.0;
            exponent -= 1.0;
        }
        while mantissa.abs() > most {
            mantissa /= 10.0;
            exponent += 1.0;
        }
        (mantissa, Some(exponent))
    }

    fn pad(&self, text: &mut Units, properties: &Properties) {
        let zeros = |count: usize| properties.zero_digit.repeat(count);
        let point = position(text, &properties.decimal_separator, 0);
        let whole = point.map_or(0, |at| self.least_integer.saturating_sub(at));
        let fraction = text.len() - point.map_or(0, |at| at + 1);
        let fraction = self.least_fraction.saturating_sub(fraction);
        text.splice(0..0, zeros(whole));
        text.extend(zeros(fraction));
    }

    fn group(&self, text: &mut Units, properties: &Properties) {
        let separator = &properties.grouping_separator;
        let find_point =
            |text: &Units| position(text, &properties.decimal_separator, 0).unwrap_or(0);
        let mut point = find_point(text);
        if let Some(count) = point.saturating_sub(1).checked_div(self.regular_groups) {
            for group in 1..=count {
                insert(
                    text,
                    point as isize - (group * self.regular_groups) as isize,
                    separator,
                );
            }
        } else {
            for position in &self.integer_groups {
                insert(text, point as isize - *position as isize, separator);
                point += 1;
            }
        }
        let point = find_point(text);
        for position in &self.fraction_groups {
            insert(text, (position + point + 1) as isize, separator);
        }
    }
}

fn trim_zeros(text: &mut Units, zero: &[u16]) {
    let is_zero = |unit: &u16| Properties::is(*unit, zero);
    let leading = text.iter().take_while(|unit| is_zero(unit)).count();
    text.drain(..leading);
    let trailing = text.iter().rev().take_while(|unit| is_zero(unit)).count();
    text.truncate(text.len() - trailing);
}

/// In the digits of the picture (ECMA-262, Number.prototype.toFixed).
fn fixed(number: f64, decimals: usize, properties: &Properties) -> Outcome<Units> {
    const MOST_DECIMALS: usize = 100;
    if decimals > MOST_DECIMALS {
        return Err(unusable_argument("formatNumber", 2));
    }
    let number = number.abs();
    let text = if number < 1e21 {
        format!("{number:.decimals$}")
    } else {
        number_text(number)
    };
    let zero = properties.zero_digit.first().copied().unwrap_or_default();
    let mut units = Units::new();
    for c in text.encode_utf16() {
        match char::from_u32(u32::from(c)).and_then(|c| c.to_digit(10)) {
            Some(digit) => units.push(zero.saturating_add(digit as u16)),
            None => units.push(c),
        }
    }
    Ok(units)
}
