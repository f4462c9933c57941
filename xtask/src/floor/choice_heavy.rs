//! choice-heavy: two hundred rules of ten kinds, of which only the last holds, five hundred times.
use super::{Floor, field, object};
use serde_json::Value;

/// Rules that never hold.
const RULES: i64 = 199;

/// Constants of the rules, prepared in advance.
struct Constants {
    /// `never0`, `never1`, …
    never: Vec<String>,
    nope: Vec<String>,
    missing: Vec<String>,
    suffix: Vec<String>,
    /// 2030-01-01 and the days after it.
    days_of_2030: Vec<i64>,
    start_of_2031: i64,
}

pub(super) fn prepare() -> Floor {
    let numbered = |prefix: &str| (0..RULES).map(|k| format!("{prefix}{k}")).collect();
    let day = |k| timestamp(&format!("2030-01-{:02}T00:00:00Z", k % 28 + 1)).unwrap_or(0);
    let constants = Constants {
        never: numbered("never"),
        nope: numbered("nope"),
        missing: numbered("missing"),
        suffix: numbered("-world-"),
        days_of_2030: (0..RULES).map(day).collect(),
        start_of_2031: timestamp("2031-01-01T00:00:00Z").unwrap_or(0),
    };
    Box::new(move |input| run(&constants, input))
}

fn run(constants: &Constants, input: &Value) -> Value {
    let mut data = input.clone();
    loop {
        if (0..RULES).any(|k| holds(k, &data, constants)) || !last_holds(&data) {
            return data;
        }
        let copied = |name| field(&data, name).clone();
        let next = field(&data, "i").as_i64().unwrap_or(0) + 1;
        data = object([
            ("i", next.into()),
            ("s", copied("s")),
            ("n", copied("n")),
            ("ts", copied("ts")),
            ("flag", copied("flag")),
        ]);
    }
}

fn holds(k: i64, data: &Value, constants: &Constants) -> bool {
    let index = usize::try_from(k).unwrap_or(0);
    let s = || field(data, "s").as_str();
    let n = || field(data, "n").as_f64();
    let ts = || field(data, "ts").as_str().and_then(timestamp);
    let flag = || field(data, "flag").as_bool();
    let number = k as f64;
    match k % 10 {
        0 => s().is_some_and(|s| s.contains(&constants.never[index])) && n() == Some(number),
        1 => {
            n() == Some(1000.0 + number)
                || s() == Some(&constants.nope[index])
                || flag() == Some(false)
        }
        2 => !s().is_some_and(|s| s.starts_with("hello-")),
        3 => ts().is_some_and(|ts| ts > constants.days_of_2030[index]),
        4 => data.get(&constants.missing[index]).is_some(),
        5 => data.get("s").is_some() && n().is_some_and(|n| n > 100.0 + number),
        6 => s().is_some_and(|s| s.ends_with(&constants.suffix[index])),
        7 => field(data, "s").is_number() || ts() == Some(constants.start_of_2031),
        8 => n().is_some_and(|n| n < -number),
        _ => !(flag() == Some(true) && n() == Some(42.0)),
    }
}

fn last_holds(data: &Value) -> bool {
    data.get("s").is_some()
        && field(data, "n").as_f64() == Some(42.0)
        && field(data, "s").as_str() != Some("x")
        && field(data, "i").as_f64().is_some_and(|i| i < 500.0)
}

/// Seconds since the epoch of `2024-01-01T00:00:00Z`, None if the text is something else.
fn timestamp(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    if bytes.len() != 20 || bytes[10] != b'T' || bytes[19] != b'Z' {
        return None;
    }
    let number = |from: usize, to: usize| {
        bytes[from..to].iter().try_fold(0_i64, |number, digit| {
            digit
                .is_ascii_digit()
                .then(|| number * 10 + i64::from(digit - b'0'))
        })
    };
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    // Days since the epoch with the year beginning in March, so that a leap day ends it.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let days =
        year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 719_469;
    Some(((days * 24 + hour) * 60 + minute) * 60 + second)
}

#[cfg(test)]
mod tests {
    use super::timestamp;

    #[test]
    fn timestamps_count_seconds_since_the_epoch() {
        assert_eq!(timestamp("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(timestamp("2000-03-01T00:00:01Z"), Some(951_868_801));
        assert_eq!(timestamp("2024-02-29T12:30:00Z"), Some(1_709_209_800));
        assert_eq!(timestamp("2024-02-29 12:30:00Z"), None);
    }
}
