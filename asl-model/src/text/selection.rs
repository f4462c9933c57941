//! Selection of the parts of a text on the way to some JSON pointers, so that the rest is read and not kept.
use super::Event;
use crate::location::segments;
use asl_path::json;
use std::borrow::Cow;
use std::collections::HashMap;

/// JSON pointers as a tree of their segments.
#[derive(Debug, Default)]
pub(super) struct PointerTree {
    /// Children of each node by segment; the first node is the whole text.
    nodes: Vec<HashMap<String, usize>>,
}

/// The node of the whole text.
const ROOT: usize = 0;

impl PointerTree {
    pub(super) fn new<'p>(pointers: impl Iterator<Item = Cow<'p, str>>) -> Self {
        let mut tree = Self {
            nodes: vec![HashMap::new()],
        };
        for pointer in pointers {
            let mut node = ROOT;
            for segment in segments(&pointer) {
                node = tree.add(node, &segment);
            }
        }
        tree
    }

    fn add(&mut self, node: usize, segment: &str) -> usize {
        let next = self.nodes.len();
        let Some(children) = self.nodes.get_mut(node) else {
            return node;
        };
        if let Some(child) = children.get(segment) {
            return *child;
        }
        children.insert(segment.to_owned(), next);
        self.nodes.push(HashMap::new());
        next
    }

    fn child(&self, node: usize, segment: &str) -> Option<usize> {
        self.nodes.get(node)?.get(segment).copied()
    }
}

/// A collection whose end has not been read.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) node: usize,
    pub(super) is_array: bool,
    /// Its node in the tree of pointers, if there is a tree.
    pub(super) pointer: usize,
    pub(super) last_child: usize,
    /// Number of children so far.
    pub(super) children: usize,
}

impl Open {
    pub(super) fn new(node: usize, is_array: bool, pointer: usize) -> Self {
        Self {
            node,
            is_array,
            pointer,
            last_child: 0,
            children: 0,
        }
    }
}

/// The selection, as a text is read.
pub(super) struct Selection<'p> {
    pointers: Option<&'p PointerTree>,
    /// Open collections of which nothing is selected.
    skipped: usize,
    /// The node of the value that comes next; None if nothing in it is selected.
    next: Option<usize>,
}

impl<'p> Selection<'p> {
    pub(super) fn new(pointers: Option<&'p PointerTree>) -> Self {
        Self {
            pointers,
            skipped: 0,
            next: None,
        }
    }

    /// Returns true if an event belongs to a part that is not selected.
    pub(super) fn skips(&mut self, event: &Event<'_>, open: &[Open]) -> bool {
        let Some(pointers) = self.pointers else {
            return false;
        };
        let starts = matches!(
            event,
            Event::Json(json::Event::ObjectStart | json::Event::ArrayStart)
        );
        let ends = matches!(
            event,
            Event::Json(json::Event::ObjectEnd | json::Event::ArrayEnd)
        );
        if self.skipped > 0 {
            self.skipped += usize::from(starts);
            self.skipped -= usize::from(ends);
            return true;
        }
        let Some(parent) = open.last() else {
            return false;
        };
        let child = |segment: &str| pointers.child(parent.pointer, segment);
        match event {
            Event::Json(json::Event::Name(name)) => self.next = child(name),
            Event::Merge => self.next = child("<<"),
            _ if ends || matches!(event, Event::Anchor(_)) => return false,
            // All elements are kept: they are found by their number.
            _ if parent.is_array => {
                self.next = child(&parent.children.to_string());
                return false;
            }
            _ if self.next.is_none() => {
                self.skipped += usize::from(starts);
                return true;
            }
            _ => return false,
        }
        self.next.is_none()
    }

    /// Returns the node of a collection that begins; None if nothing in it is selected.
    pub(super) fn enter(&mut self, parent: Option<&Open>) -> Option<usize> {
        if self.pointers.is_none() || parent.is_none() {
            return Some(ROOT);
        }
        let node = self.next.take();
        self.skipped += usize::from(node.is_none());
        node
    }
}
