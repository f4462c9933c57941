//! Numbers as ECMAScript writes them, since JSONata inherits its text of numbers.

/// The digits that mean a positive number and no other, and the power of ten of the first one.
struct Decimal {
    digits: String,
    exponent: i32,
}

impl Decimal {
    /// Returns the shortest digits that distinguish the number from its neighbours.
    fn shortest(number: f64) -> Self {
        Self::from_scientific(&format!("{number:e}"))
    }

    fn from_scientific(text: &str) -> Self {
        let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
        Self {
            digits: digits.replace('.', ""),
            exponent: exponent.parse().unwrap_or(0),
        }
    }

    /// With an exponent from 10^21 on and below 10^-6 (ECMA-262, Number::toString).
    fn text(&self) -> String {
        let digits = self.digits.as_str();
        let count = digits.len();
        match usize::try_from(self.exponent) {
            Ok(exponent) if exponent < 21 => {
                let whole = exponent + 1;
                match digits.split_at_checked(whole) {
                    Some((_, "")) | None => {
                        format!("{digits}{}", "0".repeat(whole.saturating_sub(count)))
                    }
                    Some((whole, fraction)) => format!("{whole}.{fraction}"),
                }
            }
            Err(_) if self.exponent >= -6 => {
                let zeros = usize::try_from(-1 - self.exponent).unwrap_or(0);
                format!("0.{}{digits}", "0".repeat(zeros))
            }
            _ => {
                let exponent = self.exponent;
                let sign = if exponent < 0 { "" } else { "+" };
                match digits.split_at_checked(1) {
                    Some((first, "")) => format!("{first}e{sign}{exponent}"),
                    Some((first, rest)) => format!("{first}.{rest}e{sign}{exponent}"),
                    None => String::new(),
                }
            }
        }
    }
}

/// Returns the text of a number: `0.1`, `1e+21`, `Infinity`, `NaN`; a negative zero is `0`.
pub(crate) fn number_text(number: f64) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    let sign = if number < 0.0 { "-" } else { "" };
    if number.is_infinite() {
        return format!("{sign}Infinity");
    }
    format!("{sign}{}", Decimal::shortest(number.abs()).text())
}

/// Number of digits that `$string` keeps, so that 0.1 + 0.2 is 0.3.
const SIGNIFICANT_DIGITS: usize = 15;

/// Returns the nearest number of 15 significant digits; of two equally near the one farther from zero.
pub(crate) fn to_15_digits(number: f64) -> f64 {
    if !number.is_finite() || number.fract() == 0.0 && number.abs() < 1e15 {
        return number;
    }
    // Any decimal of so few digits is the nearest one to the number that is nearest to it.
    if Decimal::shortest(number.abs()).digits.len() <= SIGNIFICANT_DIGITS {
        return number;
    }
    let rounded = format!("{:.*e}", SIGNIFICANT_DIGITS - 1, move_from_tie(number));
    rounded.parse().unwrap_or(number)
}

/// Formatting rounds a tie to the even digit: a number that is one is moved on a little.
fn move_from_tie(number: f64) -> f64 {
    const EXACT: usize = 766;
    let nearly = format!("{number:.*e}", SIGNIFICANT_DIGITS + 3);
    let is_tie = |text: &str| {
        let mut after = text
            .trim_start_matches('-')
            .bytes()
            .filter(u8::is_ascii_digit)
            .skip(SIGNIFICANT_DIGITS);
        after.next() == Some(b'5') && after.all(|digit| digit == b'0')
    };
    let mantissa = |text: &str| text.split('e').next().unwrap_or_default().to_owned();
    if is_tie(&mantissa(&nearly)) && is_tie(&mantissa(&format!("{number:.EXACT$e}"))) {
        if number > 0.0 {
            number.next_up()
        } else {
            number.next_down()
        }
    } else {
        number
    }
}

/// Returns a number times ten to a power, moved in its digits as `$round` does: nothing is lost to binary fractions. No
/// number where the power is no whole one.
fn shifted(number: f64, power: f64) -> f64 {
    let text = number_text(number);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent = exponent.parse().unwrap_or(0.0) + power;
    if exponent.fract() != 0.0 || !number.is_finite() {
        return f64::NAN;
    }
    // Beyond this there is nothing but zero and infinity.
    let exponent = exponent.clamp(-100_000.0, 100_000.0);
    format!("{mantissa}e{exponent}").parse().unwrap_or(f64::NAN)
}

