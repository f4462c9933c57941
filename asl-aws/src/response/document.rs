//! XML documents as trees.
use crate::error::ResponseError;
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

/// Levels of elements that a document may have.
const MAX_NESTING: usize = 200;

/// An element.
#[derive(Debug, Default)]
pub(crate) struct Element {
    /// Its name without a prefix.
    pub(crate) name: String,
    /// Its attributes, without prefixes.
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) children: Vec<Self>,
    pub(crate) text: String,
}

impl Element {
    /// Returns the first child with a name.
    pub(crate) fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name == name)
    }

    pub(crate) fn children_named<'e>(&'e self, name: &'e str) -> impl Iterator<Item = &'e Self> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// Returns the text of a child.
    pub(crate) fn text_of(&self, name: &str) -> Option<&str> {
        self.child(name).map(|child| child.text.as_str())
    }
}

/// Parses a document, and returns its root. Document types and external entities are refused.
pub(crate) fn parse(bytes: &[u8]) -> Result<Element, ResponseError> {
    let text = std::str::from_utf8(bytes).map_err(|_| invalid("it is not UTF-8"))?;
    let mut reader = Reader::from_str(text);
    // The document itself is the outermost element.
    let mut open = vec![Element::default()];
    loop {
        match reader.read_event().map_err(invalid)? {
            Event::Start(start) => {
                if open.len() > MAX_NESTING {
                    return Err(invalid(format!(
                        "more than {MAX_NESTING} levels of elements"
                    )));
                }
                open.push(element(&start)?);
            }
            Event::Empty(start) => append(&mut open, element(&start)?),
            Event::End(_) => {
                if let Some(closed) = open.pop() {
                    append(&mut open, closed);
                }
            }
            Event::Text(text) => push_text(&mut open, &text),
            Event::CData(text) => push_text(&mut open, &text),
            Event::GeneralRef(reference) => {
                let text = unescape(&format!("&{};", &*reference))
                    .map_err(invalid)?
                    .into_owned();
                push_text(&mut open, &text);
            }
            Event::DocType(_) => return Err(invalid("it has a document type")),
            Event::Decl(_) | Event::PI(_) | Event::Comment(_) => {}
            Event::Eof => break,
        }
    }
    let document = open.into_iter().next();
    let mut roots = document.into_iter().flat_map(|document| document.children);
    match (roots.next(), roots.next()) {
        (Some(root), None) => Ok(root),
        _ => Err(invalid("it must have one element")),
    }
}

fn append(open: &mut Vec<Element>, closed: Element) {
    match open.last_mut() {
        Some(parent) => parent.children.push(closed),
        None => open.push(closed),
    }
}

fn push_text(open: &mut [Element], text: &str) {
    if let Some(element) = open.last_mut() {
        element.text.push_str(text);
    }
}

fn element(start: &BytesStart<'_>) -> Result<Element, ResponseError> {
    let mut attributes = Vec::new();
    for attribute in start.attributes() {
        let attribute = attribute.map_err(invalid)?;
        let value = unescape(&attribute.value).map_err(invalid)?.into_owned();
        attributes.push((attribute.key.local_name().as_ref().to_owned(), value));
    }
    Ok(Element {
        name: start.local_name().as_ref().to_owned(),
        attributes,
        ..Element::default()
    })
}

pub(crate) fn invalid(reason: impl ToString) -> ResponseError {
    ResponseError(reason.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_names_are_read() {
        let root = parse(br#"<?xml version="1.0"?><a:r xmlns:a="u" a:k="1&amp;2"><b>x &lt; &#65;</b><b><![CDATA[<]]></b><c/></a:r>"#);
        let root = root.unwrap();
        assert_eq!(root.name, "r");
        assert_eq!(root.attributes[1], ("k".to_owned(), "1&2".to_owned()));
        let texts: Vec<&str> = root
            .children_named("b")
            .map(|it| it.text.as_str())
            .collect();
        assert_eq!(texts, ["x < A", "<"]);
        assert!(root.child("c").is_some());
    }

    #[test]
    fn what_is_no_document_is_refused() {
        let deep = "<a>".repeat(100_000);
        let unknown = "<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>";
        for text in [
            "",
            "x",
            "<a>",
            "<a></b>",
            "<a/><b/>",
            "<a>&nothing;</a>",
            unknown,
            &deep,
        ] {
            assert!(parse(text.as_bytes()).is_err(), "{text:.20}");
        }
        assert!(parse(b"<a>\xff</a>").is_err());
    }
}
