#![doc = include_str!("../README.md")]

mod convert;
mod error;
mod json;
mod layout;
mod order;
mod style;
mod text;
mod token_tree;
mod yaml;

pub use convert::{Conversion, Format, convert};
pub use error::FormatError;
pub use style::Style;
pub use yaml::UnsortedFields;

const MARK: char = '\u{feff}';

/// Returns a definition with the fields of its machines and states in the order that people expect, and, of JSON, with lines
/// that are indented and broken where that helps. It means the same, has the line breaks that the first of it is, and ends
/// with one.
///
/// Of YAML fields alone are moved, with their lines and the comments above them: see [`format_and_report`].
///
/// # Errors
/// The text is neither JSON nor YAML, or not a definition.
///
/// ```
/// use asl_format::{Style, format};
/// let text = r#"{"States": {"A": {"End": true, "Seconds": 1.0, "Type": "Wait"}}, "StartAt": "A"}"#;
/// let formatted = r#"{
///   "StartAt": "A",
///   "States": {
///     "A": {
///       "Type": "Wait",
///       "Seconds": 1.0,
///       "End": true
///     }
///   }
/// }
/// "#;
/// assert_eq!(format(text, &Style::default())?, formatted);
/// # Ok::<(), asl_format::FormatError>(())
/// ```
pub fn format(text: &str, style: &Style) -> Result<String, FormatError> {
    format_and_report(text, style).map(|(formatted, _)| formatted)
}

/// Formats a text like [`format`](format()), and reports the parts of a YAML text whose order is unchanged, with the reason.
///
/// # Errors
/// As [`format()`].
///
/// ```
/// use asl_format::{Style, format_and_report};
/// let text = "# The order's way.\nStates: {}\nStartAt: A\n";
/// let (formatted, kept) = format_and_report(text, &Style::default())?;
/// assert_eq!(formatted, text);
/// assert_eq!(kept[0].to_string(), "the fields of the state machine: a comment above the first field would move above another field");
/// # Ok::<(), asl_format::FormatError>(())
/// ```
pub fn format_and_report(
    text: &str,
    style: &Style,
) -> Result<(String, Vec<UnsortedFields>), FormatError> {
    let content = text.strip_prefix(MARK);
    let mark = content.map_or("", |_| "\u{feff}");
    let content = content.unwrap_or(text);
    let (formatted, kept) = match content.trim_start().starts_with('{') {
        true => (json::format(content, style)?, Vec::new()),
        false => yaml::reorder(content)?,
    };
    Ok((format!("{mark}{formatted}"), kept))
}
