//! The style of formatted text.

/// The style of formatted text.
///
/// ```
/// use asl_format::{Style, format};
/// let wide = Style::default().with_indent(4);
/// assert_eq!(format("{\n\"StartAt\":\"A\"}", &wide).unwrap(), "{\n    \"StartAt\": \"A\"\n}\n");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Style {
    /// Spaces that each level is indented by.
    pub indent: usize,
    /// Columns that objects and arrays on one line may take.
    pub width: usize,
}

asl_path::with_methods! {
    impl Style {
        with_indent(indent: usize),
        with_width(width: usize),
    }
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
