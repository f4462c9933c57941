//! Numbers in English words.

const FEW: [&str; 20] = [
    "Zero",
    "One",
    "Two",
    "Three",
    "Four",
    "Five",
    "Six",
    "Seven",
    "Eight",
    "Nine",
    "Ten",
    "Eleven",
    "Twelve",
    "Thirteen",
    "Fourteen",
    "Fifteen",
    "Sixteen",
    "Seventeen",
    "Eighteen",
    "Nineteen",
];
const ORDINALS: [&str; 20] = [
    "Zeroth",
    "First",
    "Second",
    "Third",
    "Fourth",
    "Fifth",
    "Sixth",
    "Seventh",
    "Eighth",
    "Ninth",
    "Tenth",
    "Eleventh",
    "Twelfth",
    "Thirteenth",
    "Fourteenth",
    "Fifteenth",
    "Sixteenth",
    "Seventeenth",
    "Eighteenth",
    "Nineteenth",
];
const TENS: [&str; 8] = [
    "Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety",
];
const MAGNITUDES: [&str; 4] = ["Thousand", "Million", "Billion", "Trillion"];

/// The word or sign between a number and the previous one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joiner {
    Nothing,
    Larger,
}

/// A whole number that is not negative in words, each with a capital: `One Hundred and Twenty-Three`.
pub(super) fn words(number: f64, ordinal: bool) -> String {
    let mut text = String::new();
    push(&mut text, number, Joiner::Nothing, ordinal);
    text
}

/// Nests once for each thousand billions, so not deep.
fn push(text: &mut String, number: f64, before: Joiner, ordinal: bool) {
    let joined = |comma: &'static str| if before == Joiner::Larger { comma } else { "" };
    if number < 100.0 {
        text.push_str(joined(" and "));
        push_below_hundred(text, number as usize, ordinal);
        return;
    }
    text.push_str(joined(", "));
    let (value, name) = if number < 1000.0 {
        (100.0, "Hundred")
    } else {
        let power = (number.log10() / 3.0).floor() as usize;
        let power = power.clamp(1, MAGNITUDES.len());
        let name = MAGNITUDES.get(power - 1).copied().unwrap_or_default();
        (1000_f64.powi(power as i32), name)
    };
    let count = (number / value).floor();
    push(text, count, Joiner::Nothing, false);
    text.push(' ');
    text.push_str(name);
    let rest = number - count * value;
    if rest > 0.0 {
        push(text, rest, Joiner::Larger, ordinal);
    } else if ordinal {
        text.push_str("th");
    }
}

fn push_below_hundred(text: &mut String, number: usize, ordinal: bool) {
    let few = if ordinal { ORDINALS } else { FEW };
    if let Some(word) = few.get(number) {
        text.push_str(word);
        return;
    }
    let tens = TENS.get(number / 10 - 2).copied().unwrap_or_default();
    match (number % 10, ordinal) {
        (0, true) => {
            text.push_str(tens.strip_suffix('y').unwrap_or(tens));
            text.push_str("ieth");
        }
        (0, false) => text.push_str(tens),
        (ones, _) => {
            text.push_str(tens);
            text.push('-');
            text.push_str(few.get(ones).copied().unwrap_or_default());
        }
    }
}

/// Returns the number that small words stand for; none where a word is no number.
pub(super) fn from_words(text: &str) -> f64 {
    let mut segments = vec![0.0];
    for word in parts(text) {
        let Some(value) = value(word) else {
            return f64::NAN;
        };
        let top = segments.pop().unwrap_or(0.0);
        if value >= 100.0 {
            segments.push(top * value);
        } else if top >= 1000.0 {
            segments.extend([top, value]);
        } else {
            segments.push(top + value);
        }
    }
    segments.iter().sum()
}

/// Words stand between `, `, ` and `, white space, backslashes and hyphens.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let separator = text.char_indices().find_map(|(at, c)| {
            let after = text.get(at..)?;
            separator_length(after, c).map(|length| (at, length))
        });
        let Some((at, length)) = separator else {
            rest = None;
            return Some(text);
        };
        rest = text.get(at + length..);
        text.get(..at)
    })
}

/// Returns the length of the separator at the start of a text.
fn separator_length(text: &str, first: char) -> Option<usize> {
    use crate::functions::decimal::is_white_space;
    let second = text.chars().nth(1);
    match first {
        ',' => second
            .filter(|c| is_white_space(*c))
            .map(|c| 1 + c.len_utf8()),
        '\\' | '-' => Some(1),
        c if is_white_space(c) => {
            let after = text.get(c.len_utf8()..)?.strip_prefix("and");
            let space = after
                .and_then(|after| after.chars().next())
                .filter(|c| is_white_space(*c));
            Some(c.len_utf8() + space.map_or(0, |space| 3 + space.len_utf8()))
        }
        _ => None,
    }
}

/// Returns all words with their values, in the order in which a pattern of them is tried.
pub(super) fn all() -> impl Iterator<Item = (String, f64)> {
    let small = |words: [&'static str; 20]| {
        words
            .into_iter()
            .zip(0_u32..)
            .map(|(word, value)| (word.to_lowercase(), f64::from(value)))
    };
    let tens = TENS.into_iter().chain(["Hundred"]).zip(2_u32..);
    let tens = tens.flat_map(|(word, value)| {
        let word = word.to_lowercase();
        let stem = word.get(..word.len() - 1).unwrap_or_default();
        // The reference knows `hundreieth` by the same rule as `twentieth`.
        let ordinal = format!("{stem}ieth");
        [
            (word, f64::from(value * 10)),
            (ordinal, f64::from(value * 10)),
        ]
    });
    let magnitudes = MAGNITUDES
        .into_iter()
        .zip(1_i32..)
        .flat_map(|(word, power)| {
            let word = word.to_lowercase();
            let (ordinal, value) = (format!("{word}th"), 1000_f64.powi(power));
            [(word, value), (ordinal, value)]
        });
    small(FEW)
        .chain(small(ORDINALS))
        .chain(tens)
        .chain([("hundredth".to_owned(), 100.0)])
        .chain(magnitudes)
}

fn value(word: &str) -> Option<f64> {
    all()
        .find(|(known, _)| known == word)
        .map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_are_read_as_the_number_that_they_were_written_for(number in 0_u64..1_000_000_000_000_000, small in 0_u64..2_000) {
            for number in [number as f64, small as f64] {
                for ordinal in [false, true] {
                    prop_assert_eq!(from_words(&words(number, ordinal).to_lowercase()), number);
                }
            }
        }

        #[test]
        fn any_text_is_a_number_or_none(text in "(one|hundred|and| |-|,|thousand|é)*") {
            let _ = from_words(&text);
        }
    }
}
