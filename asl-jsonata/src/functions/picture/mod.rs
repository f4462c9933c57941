//! Picture strings: of integers and numbers (XPath and XQuery Functions and Operators 3.1, sections 4.6 and 4.7), of dates and times (section 9.8 there).
//!
//! What JSONata 2.0.6 makes of a picture that is not defined there is kept too, since it is what expressions were tested with.

pub(super) mod calendar;
pub(super) mod date_time;
pub(super) mod format_date_time;
pub(super) mod integer;
pub(super) mod number;
mod numerals;
pub(super) mod parse_date_time;
mod words;

/// Returns the number at the start of a text, hexadecimal after `0x` (ECMA-262, parseInt). NaN if there is none.
pub(super) fn leading_integer(text: &str) -> f64 {
    let text = text.trim_start_matches(super::decimal::is_white_space);
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let (text, radix) = hexadecimal.map_or((text, 10), |text| (text, 16));
    let end = text
        .find(|c: char| !c.is_digit(radix))
        .unwrap_or(text.len());
    let digits = text.get(..end).unwrap_or_default();
    let number = match radix {
        _ if digits.is_empty() => f64::NAN,
        10 => digits.parse().unwrap_or(f64::NAN),
        _ => super::decimal::from_digits(digits, radix),
    };
    sign * number
}

/// Returns the greatest number that divides both, as long as they are whole.
fn greatest_common_divisor(mut a: usize, mut b: usize) -> usize {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Returns the distance between separators if it is constant, including the distance to the end; otherwise 0.
fn regular_distance(positions: &[usize]) -> usize {
    let distance = positions
        .iter()
        .copied()
        .reduce(greatest_common_divisor)
        .unwrap_or(0);
    let known: std::collections::HashSet<usize> = positions.iter().copied().collect();
    let mut multiples = (1..=positions.len()).map(|times| times.saturating_mul(distance));
    if multiples.all(|position| known.contains(&position)) {
        distance
    } else {
        0
    }
}
