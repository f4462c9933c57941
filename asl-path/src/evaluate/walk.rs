//! The walk over a document: every node that a path finds, in order.
use super::frame::{Frame, Next, Nodes};
use super::{element, fault};
use crate::QueryError;
use crate::ast::Segment;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// One evaluation of some segments.
pub(crate) struct Walk<'p, 'v, F> {
    segments: &'p [Segment],
    /// How many segments from the first name at most one node each: only there is a missing node a fault.
    definite: usize,
    stack: Vec<Frame<'p, 'v>>,
    found: F,
}

impl<'p, 'v, F: FnMut(Cow<'v, Value>)> Walk<'p, 'v, F> {
    /// Calls `found` with every node, in order.
    pub(crate) fn run(
        segments: &'p [Segment],
        definite: usize,
        document: &'v Value,
        found: F,
    ) -> Result<(), QueryError> {
        let mut walk = Self {
            segments,
            definite,
            stack: Vec::new(),
            found,
        };
        walk.visit(document, 0)?;
        while let Some(frame) = walk.stack.last_mut() {
            let segment = frame.segment;
            match frame.nodes.next() {
                Next::Node(node) => walk.visit(node, segment)?,
                Next::Missing => {}
                Next::End => {
                    walk.stack.pop();
                }
            }
        }
        Ok(())
    }

    /// Applies the segments from `at` on to a node, leaving all but one way for later.
    fn visit(&mut self, node: &'v Value, at: usize) -> Result<(), QueryError> {
        let mut node = node;
        let mut at = at;
        while let Some(segment) = self.segments.get(at) {
            let next = match (segment, node) {
                (Segment::Field { name, .. }, Value::Object(fields)) => fields.get(name),
                (Segment::Index(index), Value::Array(elements)) => element(elements, *index),
                (Segment::Scan, _) => self.scan(node, at),
                _ => return self.branch(segment, node, at),
            };
            match next {
                Some(next) => node = next,
                None if matches!(segment, Segment::Scan) => return Ok(()),
                None => return self.nothing_there(at, node),
            }
            at += 1;
        }
        (self.found)(Cow::Borrowed(node));
        Ok(())
    }

    /// Segments that lead to several nodes, and those that do not fit the node.
    fn branch(
        &mut self,
        segment: &'p Segment,
        node: &'v Value,
        at: usize,
    ) -> Result<(), QueryError> {
        let nodes = match (segment, node) {
            (Segment::Wildcard, _) => match Nodes::children(node) {
                Some(nodes) => nodes,
                None => return Ok(()),
            },
            (Segment::Fields { names, .. }, Value::Object(fields))
                if at + 1 == self.segments.len() =>
            {
                (self.found)(Cow::Owned(gathered(names, fields)));
                return Ok(());
            }
            (Segment::Fields { names, .. }, Value::Object(_)) => Nodes::Named(node, names.iter()),
            (Segment::Indexes(indexes), Value::Array(elements)) => {
                Nodes::At(elements, indexes.iter())
            }
            (Segment::Slice { from, to }, Value::Array(elements)) => {
                return self.slice(*from, *to, elements, at);
            }
            _ => return self.nothing_there(at, node),
        };
        self.stack.push(Frame {
            segment: at + 1,
            nodes,
        });
        Ok(())
    }

    /// A slice with a negative first and any last index takes elements from the end and then from the beginning, as Jayway.
    fn slice(
        &mut self,
        from: Option<i32>,
        to: Option<i32>,
        elements: &'v [Value],
        at: usize,
    ) -> Result<(), QueryError> {
        let length = i64::try_from(elements.len()).unwrap_or(i64::MAX);
        let range = |first: i64, last: i64| {
            let bound = |index: i64| usize::try_from(index.clamp(0, length)).unwrap_or_default();
            elements
                .get(bound(first)..bound(last))
                .unwrap_or_default()
                .iter()
        };
        let segment = at + 1;
        let (from, to) = (from.map(i64::from), to.map(i64::from));
        match (from, to) {
            (Some(from), Some(to)) if from < 0 => {
                let head = Nodes::Elements(range(0, to));
                self.stack.push(Frame {
                    segment,
                    nodes: head,
                });
                self.stack.push(Frame {
                    segment,
                    nodes: Nodes::Elements(range(length + from, length + to.min(0))),
                });
            }
            (Some(from), Some(to)) => self.stack.push(Frame {
                segment,
                nodes: Nodes::Elements(range(from, to)),
            }),
            (from, to) => {
                let from_end = |index: i64| if index < 0 { length + index } else { index };
                let nodes = range(from.map_or(0, from_end), to.map_or(length, from_end));
                self.stack.push(Frame {
                    segment,
                    nodes: Nodes::Elements(nodes),
                });
            }
        }
        Ok(())
    }

    /// Leaves the children for later; the node itself where the next segment has something there.
    fn scan(&mut self, node: &'v Value, at: usize) -> Option<&'v Value> {
        let nodes = Nodes::children(node)?;
        self.stack.push(Frame { segment: at, nodes });
        let fits = match (self.segments.get(at + 1)?, node) {
            (Segment::Wildcard, _) => true,
            (Segment::Field { name, .. }, Value::Object(fields)) => fields.contains_key(name),
            (Segment::Fields { names, .. }, Value::Object(fields)) => {
                at + 2 < self.segments.len() || names.iter().all(|name| fields.contains_key(name))
            }
            (Segment::Index(_) | Segment::Indexes(_) | Segment::Slice { .. }, Value::Array(_)) => {
                true
            }
            _ => false,
        };
        fits.then_some(node)
    }

    /// Only after a definite beginning is this a fault, and never where an array is too short.
    fn nothing_there(&self, at: usize, node: &Value) -> Result<(), QueryError> {
        if at > self.definite || node.is_array() {
            return Ok(());
        }
        Err(fault::nothing_there(self.segments, at, node))
    }
}

/// `['a', 'b']` at the end of a path: one object with those that are there.
fn gathered(names: &[String], fields: &Map<String, Value>) -> Value {
    let present = names
        .iter()
        .filter_map(|name| fields.get(name).map(|value| (name.clone(), value.clone())));
    Value::Object(present.collect())
}
