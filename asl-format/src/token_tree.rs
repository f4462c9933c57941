//! JSON as it is written: the values of a text, each with its own spelling.
use asl_path::json::{DEFAULT_MAX_DEPTH, Event, Events, JsonError};
use std::borrow::Cow;

/// A value as it is written.
#[derive(Debug)]
pub(crate) enum Node<'t> {
    /// A string, a number, a word, or a placeholder without quotes.
    Scalar(&'t str),
    /// An array.
    Array(Vec<Self>),
    /// An object.
    Object(Object<'t>),
}

/// An object as it is written, where fields may stand twice.
#[derive(Debug)]
pub(crate) struct Object<'t> {
    pub(crate) fields: Vec<Field<'t>>,
    /// True if it is to have a line for each field: its first one stands on a line of its own.
    pub(crate) is_open: bool,
}

/// A field of an object.
#[derive(Debug)]
pub(crate) struct Field<'t> {
    /// Name of the field.
    pub(crate) name: Cow<'t, str>,
    /// The same in its quotes.
    pub(crate) written: &'t str,
    pub(crate) value: Node<'t>,
}

/// A collection whose end is not reached, and the name of the field that it is in.
struct OpenCollection<'t> {
    node: Node<'t>,
    name: Option<(Cow<'t, str>, &'t str)>,
}

/// Reads a text.
pub(crate) fn read(text: &str) -> Result<Node<'_>, JsonError> {
    let mut events = Events::new(text, DEFAULT_MAX_DEPTH).with_placeholders();
    let mut open: Vec<OpenCollection<'_>> = Vec::new();
    let mut name = None;
    let mut root = Node::Scalar("");
    while let Some(event) = events.next().transpose()? {
        let at = events.offset();
        let finished = match event {
            Event::Name(called) => {
                name = Some((called, token(text, at)));
                continue;
            }
            Event::ObjectStart | Event::ArrayStart => {
                let node = match event {
                    Event::ObjectStart => Node::Object(Object {
                        fields: Vec::new(),
                        is_open: starts_a_line(text, at + 1),
                    }),
                    _ => Node::Array(Vec::new()),
                };
                let name = name.take();
                open.push(OpenCollection { node, name });
                continue;
            }
            Event::Scalar(_) => Some((Node::Scalar(token(text, at)), name.take())),
            Event::ObjectEnd | Event::ArrayEnd => open.pop().map(|it| (it.node, it.name)),
        };
        let Some((value, name)) = finished else {
            continue;
        };
        match (open.last_mut().map(|it| &mut it.node), name) {
            (Some(Node::Object(object)), Some((name, written))) => object.fields.push(Field {
                name,
                written,
                value,
            }),
            (Some(Node::Array(elements)), _) => elements.push(value),
            _ => root = value,
        }
    }
    Ok(root)
}

/// Returns true if the next token after a byte stands on another line.
fn starts_a_line(text: &str, at: usize) -> bool {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    let mut space = rest.iter().take_while(|byte| byte.is_ascii_whitespace());
    space.any(|byte| *byte == b'\n')
}

/// Returns the string, number, word or placeholder that begins at a byte of a text that was read.
fn token(text: &str, start: usize) -> &str {
    let rest = text.get(start..).unwrap_or_default();
    let length = match rest.as_bytes().first() {
        Some(b'"') => string_length(rest),
        Some(b'$') => rest.find('}').map_or(rest.len(), |end| end + 1),
        _ => rest
            .find([',', ']', '}', ' ', '\n', '\r', '\t'])
            .unwrap_or(rest.len()),
    };
    rest.get(..length).unwrap_or(rest)
}

/// Up to the quote that no backslash stands before.
fn string_length(text: &str) -> usize {
    let mut is_escaped = false;
    for (index, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return index + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns all tokens, in their order.
    fn tokens(node: &Node<'_>) -> Vec<String> {
        match node {
            Node::Scalar(text) => vec![(*text).to_owned()],
            Node::Array(elements) => elements.iter().flat_map(tokens).collect(),
            Node::Object(object) => {
                let fields = object.fields.iter();
                let all = fields.flat_map(|field| {
                    let name = field.written.to_owned();
                    std::iter::once(name).chain(tokens(&field.value))
                });
                all.collect()
            }
        }
    }

    #[test]
    fn spellings_stay() {
        let text = r#"{"a\"\\": [1.0,1e3 , -0], "a\u0062": ${X}, "ab": {"\u00e9": "\\", "x": [true,null]}}"#;
        assert_eq!(
            tokens(&read(text).unwrap()),
            [
                r#""a\"\\""#,
                "1.0",
                "1e3",
                "-0",
                r#""a\u0062""#,
                "${X}",
                r#""ab""#,
                r#""\u00e9""#,
                r#""\\""#,
                r#""x""#,
                "true",
                "null"
            ]
        );
    }

    #[test]
    fn names_are_known_by_what_they_mean() {
        let Ok(Node::Object(object)) = read("{\r\n\"\\u0054ype\": {}}") else {
            panic!("no object")
        };
        assert_eq!(object.fields[0].name, "Type");
        assert!(object.is_open);
        let Node::Object(inner) = &object.fields[0].value else {
            panic!("no object")
        };
        assert!(!inner.is_open);
    }
}
