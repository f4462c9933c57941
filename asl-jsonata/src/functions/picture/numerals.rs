//! Roman numerals, and letters as the columns of a spreadsheet have them.

const ROMAN: [(f64, &str); 13] = [
    (1000.0, "m"),
    (900.0, "cm"),
    (500.0, "d"),
    (400.0, "cd"),
    (100.0, "c"),
    (90.0, "xc"),
    (50.0, "l"),
    (40.0, "xl"),
    (10.0, "x"),
    (9.0, "ix"),
    (5.0, "v"),
    (4.0, "iv"),
    (1.0, "i"),
];

/// The letters of a small Roman numeral but for the thousands.
pub(super) const ROMAN_BELOW_THOUSAND: usize = 12;

/// Returns a number in small Roman numerals; charge for an `m` a thousand first.
pub(super) fn roman(mut number: f64) -> String {
    let mut text = String::new();
    for (value, letters) in ROMAN {
        while number >= value {
            text.push_str(letters);
            number -= value;
        }
    }
    text
}

/// Returns the value of capital Roman numerals; NaN for invalid letters.
pub(super) fn from_roman(text: &str) -> f64 {
    let (mut number, mut greatest) = (0.0, 1.0);
    for letter in text.chars().rev() {
        let value = match letter {
            'M' => 1000.0,
            'D' => 500.0,
            'C' => 100.0,
            'L' => 50.0,
            'X' => 10.0,
            'V' => 5.0,
            'I' => 1.0,
            _ => return f64::NAN,
        };
        if value < greatest {
            number -= value;
        } else {
            greatest = value;
            number += value;
        }
    }
    number
}

/// `a` for 1, `z` for 26, `aa` for 27.
pub(super) fn letters(mut number: f64, first: char) -> String {
    let mut letters = Vec::new();
    while number > 0.0 {
        let offset = ((number - 1.0) % 26.0) as u32;
        letters.extend(char::from_u32(u32::from(first) + offset));
        number = ((number - 1.0) / 26.0).floor();
    }
    letters.iter().rev().collect()
}

/// Returns the number of letters, which are not checked.
pub(super) fn from_letters(text: &str, first: char) -> f64 {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut place = 1.0;
    let mut number = 0.0;
    for unit in units.iter().rev() {
        number += (f64::from(*unit) - f64::from(u32::from(first)) + 1.0) * place;
        place *= 26.0;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn roman_numerals_are_read_as_they_are_written(number in 1_u32..5_000) {
            prop_assert_eq!(from_roman(&roman(f64::from(number)).to_uppercase()), f64::from(number));
        }

        #[test]
        fn letters_are_read_as_they_are_written(number in 1_u64..1 << 50) {
            prop_assert_eq!(from_letters(&letters(number as f64, 'A'), 'A'), number as f64);
        }
    }
}
