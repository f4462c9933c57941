//! Nodes of a text, with their ranges.
use std::ops::Range;

/// The number of a node: its place in the order of the text.
pub(crate) type NodeId = usize;

/// Kinds of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Object,
    Array,
    Scalar(Style),
    /// A field with a colon and nothing behind it.
    Missing,
    /// A name in an object, with nothing behind it, not even a colon.
    NameAlone,
}

/// Styles of scalars and names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// In double quotes.
    Double,
    /// In single quotes.
    Single,
    /// Without quotes: in YAML a text, or what JSON has no quotes for.
    Plain,
    /// A block of YAML whose lines have so many spaces before them.
    Literal(usize),
    /// The same where lines continue in the next one.
    Folded(usize),
}

/// The name of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name {
    /// With its quotes.
    pub(crate) span: Range<usize>,
    pub(crate) style: Style,
}

/// A value, with the name that it has in its object.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// The range with quotes or brackets; for missing parts, up to the next token.
    pub(crate) span: Range<usize>,
    pub(crate) name: Option<Name>,
    pub(crate) parent: Option<NodeId>,
    pub(crate) first_child: Option<NodeId>,
    pub(crate) last_child: Option<NodeId>,
    pub(crate) next: Option<NodeId>,
    /// Of a block of YAML, the column of its fields or dashes.
    pub(crate) column: Option<usize>,
}

impl Node {
    /// Returns the start, including the name.
    pub(crate) fn start(&self) -> usize {
        self.name
            .as_ref()
            .map_or(self.span.start, |name| name.span.start)
    }

    pub(crate) fn is_object(&self) -> bool {
        self.kind == Kind::Object
    }
}

/// Nodes of one text: more than ten for each line of the longest definition that the service takes. The rest of the text is not read.
const MOST_NODES: usize = 1 << 20;

/// Puts nodes together in the order in which they begin.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    pub(crate) nodes: Vec<Node>,
    /// True if something had to be passed over or was missing.
    pub(crate) is_broken: bool,
    open: Vec<NodeId>,
}

/// Bytes of a text for each node, about.
const BYTES_PER_NODE: usize = 16;

impl Builder {
    /// Returns a builder with room for the nodes of a text.
    pub(crate) fn of_text(text: &str) -> Self {
        Self {
            nodes: Vec::with_capacity((text.len() / BYTES_PER_NODE).min(MOST_NODES)),
            ..Self::default()
        }
    }

    /// Adds a value to the open collection.
    pub(crate) fn add(&mut self, kind: Kind, span: Range<usize>, name: Option<Name>) -> NodeId {
        let id = self.nodes.len();
        let parent = self.open.last().copied();
        self.is_broken |= matches!(kind, Kind::NameAlone);
        self.nodes.push(Node {
            kind,
            span,
            name,
            parent,
            first_child: None,
            last_child: None,
            next: None,
            column: None,
        });
        let before = parent.and_then(|parent| {
            let parent = self.nodes.get_mut(parent)?;
            parent.first_child.get_or_insert(id);
            parent.last_child.replace(id)
        });
        if let Some(before) = before.and_then(|before| self.nodes.get_mut(before)) {
            before.next = Some(id);
        }
        id
    }

    /// Adds a collection, and opens it.
    pub(crate) fn open(&mut self, kind: Kind, start: usize, name: Option<Name>) -> NodeId {
        let id = self.add(kind, start..start, name);
        self.open.push(id);
        id
    }

    /// Closes the innermost collection.
    pub(crate) fn close(&mut self, end: usize) {
        if let Some(node) = self.open.pop().and_then(|id| self.nodes.get_mut(id)) {
            node.span.end = end.max(node.span.start);
        }
    }

    /// Returns true once the rest of the text is ignored.
    pub(crate) fn is_full(&mut self) -> bool {
        let is_full = self.nodes.len() >= MOST_NODES;
        self.is_broken |= is_full;
        is_full
    }

    /// Returns the number of open collections.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Returns the innermost collection from `floor` on.
    pub(crate) fn innermost(&self, floor: usize) -> Option<&Node> {
        let id = self.open.get(floor..)?.last()?;
        self.nodes.get(*id)
    }
}
