//! The characters of a picture that have a meaning.
use super::units::{Units, units};
use crate::evaluate::Outcome;
use crate::functions::signature::unusable_argument;
use crate::value::{Value, View};

/// The characters that have a meaning.
pub(super) struct Properties {
    pub(super) decimal_separator: Units,
    pub(super) grouping_separator: Units,
    pub(super) exponent_separator: Units,
    pub(super) minus_sign: Units,
    pub(super) percent: Units,
    pub(super) per_mille: Units,
    pub(super) zero_digit: Units,
    pub(super) digit: Units,
    pub(super) pattern_separator: Units,
}

impl Properties {
    /// Returns the defaults, and what an object says otherwise.
    pub(super) fn from_options(options: &Value<'_>) -> Outcome<Self> {
        let fields = match options.view() {
            View::Object(fields) => Some(fields),
            _ => None,
        };
        let property = |name: &str, default: &str| -> Outcome<Units> {
            let given = fields.map(|fields| fields.get(name)).unwrap_or_default();
            match given.view() {
                View::Undefined => Ok(units(default)),
                View::Text(text) => Ok(units(text)),
                _ => Err(unusable_argument("formatNumber", 3)),
            }
        };
        let zero_digit = property("zero-digit", "0")?;
        if zero_digit.is_empty() {
            return Err(unusable_argument("formatNumber", 3));
        }
        Ok(Self {
            decimal_separator: property("decimal-separator", ".")?,
            grouping_separator: property("grouping-separator", ",")?,
            exponent_separator: property("exponent-separator", "e")?,
            minus_sign: property("minus-sign", "-")?,
            percent: property("percent", "%")?,
            per_mille: property("per-mille", "\u{2030}")?,
            zero_digit,
            digit: property("digit", "#")?,
            pattern_separator: property("pattern-separator", ";")?,
        })
    }

    pub(super) fn is(unit: u16, property: &[u16]) -> bool {
        property == [unit]
    }

    pub(super) fn is_decimal_digit(&self, unit: u16) -> bool {
        let zero = self.zero_digit.first().copied().unwrap_or_default();
        unit.checked_sub(zero).is_some_and(|value| value < 10)
    }

    /// Returns true for a digit, mandatory or optional.
    pub(super) fn is_digit(&self, unit: u16) -> bool {
        self.is_decimal_digit(unit) || Self::is(unit, &self.digit)
    }

    pub(super) fn is_active(&self, unit: u16) -> bool {
        let active = [
            &self.decimal_separator,
            &self.exponent_separator,
            &self.grouping_separator,
            &self.digit,
            &self.pattern_separator,
        ];
        self.is_decimal_digit(unit) || active.iter().any(|property| Self::is(unit, property))
    }
}