/// Returns the nearest whole number, or one of so many decimals; of two equally near the even one.
pub(crate) fn rounded(number: f64, precision: f64) -> f64 {
    let shift = precision != 0.0 && !precision.is_nan();
    let number = if shift {
        shifted(number, precision)
    } else {
        number
    };
    let floor = number.floor();
    let mut result = if number - floor >= 0.5 {
        floor + 1.0
    } else {
        floor
    };
    if (result - number).abs() == 0.5 && (result % 2.0).abs() == 1.0 {
        result -= 1.0;
    }
    if shift {
        result = shifted(result, -precision);
    }
    // There is no negative zero in JSON.
    if result == 0.0 { 0.0 } else { result }
}

/// Returns a whole number in another base, from 2 to 36. In base 10 large numbers have an exponent.
pub(crate) fn in_base(number: f64, radix: u32) -> String {
    if radix == 10 || !number.is_finite() {
        return number_text(number);
    }
    let base = f64::from(radix);
    let mut rest = number.abs();
    let mut digits = Vec::new();
    // Beyond 2^53 digits are not exact: as V8 does, the last ones are zeros.
    while rest / base >= 2_f64.powi(53) {
        rest /= base;
        digits.push('0');
    }
    loop {
        let digit = rest % base;
        digits.push(char::from_digit(digit as u32, radix).unwrap_or('0'));
        rest = (rest - digit) / base;
        if rest < 1.0 {
            break;
        }
    }
    if number < 0.0 {
        digits.push('-');
    }
    digits.iter().rev().collect()
}

/// Parses a number like `$number`: a decimal JSON number (leading zeros are accepted), or 0x…, 0o…, 0b…. None if the text is
/// not a number; NaN if it is accepted but has no value.
pub(crate) fn number_of_text(text: &str) -> Option<f64> {
    if is_decimal(text) {
        let number: f64 = text.parse().ok()?;
        if number.is_finite() {
            return Some(number);
        }
    }
    looks_prefixed(text).then(|| from_prefixed(text.trim_matches(is_white_space)))
}

/// `-?[0-9]+(\.[0-9]+)?([Ee][-+]?[0-9]+)?`
fn is_decimal(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let exponent = exponent.map(|text| text.strip_prefix(['-', '+']).unwrap_or(text));
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    digits(whole) && fraction.is_none_or(digits) && exponent.is_none_or(digits)
}

/// Returns true for text that the pattern of the reference matches: it begins as a hexadecimal number, holds an octal one
/// or ends with a binary one.
fn looks_prefixed(text: &str) -> bool {
    let begins = |text: &str, marks: [char; 2], radix: u32| {
        let rest = text
            .strip_prefix('0')
            .and_then(|rest| rest.strip_prefix(marks));
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_digit(radix)))
    };
    let without_binary = text.trim_end_matches(['0', '1']);
    let ends_binary = without_binary.len() < text.len()
        && (without_binary.ends_with("0b") || without_binary.ends_with("0B"));
    begins(text, ['x', 'X'], 16)
        || text
            .match_indices('0')
            .any(|(at, _)| begins(text.get(at..).unwrap_or_default(), ['o', 'O'], 8))
        || ends_binary
}

fn from_prefixed(text: &str) -> f64 {
    let radix = match text.get(..2) {
        Some("0x" | "0X") => 16,
        Some("0o" | "0O") => 8,
        Some("0b" | "0B") => 2,
        _ => return f64::NAN,
    };
    let digits = text.get(2..).unwrap_or_default();
    if digits.is_empty() {
        f64::NAN
    } else {
        from_digits(digits, radix)
    }
}

/// Returns the nearest number to a whole number in a base that is a power of two.
pub(super) fn from_digits(digits: &str, radix: u32) -> f64 {
    const ROOM: u128 = 1 << 120;
    let bits = radix.trailing_zeros();
    let (mut value, mut dropped) = (0_u128, 0_i32);
    for digit in digits.chars() {
        let Some(digit) = digit.to_digit(radix) else {
            return f64::NAN;
        };
        if value < ROOM {
            value = value << bits | u128::from(digit);
        } else {
            // Only whether anything is lost matters to rounding.
            value |= u128::from(digit != 0);
            dropped = dropped.saturating_add(bits.cast_signed());
        }
    }
    value as f64 * 2_f64.powi(dropped)
}

