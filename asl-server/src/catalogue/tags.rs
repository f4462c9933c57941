//! Tags of state machines and activities.
use crate::protocol::{ApiError, ErrorCode};
use serde::{Deserialize, Serialize};

/// As the API Reference has it.
const MOST: usize = 50;

/// A tag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tag {
    #[serde(default)]
    pub(crate) key: String,
    #[serde(default)]
    pub(crate) value: String,
}

/// In the order in which their keys were first given.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Tags(pub(crate) Vec<Tag>);

impl Tags {
    /// Adds tags; one of the same key is replaced.
    ///
    /// # Errors
    /// TooManyTags.
    pub(crate) fn with(mut self, tags: &[Tag], arn: &str) -> Result<Self, ApiError> {
        for tag in tags {
            // Checked before the next search, which takes as long as there are tags.
            let is_full = self.0.len() >= MOST;
            match self.0.iter_mut().find(|known| known.key == tag.key) {
                Some(known) => known.value.clone_from(&tag.value),
                None if is_full => return Err(too_many(arn)),
                None => self.0.push(tag.clone()),
            }
        }
        Ok(self)
    }

    /// Removes tags; a key that is not there is passed over.
    pub(crate) fn without(mut self, keys: &[String]) -> Self {
        self.0.retain(|tag| !keys.contains(&tag.key));
        self
    }
}

fn too_many(arn: &str) -> ApiError {
    let message = format!("Too many tags: '{arn}' would have more than {MOST}");
    ApiError::new(ErrorCode::TooManyTags, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(key: &str, value: &str) -> Tag {
        Tag {
            key: key.into(),
            value: value.into(),
        }
    }

    #[test]
    fn the_last_value_of_a_key_counts_in_the_place_of_the_first() {
        let tags = Tags::default()
            .with(&[tag("a", "1"), tag("b", "2")], "arn")
            .unwrap();
        let tags = tags.with(&[tag("a", "3")], "arn").unwrap();
        assert_eq!(tags.0, [tag("a", "3"), tag("b", "2")]);
        let tags = tags.without(&["a".into(), "nothing".into(), "a".into()]);
        assert_eq!(tags.0, [tag("b", "2")]);
    }

    #[test]
    fn there_are_50_at_most() {
        let many: Vec<Tag> = (0..50).map(|n| tag(&n.to_string(), "")).collect();
        let tags = Tags::default().with(&many, "arn").unwrap();
        assert!(tags.clone().with(&[tag("49", "again")], "arn").is_ok());
        let error = tags.with(&[tag("50", "")], "arn").unwrap_err();
        assert_eq!(error.code, ErrorCode::TooManyTags);
    }

    /// Searched without a bound, these would take 10^12 comparisons.
    #[test]
    fn a_million_tags_are_refused_at_once() {
        let many: Vec<Tag> = (0..1_000_000).map(|n| tag(&n.to_string(), "")).collect();
        let error = Tags::default().with(&many, "arn").unwrap_err();
        assert_eq!(error.code, ErrorCode::TooManyTags);
    }
}
