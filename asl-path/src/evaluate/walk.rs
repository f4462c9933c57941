//! The walk over a document: every node that a path finds, in order.
use super::expression::{accepts, terms};
use super::frame::{Frame, Next, Nodes};
use super::{Context, element, fault, field, function};
use crate::QueryError;
use crate::ast::{Function, Segment, Segments};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Treatment of missing fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MissingFields {
    /// Only missing fields in the definite start of the path are errors.
    Present,
    /// All: so Jayway asks whether a path exists.
    All,
}

/// One evaluation of some segments.
pub(crate) struct Walk<'p, 'c, 'd, 'v, F> {
    segments: &'p [Segment],
    definite: usize,
    context: &'c Context<'d>,
    wanted: MissingFields,
    stack: Vec<Frame<'p, 'v>>,
    found: F,
}

impl<'p, 'c, 'd, 'v, F: FnMut(Cow<'v, Value>) -> Result<(), QueryError>> Walk<'p, 'c, 'd, 'v, F> {
    /// Calls `found` with every node, in order.
    pub(crate) fn run(
        segments: &'p Segments,
        node: &'v Value,
        context: &'c Context<'d>,
        wanted: MissingFields,
        found: F,
    ) -> Result<(), QueryError> {
        let (list, definite) = (segments.list.as_slice(), segments.definite);
        Walk {
            segments: list,
            definite,
            context,
            wanted,
            stack: Vec::new(),
            found,
        }
        .from(node)
    }

    fn from(mut self, node: &'v Value) -> Result<(), QueryError> {
        self.visit(node, 0)?;
        while let Some(frame) = self.stack.last_mut() {
            let segment = frame.segment;
            match frame.nodes.next() {
                Next::Node(node) => self.visit(node, segment)?,
                Next::Candidate(node, filter) => {
                    if accepts(filter, node, self.context)? {
                        self.visit(node, segment)?;
                    }
                }
                Next::Missing(object) => self.nothing_there(segment - 1, object)?,
                Next::End => {
                    self.stack.pop();
                }
            }
        }
        Ok(())
    }

    /// Applies the segments from `at` on to a node, leaving all but one way for later.
    fn visit(&mut self, node: &'v Value, at: usize) -> Result<(), QueryError> {
        let (mut node, mut at) = (node, at);
        while let Some(segment) = self.segments.get(at) {
            let next = match (segment, node) {
                (Segment::Field { name, .. }, Value::Object(fields)) => field(fields, name),
                (Segment::Index(index), Value::Array(elements)) => element(elements, *index),
                (Segment::Scan, _) => match self.scan(node, at)? {
                    Some((next, skipped)) => {
                        at += skipped;
                        Some(next)
                    }
                    None => return Ok(()),
                },
                (Segment::Filter(filter), Value::Object(_)) => {
                    self.context.budget.charge_steps(terms(filter))?;
                    match accepts(filter, node, self.context)? {
                        true => Some(node),
                        false => return Ok(()),
                    }
                }
                (Segment::Function(function), _) => return self.call(function, node, at),
                _ => return self.branch(segment, node, at),
            };
            match next {
                Some(next) => node = next,
                None => return self.nothing_there(at, node),
            }
            at += 1;
        }
        (self.found)(Cow::Borrowed(node))
    }

    /// Pays for continuing from so many nodes with the segments from `at` on, up to the next that leads to several.
    fn charge(&self, nodes: usize, at: usize) -> Result<(), QueryError> {
        let rest = self.segments.get(at..).unwrap_or_default();
        let single = rest
            .iter()
            .take_while(|segment| matches!(segment, Segment::Field { .. } | Segment::Index(_)));
        let steps = nodes.saturating_mul(1 + single.count());
        self.context.budget.charge_steps(steps)
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
                return self.gather(names, fields);
            }
            (Segment::Fields { names, .. }, Value::Object(_)) => Nodes::Named(node, names.iter()),
            (Segment::Indexes(indexes), Value::Array(elements)) => {
                Nodes::At(elements, indexes.iter())
            }
            (Segment::Slice { from, to }, Value::Array(elements)) => {
                let (tail, head) = slice(*from, *to, elements);
                Nodes::Slice(tail.iter().chain(head))
            }
            (Segment::Filter(filter), Value::Array(elements)) => {
                Nodes::Candidates(elements.iter(), filter)
            }
            _ => return self.nothing_there(at, node),
        };
        self.charge(nodes.cost(), at + 1)?;
        self.stack.push(Frame {
            segment: at + 1,
            nodes,
        });
        Ok(())
    }

    /// `['a', 'b']` at the end of a path: one object with those that are there.
    fn gather(&mut self, names: &[String], fields: &Map<String, Value>) -> Result<(), QueryError> {
        let budget = &self.context.budget;
        budget.charge_steps(names.len())?;
        if self.wanted == MissingFields::All && !names.iter().all(|name| fields.contains_key(name))
        {
            return Err(fault::no_results(self.segments));
        }
        let mut gathered = Map::new();
        for name in names {
            if let Some(value) = fields.get(name) {
                budget.charge_values(1)?;
                budget.charge_memory(name.len())?;
                budget.charge_copy(value)?;
                gathered.insert(name.clone(), value.clone());
            }
        }
        (self.found)(Cow::Owned(Value::Object(gathered)))
    }

    /// Postpones the children. If the next segment selects something at this node, returns it with the number of segments
    /// after the scan that are done.
    fn scan(
        &mut self,
        node: &'v Value,
        at: usize,
    ) -> Result<Option<(&'v Value, usize)>, QueryError> {
        let (nodes, count) = match node {
            Value::Array(elements) => (Nodes::Branches(elements.iter()), elements.len()),
            Value::Object(fields) => (Nodes::MemberBranches(fields.values()), fields.len()),
            _ => return Ok(None),
        };
        self.context
            .budget
            .charge_steps(count + self.segments.len())?;
        self.stack.push(Frame { segment: at, nodes });
        let fits = match (self.segments.get(at + 1), node) {
            (Some(Segment::Field { name, .. }), Value::Object(fields)) => match field(fields, name)
            {
                Some(value) => return Ok(Some((value, 1))),
                None => self.wanted == MissingFields::All,
            },
            (Some(Segment::Filter(filter)), _) => {
                self.context.budget.charge_steps(terms(filter))?;
                let accepted = accepts(filter, node, self.context)?;
                if accepted && node.is_object() {
                    return Ok(Some((node, 1)));
                }
                accepted
            }
            (Some(Segment::Fields { names, .. }), Value::Object(fields)) => {
                self.context.budget.charge_steps(names.len())?;
                let at_end = at + 2 == self.segments.len();
                !at_end
                    || self.wanted == MissingFields::All
                    || names.iter().all(|name| fields.contains_key(name))
            }
            (Some(Segment::Wildcard), _) => true,
            (
                Some(Segment::Index(_) | Segment::Indexes(_) | Segment::Slice { .. }),
                Value::Array(_),
            ) => true,
            _ => false,
        };
        Ok(fits.then_some((node, 0)))
    }

    /// The result of a function is found, and the rest of the path applies to it.
    fn call(&mut self, function: &Function, node: &Value, at: usize) -> Result<(), QueryError> {
        let result = function::call(function, node, self.context)?;
        let rest = self.segments.get(at + 1..).unwrap_or_default();
        if rest.is_empty() {
            return (self.found)(Cow::Owned(result));
        }
        let budget = &self.context.budget;
        budget.charge_copy(&result)?;
        (self.found)(Cow::Owned(result.clone()))?;
        let own = &mut self.found;
        let found: &mut dyn FnMut(Cow<'_, Value>) -> Result<(), QueryError> = &mut |node| {
            budget.charge_copy(&node)?;
            own(Cow::Owned(node.into_owned()))
        };
        Walk {
            segments: rest,
            definite: self.definite.saturating_sub(at + 1),
            context: self.context,
            wanted: self.wanted,
            stack: Vec::new(),
            found,
        }
        .from(&result)
    }

    /// Fails if a segment must find something at a node; an array that is too short is never a fault.
    fn nothing_there(&self, at: usize, node: &Value) -> Result<(), QueryError> {
        let budget = &self.context.budget;
        let segment = self.segments.get(at);
        let field_is_missing = node.is_object()
            && matches!(
                segment,
                Some(Segment::Field { .. } | Segment::Fields { .. })
            );
        if self.wanted == MissingFields::All && field_is_missing {
            budget.charge_steps(self.segments.len())?;
            return Err(fault::no_results(self.segments));
        }
        let in_definite = at < self.definite || (at == self.definite && !field_is_missing);
        let too_short = node.is_array() && matches!(segment, Some(Segment::Index(_)));
        let at_end = field_is_missing && at + 1 == self.segments.len();
        if !in_definite || too_short || at_end {
            return Ok(());
        }
        budget.charge_fault(self.segments, at, node)?;
        Err(fault::nothing_there(self.segments, at, node))
    }
}

/// Returns the elements of a slice, in two parts: with a negative first and some last index Jayway continues from the end of
/// the array to its beginning.
fn slice(from: Option<i32>, to: Option<i32>, elements: &[Value]) -> (&[Value], &[Value]) {
    let length = i64::try_from(elements.len()).unwrap_or(i64::MAX);
    let part = |first: i64, last: i64| {
        let bound = |index: i64| usize::try_from(index.clamp(0, length)).unwrap_or_default();
        elements.get(bound(first)..bound(last)).unwrap_or_default()
    };
    let from_end = |index: i64| if index < 0 { length + index } else { index };
    match (from.map(i64::from), to.map(i64::from)) {
        (Some(from), Some(to)) if from < 0 => {
            (part(length + from, length + to.min(0)), part(0, to))
        }
        (Some(from), Some(to)) => (part(from, to), &[]),
        (from, to) => (
            part(from.map_or(0, from_end), to.map_or(length, from_end)),
            &[],
        ),
    }
}
