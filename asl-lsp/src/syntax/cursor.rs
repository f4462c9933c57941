//! The syntax at the cursor.
use super::node::{Kind, Node, NodeId, Style};
use super::{Syntax, scalar};
use std::ops::Range;

/// A position in a text, relative to the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cursor {
    /// The collection, or what has no value yet, that it is in; None for the whole.
    pub(crate) container: Option<NodeId>,
    pub(crate) spot: Spot,
}

/// The kind of the position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Spot {
    /// A field name, or a place for one.
    Name(Word),
    /// A value, or a place for one.
    Value(Word),
    /// Nothing that could be said more about.
    Nothing,
}

/// The existing text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// The field or element.
    pub(crate) node: Option<NodeId>,
    /// Its bytes, without quotes.
    pub(crate) range: Range<usize>,
    /// The style of the text; None if there is none.
    pub(crate) style: Option<Style>,
}

impl Word {
    fn nothing(node: Option<NodeId>, offset: usize) -> Self {
        Self {
            node,
            range: offset..offset,
            style: None,
        }
    }
}

impl Syntax {
    /// The last node that begins at a place or before it.
    pub(crate) fn last_before(&self, offset: usize) -> Option<NodeId> {
        let next = self.nodes.partition_point(|node| node.start() <= offset);
        next.checked_sub(1)
    }

    /// Returns the innermost node at a place, with its name.
    pub(crate) fn node_at(&self, offset: usize) -> Option<NodeId> {
        let last = self.last_before(offset)?;
        let is_around = |node: &Node| node.start() <= offset && offset <= node.span.end;
        self.ancestors(last)
            .find(|id| self.node(*id).is_some_and(is_around))
    }

    /// Returns the syntax at an offset.
    pub(crate) fn cursor(&self, offset: usize) -> Cursor {
        let Some(last) = self.last_before(offset) else {
            return Cursor {
                container: None,
                spot: Spot::Nothing,
            };
        };
        for id in self.ancestors(last) {
            let Some(node) = self.node(id) else {
                break;
            };
            let found = match node.column {
                Some(_) => self.in_block(id, last, offset),
                None => self.in_flow(id, node, offset),
            };
            if let Some(cursor) = found {
                return cursor;
            }
        }
        self.in_lines(last, offset)
    }

    /// In a scalar, a name, or between brackets.
    fn in_flow(&self, id: NodeId, node: &Node, offset: usize) -> Option<Cursor> {
        let at = |container, spot| Some(Cursor { container, spot });
        if let Some(word) = self.word_of_name(id, node, offset) {
            return at(node.parent, Spot::Name(word));
        }
        match node.kind {
            Kind::Scalar(style) => {
                let range = scalar::content(&self.text, &node.span, style);
                let is_in = range.start <= offset && offset <= range.end;
                let word = Word {
                    node: Some(id),
                    range,
                    style: Some(style),
                };
                is_in.then_some(Cursor {
                    container: node.parent,
                    spot: Spot::Value(word),
                })
            }
            Kind::Missing => {
                let between = self.slice(node.span.start..offset);
                let is_here = offset >= node.span.start
                    && between.trim().is_empty()
                    && (offset <= node.span.end || !between.contains('\n'));
                let word = Word::nothing(Some(id), offset);
                is_here.then_some(Cursor {
                    container: node.parent,
                    spot: Spot::Value(word),
                })
            }
            Kind::NameAlone => None,
            Kind::Object | Kind::Array => {
                let is_closed = self.slice(node.span.clone()).ends_with(['}', ']']);
                let end = node.span.end - usize::from(is_closed && node.span.len() > 1);
                let is_in = node.span.start < offset && offset <= end;
                let word = Word::nothing(None, offset);
                let spot = match node.kind {
                    Kind::Object => Spot::Name(word),
                    _ => Spot::Value(word),
                };
                is_in.then_some(Cursor {
                    container: Some(id),
                    spot,
                })
            }
        }
    }

    fn word_of_name(&self, id: NodeId, node: &Node, offset: usize) -> Option<Word> {
        let name = node.name.as_ref()?;
        let range = scalar::content(&self.text, &name.span, name.style);
        (range.start <= offset && offset <= range.end).then_some(Word {
            node: Some(id),
            range,
            style: Some(name.style),
        })
    }

    /// In a block of YAML: its name, else by the column of a line that has nothing else yet.
    fn in_block(&self, id: NodeId, last: NodeId, offset: usize) -> Option<Cursor> {
        let node = self.node(id)?;
        if let Some(word) = self.word_of_name(id, node, offset) {
            return Some(Cursor {
                container: node.parent,
                spot: Spot::Name(word),
            });
        }
        let column = self.empty_column(offset)?;
        // What waits for a value comes first.
        if let Some(waiting) = self.node(last).filter(|it| it.kind == Kind::Missing)
            && let Some(outer) = waiting.parent.and_then(|parent| self.node(parent)?.column)
            && column > outer
        {
            return Some(Cursor {
                container: waiting.parent,
                spot: Spot::Value(Word::nothing(Some(last), offset)),
            });
        }
        (node.kind == Kind::Object && node.column? <= column).then_some(Cursor {
            container: Some(id),
            spot: Spot::Name(Word::nothing(None, offset)),
        })
    }

    /// Returns the number of spaces before an offset on its line, if the line has nothing else.
    fn empty_column(&self, offset: usize) -> Option<usize> {
        let before = self.slice(0..offset);
        let line = before.rsplit('\n').next().unwrap_or_default();
        let rest = self.slice(offset..self.text.len());
        let rest = rest.split('\n').next().unwrap_or_default();
        let is_empty = line.trim_start_matches(' ').is_empty() && rest.trim().is_empty();
        is_empty.then_some(line.len())
    }

    /// In no node: at the end of a text.
    fn in_lines(&self, last: NodeId, offset: usize) -> Cursor {
        let is_end = self.slice(offset..self.text.len()).trim().is_empty();
        let root = self.ancestors(last).last();
        let is_open =
            self.is_broken && root.is_some_and(|root| self.node(root).is_some_and(Node::is_object));
        match (is_end && is_open && !self.is_yaml, root) {
            (true, Some(root)) => Cursor {
                container: Some(root),
                spot: Spot::Name(Word::nothing(None, offset)),
            },
            _ => Cursor {
                container: None,
                spot: Spot::Nothing,
            },
        }
    }
}
