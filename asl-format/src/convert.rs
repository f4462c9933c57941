//! JSON to YAML and back.
use crate::token_tree::{self, Node};
use crate::yaml::{self, Extras};
use crate::{FormatError, MARK, Style, json};
use asl_model::{Options, unique_value_from_text};
use std::collections::HashSet;

/// Formats of texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers handle each")]
pub enum Format {
    /// JSON.
    Json,
    /// YAML.
    Yaml,
}

impl Format {
    /// Returns the format of a text: JSON if it starts with a brace, otherwise YAML.
    ///
    /// ```
    /// use asl_format::Format;
    /// assert_eq!(Format::of_text("StartAt: A\n").other(), Format::Json);
    /// ```
    pub fn of_text(text: &str) -> Self {
        match text.trim_start_matches(MARK).trim_start().starts_with('{') {
            true => Self::Json,
            false => Self::Yaml,
        }
    }

    /// Returns the other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Json => Self::Yaml,
            Self::Yaml => Self::Json,
        }
    }
}

/// A text in another format, and what of the first one that has no place for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conversion {
    /// The text, with a line feed at its end.
    pub text: String,
    /// Comments that the converted text does not have.
    pub lost_comments: usize,
    /// Tags, as `!Sub`, in whose place it has text with placeholders.
    pub lost_tags: usize,
}

/// Returns a text in JSON or YAML as the other of the two: the same value, its fields in the order that they have. What
/// aliases of YAML repeat is written out.
///
/// # Errors
/// Returns an error if the text cannot be read, or an object of it has a field twice.
///
/// ```
/// use asl_format::{Format, Style, convert};
/// let converted = convert("# Once a day.\nSeconds: 86400\nWhy: 'on'\n", Format::Json, &Style::default())?;
/// assert_eq!(converted.text, "{\"Seconds\": 86400, \"Why\": \"on\"}\n");
/// assert_eq!(converted.lost_comments, 1);
/// let again = convert(&converted.text, Format::Yaml, &Style::default())?;
/// assert_eq!(again.text, "Seconds: 86400\nWhy: 'on'\n");
/// # Ok::<(), asl_format::FormatError>(())
/// ```
pub fn convert(text: &str, to: Format, style: &Style) -> Result<Conversion, FormatError> {
    let text = text.strip_prefix(MARK).unwrap_or(text);
    let as_json;
    let mut extras = Extras::default();
    let source = match Format::of_text(text) {
        Format::Json => text,
        Format::Yaml => {
            let value = unique_value_from_text(text, Options::default())
                .map_err(|faults| FormatError::from_faults(&faults))?;
            extras = Extras::count(text);
            as_json = yaml::print_json(text, &value);
            &as_json
        }
    };
    let converted = match to {
        Format::Json => json::lay_out(source, style)?,
        Format::Yaml => {
            let node = token_tree::read(source)?;
            refuse_duplicates(&node, &mut String::new())?;
            let mut printed = yaml::print(&node, style.indent).ok_or(FormatError::TooLong)?;
            printed.push('\n');
            printed
        }
    };
    Ok(Conversion {
        text: converted,
        lost_comments: extras.comments,
        lost_tags: extras.tags,
    })
}

/// An object of YAML has each field once.
fn refuse_duplicates(node: &Node<'_>, pointer: &mut String) -> Result<(), FormatError> {
    let length = pointer.len();
    match node {
        Node::Scalar(_) => {}
        Node::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                pointer.push('/');
                pointer.push_str(&index.to_string());
                refuse_duplicates(element, pointer)?;
                pointer.truncate(length);
            }
        }
        Node::Object(object) => {
            let mut names = HashSet::new();
            for field in &object.fields {
                pointer.push('/');
                pointer.push_str(&asl_model::escaped_segment(&field.name));
                if !names.insert(&*field.name) {
                    return Err(FormatError::Duplicate {
                        name: field.name.clone().into_owned(),
                        pointer: pointer.clone(),
                    });
                }
                refuse_duplicates(&field.value, pointer)?;
                pointer.truncate(length);
            }
        }
    }
    Ok(())
}
