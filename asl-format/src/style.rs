//! The style of formatted text.

/// The style of formatted text.
///
/// ```
/// use asl_format::{Style, format};
/// let wide = Style { indent: 4, ..Style::default() };
/// assert_eq!(format("{\n\"StartAt\":\"A\"}", &wide).unwrap(), "{\n    \"StartAt\": \"A\"\n}\n");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Spaces that each level is indented by.
    pub indent: usize,
    /// Columns that objects and arrays on one line may take.
    pub width: usize,
}

impl Default for Style {
    /// Two spaces, and 100 columns.
    fn default() -> Self {
        Self {
            indent: 2,
            width: 100,
        }
    }
}
