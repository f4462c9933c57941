//! Numbers as filters see them: Java's `BigDecimal`, in text and in order.
use serde_json::Number;
use std::cmp::Ordering;

/// Returns the number that a text stands for (`-1`, `.5`, `1.e3`), if it does.
pub(crate) fn decimal(text: &str) -> Option<Number> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let are_digits = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    let exponent_digits =
        exponent.map(|exponent| exponent.strip_prefix(['-', '+']).unwrap_or(exponent));
    let is_number = !(whole.is_empty() && fraction.is_empty())
        && are_digits(whole)
        && are_digits(fraction)
        && exponent_digits.is_none_or(|digits| !digits.is_empty() && are_digits(digits));
    if !is_number {
        return None;
    }
    if exponent.is_none() && !mantissa.contains('.') {
        if let Ok(integer) = text.parse::<i64>() {
            return Some(integer.into());
        }
        if let Ok(integer) = text.parse::<u64>() {
            return Some(integer.into());
        }
    }
    Number::from_f64(text.parse().ok()?)
}

/// Orders two numbers of any kind: `1` and `1.0` are equal.
pub(crate) fn compare(left: &Number, right: &Number) -> Ordering {
    if let (Some(left), Some(right)) = (left.as_i64(), right.as_i64()) {
        return left.cmp(&right);
    }
    match (integer(left), integer(right)) {
        (Some(left), Some(right)) => left.cmp(&right),
        _ => {
            let float = |number: &Number| number.as_f64().unwrap_or(f64::NAN);
            float(left)
                .partial_cmp(&float(right))
                .unwrap_or(Ordering::Equal)
        }
    }
}

fn integer(number: &Number) -> Option<i128> {
    number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from))
}

/// Returns the text of a number in Java: `5`, `0.1`, `1.0E+10`.
pub(crate) fn java_text(number: &Number) -> String {
    match number.as_f64() {
        Some(value) if number.is_f64() => float_text(value),
        _ => number.to_string(),
    }
}

/// Prints a number like Java's `Double`, read and printed again by `BigDecimal`.
fn float_text(value: f64) -> String {
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if value == 0.0 {
        return "0.0".to_owned();
    }
    if (-6..7).contains(&exponent) {
        let plain = format!("{value}");
        return if plain.contains('.') {
            plain
        } else {
            plain + ".0"
        };
    }
    // Double prints at least one digit after the point, and BigDecimal keeps it.
    let point = if mantissa.contains('.') { "" } else { ".0" };
    format!("{mantissa}{point}E{exponent:+}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        decimal(text).unwrap()
    }

    #[test]
    fn texts_that_are_numbers() {
        assert_eq!(number("-12"), (-12).into());
        assert_eq!(number("18446744073709551615"), u64::MAX.into());
        assert_eq!(number("1.e1"), Number::from_f64(10.0).unwrap());
        assert_eq!(number("-.5E-1"), Number::from_f64(-0.05).unwrap());
        for text in [
            "", "-", ".", "1e", "--1", "0x1", "1 ", "e1", "NaN", "5.1.26", "1e999",
        ] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }

    #[test]
    fn order_is_by_value() {
        assert_eq!(compare(&number("1"), &number("1.0")), Ordering::Equal);
        assert_eq!(compare(&number("-0.0"), &number("0")), Ordering::Equal);
        assert_eq!(
            compare(
                &number("18446744073709551615"),
                &number("18446744073709551614")
            ),
            Ordering::Greater
        );
        assert_eq!(compare(&number("7"), &number("7.1")), Ordering::Less);
    }

    #[test]
    fn texts_are_those_of_java() {
        assert_eq!(java_text(&number("5")), "5");
        assert_eq!(java_text(&number("5.0")), "5.0");
        assert_eq!(java_text(&number("5.10")), "5.1");
        assert_eq!(java_text(&number("1e10")), "1.0E+10");
        assert_eq!(java_text(&number("1.5e-7")), "1.5E-7");
        assert_eq!(java_text(&number("0.000015")), "0.000015");
    }
}
