//! A text as a tree, of which all is there that can be read: texts are broken while one types.
//!
//! JSON, YAML, and JSON in a block of YAML, as templates have it, are one tree with places in the one text. Time grows with the text,
//! and nothing calls itself.

mod block;
mod cursor;
mod flow;
mod node;
mod scalar;
#[cfg(test)]
mod tests;

pub(crate) use cursor::{Spot, Word};
pub(crate) use node::{Kind, Node, NodeId, Style};
pub(crate) use scalar::{DecodedText, encoded};

use node::Builder;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// A text and its nodes, in the order in which they begin.
#[derive(Debug, Clone, Default)]
pub(crate) struct Syntax {
    text: Arc<str>,
    nodes: Vec<Node>,
    is_yaml: bool,
    is_broken: bool,
}

impl Syntax {
    /// Reads a text; one that does not begin with a brace is YAML, an empty one where `is_yaml` says so.
    pub(crate) fn new(text: &str, is_yaml: bool) -> Self {
        let begin = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
        let is_yaml = match begin.is_empty() {
            true => is_yaml,
            false => !begin.starts_with(['{', '[', '"']),
        };
        let mut builder = Builder::of_text(text);
        match is_yaml {
            true => block::read(text, &mut builder),
            false => {
                flow::read(text, 0..text.len(), flow::Flow::Json, None, &mut builder);
            }
        }
        Self {
            text: text.into(),
            is_yaml,
            is_broken: builder.is_broken || builder.nodes.is_empty(),
            nodes: builder.nodes,
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn is_yaml(&self) -> bool {
        self.is_yaml
    }

    /// Returns true if something is missing or too much.
    pub(crate) fn is_broken(&self) -> bool {
        self.is_broken
    }

    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(crate) fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id)
    }

    pub(crate) fn slice(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    /// Returns the children of a collection.
    pub(crate) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let first = self.node(id).and_then(|node| node.first_child);
        std::iter::successors(first, |child| self.node(*child)?.next)
    }

    /// Returns a node and all around it, from the inside.
    pub(crate) fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(id), |node| self.node(*node)?.parent)
    }

    /// Returns the name of a field; empty for an element.
    pub(crate) fn name(&self, id: NodeId) -> Cow<'_, str> {
        let name = self.node(id).and_then(|node| node.name.as_ref());
        name.map_or(Cow::Borrowed(""), |name| {
            scalar::decode(&self.text, &name.span, name.style).text
        })
    }

    /// Returns the range of a field's name, without quotes.
    pub(crate) fn name_range(&self, id: NodeId) -> Option<Range<usize>> {
        let name = self.node(id)?.name.as_ref()?;
        Some(scalar::content(&self.text, &name.span, name.style))
    }

    /// Returns the decoded text of a scalar.
    pub(crate) fn decoded(&self, id: NodeId) -> Option<DecodedText<'_>> {
        let node = self.node(id)?;
        match node.kind {
            Kind::Scalar(style) => Some(scalar::decode(&self.text, &node.span, style)),
            _ => None,
        }
    }

    /// The same without its places.
    pub(crate) fn value(&self, id: NodeId) -> Option<Cow<'_, str>> {
        self.decoded(id).map(|decoded| decoded.text)
    }

    /// Returns the range of a scalar's text, without quotes.
    pub(crate) fn value_range(&self, id: NodeId) -> Option<Range<usize>> {
        let node = self.node(id)?;
        match node.kind {
            Kind::Scalar(style) => Some(scalar::content(&self.text, &node.span, style)),
            _ => None,
        }
    }

    /// Returns the field of that name.
    pub(crate) fn get(&self, object: NodeId, name: &str) -> Option<NodeId> {
        self.children(object)
            .find(|child| self.name(*child) == name)
    }

    /// Returns the text of a field.
    pub(crate) fn text_of(&self, object: NodeId, name: &str) -> Option<Cow<'_, str>> {
        self.value(self.get(object, name)?)
    }
}
