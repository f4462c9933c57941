//! Timestamps: RFC 3339 with an uppercase `T`, and an uppercase `Z` or a numeric offset (specification, Timestamps).
use std::fmt;

/// A moment: nanoseconds since 1970-01-01T00:00:00Z.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(transparent)]
pub struct Timestamp(i64);

impl Timestamp {
    /// From nanoseconds since the epoch.
    pub const fn from_nanoseconds(nanoseconds: i64) -> Self {
        Self(nanoseconds)
    }
    /// From milliseconds since the epoch (saturating).
    pub const fn from_milliseconds(milliseconds: i64) -> Self {
        Self(milliseconds.saturating_mul(1_000_000))
    }
    /// Nanoseconds since the epoch.
    pub const fn nanoseconds(self) -> i64 {
        self.0
    }
    /// Parses the profile of RFC 3339 that the specification asks for.
    pub fn parse(text: &str) -> Option<Self> {
        let _ = text;
        None
    }
    /// This moment and `seconds` later (saturating).
    pub const fn plus_seconds(self, seconds: u64) -> Self {
        let seconds = if seconds > i64::MAX as u64 {
            i64::MAX
        } else {
            seconds as i64
        };
        Self(self.0.saturating_add(seconds.saturating_mul(1_000_000_000)))
    }
}

/// Milliseconds and `Z`, as the Context Object has it: `2016-03-14T01:59:00.000Z`.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
