//! Timestamps, string patterns and JSON texts.
use super::{DEEP, feature, nested};
use asl_model::{StringPattern, Timestamp};
use asl_path::json;

pub(super) const WORDS: &[&str] = &[
    "2024-02-29T12:30:00Z",
    "T",
    "Z",
    "+01:00",
    "-23:59",
    ".123456789",
    "23:59:60Z",
    "0000-01-01",
    "9999-12-31",
    "*",
    "\\*",
    "\\\\",
    "**",
    "\n",
    "[",
    "{\"a\":",
    "1e400",
    "\"\\ud800\"",
    "-0",
];

/// The first line is a timestamp, a pattern and JSON; the rest is matched with it.
pub(super) fn run(bytes: &[u8]) -> u64 {
    let whole = String::from_utf8_lossy(bytes);
    let (first, rest) = whole.split_once('\n').unwrap_or((&whole, ""));
    let moment = Timestamp::parse(first);
    // RFC 3339 has four digits for the year: an offset may lead out of them.
    let printed = moment.map(Timestamp::to_rfc3339);
    if let Some(printed) = printed.filter(|printed| printed.find('-') == Some(4)) {
        assert_eq!(
            Timestamp::parse(&printed),
            moment,
            "{printed} is the same moment"
        );
    }
    let pattern = StringPattern::parse(first);
    let matched = pattern.open_escape().is_none().then(|| {
        let matched = pattern.matches(rest);
        if first.len() < 64 && rest.len() < 64 {
            assert_eq!(
                matched,
                matches_slowly(first, rest),
                "{first:?} on {rest:?}"
            );
        }
        matched
    });
    let parsed = json::parse(first, json::DEFAULT_MAX_DEPTH);
    if let Ok(value) = &parsed {
        assert!(
            json::depth_within(value, json::DEFAULT_MAX_DEPTH).is_some(),
            "depth is limited"
        );
        let again = json::parse(&value.to_string(), json::DEFAULT_MAX_DEPTH);
        assert_eq!(again.as_ref(), Ok(value), "printed JSON is the same value");
    }
    feature((
        moment.is_some(),
        matched,
        parsed.map_err(|error| error.message).is_ok(),
        first.len().min(40),
    ))
}

/// Returns true if the text matches, by the obvious model: which prefixes of the text does each prefix of the pattern match?
fn matches_slowly(pattern: &str, text: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    let mut reached = vec![false; text.len() + 1];
    reached[0] = true;
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        let literal = match character {
            '*' => None,
            '\\' => characters.next(),
            other => Some(other),
        };
        let mut next = vec![false; text.len() + 1];
        for (at, _) in reached.iter().enumerate().filter(|(_, reached)| **reached) {
            match literal {
                None => next[at..].fill(true),
                Some(literal) if text.get(at) == Some(&literal) => next[at + 1] = true,
                Some(_) => {}
            }
        }
        reached = next;
    }
    reached[text.len()]
}

pub(super) fn deep() -> Vec<Vec<u8>> {
    vec![
        nested("[", "", "]"),
        nested("{\"a\":", "1", "}"),
        "[".repeat(DEEP).into_bytes(),
        format!("{}b\n{}", "*a".repeat(DEEP / 100), "a".repeat(DEEP)).into_bytes(),
        format!("{}\n{}", "*".repeat(DEEP), "a".repeat(DEEP)).into_bytes(),
        format!("2024-01-01T00:00:00.{}Z", "0".repeat(DEEP)).into_bytes(),
        format!("\"{}\"", "\\u00e9".repeat(DEEP)).into_bytes(),
    ]
}
