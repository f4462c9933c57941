//! The parts of a sub-picture, and what may be wrong with them (XPath and XQuery Functions and Operators 3.1, section 4.7.3).
use super::fault::Fault;
use super::properties::Properties;
use super::units::{last_position, position, slice};
use crate::evaluate::Outcome;

/// A sub-picture in its parts.
pub(super) struct Parts<'p> {
    pub(super) picture: &'p [u16],
    pub(super) prefix: &'p [u16],
    pub(super) suffix: &'p [u16],
    pub(super) active: &'p [u16],
    pub(super) mantissa: &'p [u16],
    pub(super) exponent: Option<&'p [u16]>,
    pub(super) integer: &'p [u16],
    pub(super) fraction: &'p [u16],
}

impl<'p> Parts<'p> {
    pub(super) fn from_picture(picture: &'p [u16], properties: &Properties) -> Outcome<Self> {
        let begins = |unit: &u16| {
            properties.is_active(*unit) && !Properties::is(*unit, &properties.exponent_separator)
        };
        let (Some(first), Some(last)) = (
            picture.iter().position(begins),
            picture.iter().rposition(begins),
        ) else {
            // Nothing in it is active: of its two faults the last one.
            return Err(Fault::Passive.error());
        };
        let active = slice(picture, first, last + 1);
        let separator = position(picture, &properties.exponent_separator, first);
        // The position is one in the sub-picture, but the reference takes it for one in its active part.
        let (mantissa, exponent) = match separator.filter(|at| *at <= last + 1) {
            None => (active, None),
            Some(at) => (
                slice(active, 0, at),
                Some(slice(active, at + 1, active.len())),
            ),
        };
        let suffix = slice(picture, last + 1, picture.len());
        let (integer, fraction) = match position(mantissa, &properties.decimal_separator, 0) {
            None => (mantissa, suffix),
            Some(at) => (
                slice(mantissa, 0, at),
                slice(mantissa, at + 1, mantissa.len()),
            ),
        };
        Ok(Self {
            picture,
            prefix: slice(picture, 0, first),
            suffix,
            active,
            mantissa,
            exponent,
            integer,
            fraction,
        })
    }

    /// Returns the fault of the sub-picture, of several the last one (XPath and XQuery Functions and Operators 3.1, section
    /// 4.7.3).
    pub(super) fn check(&self, properties: &Properties) -> Outcome<()> {
        let several = |property: &[u16]| {
            position(self.picture, property, 0) != last_position(self.picture, property)
        };
        let has = |property: &[u16]| position(self.picture, property, 0).is_some();
        let is_decimal = |unit: &u16| properties.is_decimal_digit(*unit);
        let scaled = has(&properties.percent) || has(&properties.per_mille);
        let faults = [
            (
                Fault::DecimalSeparators,
                several(&properties.decimal_separator),
            ),
            (Fault::Percents, several(&properties.percent)),
            (Fault::PerMilles, several(&properties.per_mille)),
            (
                Fault::PercentAndPerMille,
                has(&properties.percent) && has(&properties.per_mille),
            ),
            (
                Fault::NoDigit,
                !self.mantissa.iter().any(|unit| properties.is_digit(*unit)),
            ),
            (
                Fault::Passive,
                self.active.iter().any(|unit| !properties.is_active(*unit)),
            ),
            (
                Fault::GroupingAtDecimalSeparator,
                self.groups_at_decimal_separator(properties),
            ),
            (Fault::GroupingAtEnd, self.groups_at_end(properties)),
            (
                Fault::AdjacentGrouping,
                has(&properties.grouping_separator.repeat(2)),
            ),
            (Fault::OptionalInInteger, {
                let optional = position(self.integer, &properties.digit, 0);
                optional.is_some_and(|at| slice(self.integer, 0, at).iter().any(is_decimal))
            }),
            (Fault::OptionalInFraction, {
                let optional = last_position(self.fraction, &properties.digit);
                optional.is_some_and(|at| {
                    slice(self.fraction, at, self.fraction.len())
                        .iter()
                        .any(is_decimal)
                })
            }),
            (
                Fault::ScaledExponent,
                scaled && self.exponent.is_some_and(|exponent| !exponent.is_empty()),
            ),
            (Fault::Exponent, {
                self.exponent
                    .is_some_and(|exponent| exponent.is_empty() || !exponent.iter().all(is_decimal))
            }),
        ];
        match faults.iter().rev().find(|(_, found)| *found) {
            Some((fault, _)) => Err(fault.error()),
            None => Ok(()),
        }
    }

    fn groups_at_decimal_separator(&self, properties: &Properties) -> bool {
        let Some(at) = position(self.picture, &properties.decimal_separator, 0) else {
            return false;
        };
        let groups = |at: Option<usize>| {
            let unit = at.and_then(|at| self.picture.get(at));
            unit.is_some_and(|unit| Properties::is(*unit, &properties.grouping_separator))
        };
        groups(at.checked_sub(1)) || groups(Some(at + 1))
    }

    fn groups_at_end(&self, properties: &Properties) -> bool {
        position(self.picture, &properties.decimal_separator, 0).is_none()
            && self
                .integer
                .last()
                .is_some_and(|unit| Properties::is(*unit, &properties.grouping_separator))
    }

    /// Returns the number of digits on one side of each grouping separator. The reference continues in the integer part even
    /// for the fraction.
    pub(super) fn grouping_positions(
        &self,
        part: &[u16],
        left: bool,
        properties: &Properties,
    ) -> Vec<usize> {
        let separator = &properties.grouping_separator;
        let mut positions = Vec::new();
        let mut next = position(part, separator, 0);
        while let Some(at) = next {
            let side = if left {
                slice(part, 0, at)
            } else {
                slice(part, at, part.len())
            };
            positions.push(
                side.iter()
                    .filter(|unit| properties.is_digit(**unit))
                    .count(),
            );
            next = position(self.integer, separator, at + 1);
        }
        positions
    }
}
