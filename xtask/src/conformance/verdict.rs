//! The verdict on one case.

/// The verdict on one case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// Number of levels that hold; [`Verdict::ALL`] if all do.
    pub(crate) level: usize,
    /// The first difference.
    pub(crate) reason: Option<String>,
}

impl Verdict {
    /// More levels than any kind has.
    const ALL: usize = 4;

    pub(crate) fn passed() -> Self {
        Self {
            level: Self::ALL,
            reason: None,
        }
    }

    pub(crate) fn failed(level: usize, reason: impl Into<String>) -> Self {
        Self {
            level,
            reason: Some(reason.into()),
        }
    }

    pub(crate) fn holds(&self) -> bool {
        self.reason.is_none()
    }
}

/// Returns the first `width` characters.
pub(crate) fn cut(text: &str, width: usize) -> &str {
    text.char_indices()
        .nth(width)
        .map_or(text, |(end, _)| &text[..end])
}