/// White space and ends of lines (ECMA-262, White Space; Line Terminators).
pub(super) fn is_white_space(c: char) -> bool {
    c.is_whitespace() && c != '\u{85}' || c == '\u{feff}'
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_have_an_exponent_where_javascript_gives_them_one() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (100.0, "100"),
            (-12.5, "-12.5"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (1.5e300, "1.5e+300"),
            (0.000_001, "0.000001"),
            (0.000_000_15, "1.5e-7"),
            (5e-324, "5e-324"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(number_text(number), text);
        }
    }

    #[test]
    fn fifteen_digits_are_kept_and_ties_go_away_from_zero() {
        assert_eq!(to_15_digits(0.1 + 0.2), 0.3);
        assert_eq!(to_15_digits(100_000_000_000_000.5), 100_000_000_000_001.0);
        assert_eq!(to_15_digits(-100_000_000_000_000.5), -100_000_000_000_001.0);
        assert_eq!(
            to_15_digits(1_234_567_890_123_456.0),
            1_234_567_890_123_460.0
        );
        assert_eq!(to_15_digits(5e-324), 5e-324);
    }

    #[test]
    fn a_prefix_must_stand_where_the_pattern_of_the_reference_finds_it() {
        let is_read = |text| number_of_text(text).map(|number| number.is_nan());
        assert_eq!(is_read("0x1F"), Some(false));
        assert_eq!(
            is_read("0x1G"),
            Some(true),
            "accepted by its start, but no number"
        );
        assert_eq!(is_read("a0o7b"), Some(true), "accepted by its middle");
        assert_eq!(is_read("a0b1"), Some(true), "accepted by its end");
        assert_eq!(is_read("a0x1"), None);
        assert_eq!(is_read("0b1a"), None);
    }

    #[test]
    fn many_digits_are_rounded_once() {
        assert_eq!(
            number_of_text("0x20000000000001"),
            Some(9_007_199_254_740_992.0)
        );
        assert_eq!(
            number_of_text("0x20000000000003"),
            Some(9_007_199_254_740_996.0)
        );
        let half = format!("0x20000000000001{}1", "0".repeat(40));
        assert_eq!(
            number_of_text(&half),
            Some(9_007_199_254_740_994.0 * 2_f64.powi(164))
        );
        assert_eq!(
            number_of_text(&format!("0x{}", "f".repeat(300))),
            Some(f64::INFINITY)
        );
    }

    proptest! {
        #[test]
        fn the_text_of_a_number_means_it(number in any::<f64>().prop_filter("a number", |it| it.is_finite())) {
            let text = number_text(number);
            prop_assert_eq!(text.parse::<f64>(), Ok(number));
            prop_assert!(!text.contains("e+") || number.abs() >= 1e21);
            prop_assert!(!text.contains("e-") || number.abs() < 1e-6);
        }

        #[test]
        fn fifteen_digits_are_the_nearest(number in any::<f64>().prop_filter("a number", |it| it.is_normal())) {
            let rounded = to_15_digits(number);
            prop_assert_eq!(to_15_digits(rounded), rounded);
            prop_assume!(rounded.is_finite());
            prop_assert!((rounded - number).abs() <= number.abs() * 5.1e-15);
            prop_assert!(Decimal::shortest(rounded.abs()).digits.len() <= SIGNIFICANT_DIGITS);
        }

        #[test]
        fn halves_are_rounded_to_even(whole in -1_000_000_i32..1_000_000) {
            let rounded = rounded(f64::from(whole) + 0.5, 0.0);
            prop_assert_eq!(rounded % 2.0, 0.0);
            prop_assert!((rounded - f64::from(whole) - 0.5).abs() == 0.5);
        }

        #[test]
        fn other_bases_agree_with_parsing(number in -(1_i64 << 53)..1 << 53, radix in 2_u32..=36) {
            let text = in_base(number as f64, radix);
            prop_assert_eq!(i64::from_str_radix(&text, radix), Ok(number));
        }

        #[test]
        fn any_text_is_a_number_or_none(text in ".*") {
            let _ = number_of_text(&text);
        }
    }
}
