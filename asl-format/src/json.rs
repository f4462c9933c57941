//! JSON: order of fields, and layout of lines.
use crate::layout;
use crate::order::Part;
use crate::token_tree::{self, Node};
use crate::{FormatError, Style};
use asl_model::Position;
use asl_path::json::JsonError;

/// Returns a text of JSON, formatted, with a line feed at its end.
pub(crate) fn format(text: &str, style: &Style) -> Result<String, FormatError> {
    let mut node = token_tree::read(text)?;
    let part = part(&node).ok_or(FormatError::NoDefinition)?;
    arrange(&mut node, part);
    if !matches!(&node, Node::Object(object) if object.is_open) {
        open_states(&mut node, part);
    }
    let printed = print(&node, style)?;
    Ok(match has_carriage_returns(text) {
        true => printed.replace('\n', "\r\n"),
        false => printed,
    })
}

/// Returns true if the first line ends as those of Windows do. Strings hold no breaks.
fn has_carriage_returns(text: &str) -> bool {
    let first = text.split_inclusive('\n').next().unwrap_or_default();
    first.ends_with("\r\n")
}

/// Returns a text of JSON with its fields as they are, but with new lines.
pub(crate) fn lay_out(text: &str, style: &Style) -> Result<String, FormatError> {
    let mut node = token_tree::read(text)?;
    if let Some(part) = part(&node) {
        open_states(&mut node, part);
    }
    print(&node, style)
}

/// Returns the kind of the whole text.
fn part(node: &Node<'_>) -> Option<Part> {
    match node {
        Node::Object(object) => Part::of_text(object.fields.iter().map(|field| &*field.name)),
        _ => None,
    }
}

fn print(node: &Node<'_>, style: &Style) -> Result<String, FormatError> {
    let mut printed = layout::print(node, style).ok_or(FormatError::TooLong)?;
    printed.push('\n');
    Ok(printed)
}

/// Puts the fields of a definition into their order.
fn arrange(node: &mut Node<'_>, part: Part) {
    if part == Part::Data {
        return;
    }
    match node {
        Node::Scalar(_) => {}
        Node::Array(elements) => {
            for element in elements {
                arrange(element, part.of_element());
            }
        }
        Node::Object(object) => {
            object.fields.sort_by_key(|field| part.rank(&field.name));
            for field in &mut object.fields {
                arrange(&mut field.value, part.of_field(&field.name));
            }
        }
    }
}

/// Gives machines and states a line for each field: the breaks of a text that begins without one were made by no person.
fn open_states(node: &mut Node<'_>, part: Part) {
    match node {
        Node::Array(elements) if part == Part::Branches => {
            for element in elements {
                open_states(element, Part::Machine);
            }
        }
        Node::Object(object) if matches!(part, Part::Machine | Part::States | Part::State) => {
            object.is_open = true;
            for field in &mut object.fields {
                open_states(&mut field.value, part.of_field(&field.name));
            }
        }
        _ => {}
    }
}

impl From<JsonError> for FormatError {
    fn from(error: JsonError) -> Self {
        Self::Unreadable {
            message: error.message,
            position: Position {
                line: error.line,
                column: error.column,
            },
        }
    }
}
