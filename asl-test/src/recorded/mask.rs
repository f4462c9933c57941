//! Values that a test file should not have.
use asl_engine::runtime::matches_pattern;
use asl_path::json::{DEFAULT_MAX_DEPTH, parse};
use serde_json::Value;

/// The text in place of a masked one.
const MASKED: &str = "masked";

/// Patterns of the names of fields whose values are masked.
pub(super) struct Mask<'p>(&'p [String]);

impl<'p> Mask<'p> {
    pub(super) fn new(patterns: &'p [String]) -> Self {
        Self(patterns)
    }

    /// Returns a value with its fields masked, also in texts that are JSON.
    pub(super) fn applied(&self, value: &Value) -> Value {
        match self.0.is_empty() {
            true => value.clone(),
            false => self.masked(value, false),
        }
    }

    /// Recursion is bounded by the nesting of the value, which was limited when it was parsed.
    fn masked(&self, value: &Value, is_masked: bool) -> Value {
        match value {
            Value::Object(fields) => fields
                .iter()
                .map(|(name, value)| {
                    let is_masked = is_masked || self.matches(name);
                    (name.clone(), self.masked(value, is_masked))
                })
                .collect(),
            Value::Array(items) => items.iter().map(|it| self.masked(it, is_masked)).collect(),
            Value::String(_) if is_masked => MASKED.into(),
            Value::Number(_) if is_masked => 0.into(),
            Value::String(text) if text.trim_start().starts_with(['{', '[']) => {
                match parse(text, DEFAULT_MAX_DEPTH) {
                    Ok(within) => self.masked(&within, false).to_string().into(),
                    Err(_) => value.clone(),
                }
            }
            other => other.clone(),
        }
    }

    fn matches(&self, name: &str) -> bool {
        self.0.iter().any(|pattern| matches(pattern, name))
    }
}

/// Returns true if a name is a pattern's, in any case.
fn matches(pattern: &str, name: &str) -> bool {
    matches_pattern(&pattern.to_lowercase(), &name.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn patterns_match_whole_names() {
        for (pattern, name, expected) in [
            ("email", "Email", true),
            ("email", "emails", false),
            ("*token*", "accessTokenId", true),
            ("card*", "cardNumber", true),
            ("card*", "myCard", false),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "acb", false),
            ("ab*b", "ab", false),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn masked_values_keep_their_types() {
        let patterns = ["card".to_owned(), "secret".to_owned()];
        let value = json!({"card": {"number": "4111", "year": 2030, "valid": true}, "n": 1,
            "body": "{\"secret\": \"x\", \"n\": 2}"});
        let expected = json!({"card": {"number": "masked", "year": 0, "valid": true}, "n": 1,
            "body": "{\"secret\":\"masked\",\"n\":2}"});
        assert_eq!(Mask::new(&patterns).applied(&value), expected);
    }
}
