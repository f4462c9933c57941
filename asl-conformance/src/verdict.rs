//! The verdict on one case.

/// The verdict on one case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Number of levels that hold.
    level: usize,
    /// The first difference.
    reason: Option<String>,
}

impl Verdict {
    /// Creates the verdict on a case of which every level holds.
    pub fn passed() -> Self {
        Self {
            level: usize::MAX,
            reason: None,
        }
    }

    /// Creates the verdict on a case of which `level` levels hold, with the first difference.
    pub fn failed(level: usize, reason: impl Into<String>) -> Self {
        Self {
            level,
            reason: Some(reason.into()),
        }
    }

    /// Returns true if every level holds.
    pub fn holds(&self) -> bool {
        self.reason.is_none()
    }

    /// Returns the number of levels that hold, of those that its kind has; [`usize::MAX`] if all do.
    pub fn level(&self) -> usize {
        self.level
    }

    /// Returns the first difference, or the reason why there is no answer.
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }
}

/// Returns the first `width` characters.
pub(crate) fn cut(text: &str, width: usize) -> &str {
    text.char_indices()
        .nth(width)
        .map_or(text, |(end, _)| &text[..end])
}
