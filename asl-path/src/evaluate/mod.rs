//! Evaluation of segments on a document.
//!
//! The walk keeps pending nodes on its own stack, so the depth of a document and the length of a path use no thread stack.
//! Only filters and functions recurse, as deep as the parser allows them to nest.

mod budget;
mod compare;
mod context;
mod expression;
mod fault;
mod frame;
mod function;
mod operand;
mod selection;
mod walk;

pub(crate) use context::Context;
pub(crate) use selection::Selection;
use walk::{MissingFields, Walk};

use crate::QueryError;
use crate::ast::{Segment, Segments};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Returns the value of a definite path, or the array of what an indefinite one finds.
pub(crate) fn value<'v>(
    segments: &Segments,
    node: &'v Value,
    context: &Context<'_>,
) -> Result<Cow<'v, Value>, QueryError> {
    if segments.is_definite() {
        return select(segments, node, context).map(Selection::into_value);
    }
    let mut values = Vec::new();
    Walk::run(segments, node, context, MissingFields::Present, |node| {
        if values.len() == values.capacity() {
            context.budget.charge_values(values.len().max(4))?;
            values.reserve(values.len().max(4));
        }
        values.push(match node {
            Cow::Borrowed(node) => {
                context.budget.charge_content(node)?;
                node.clone()
            }
            // It was paid for when it was made.
            Cow::Owned(made) => made,
        });
        Ok(())
    })?;
    Ok(Cow::Owned(Value::Array(values)))
}

/// Returns the nodes that the segments select.
pub(crate) fn select<'v>(
    segments: &Segments,
    node: &'v Value,
    context: &Context<'_>,
) -> Result<Selection<'v>, QueryError> {
    if segments.plain {
        return match find(&segments.list, node) {
            Ok(node) => Ok(Selection::One(Cow::Borrowed(node))),
            Err((at, node)) => {
                context.budget.charge_fault(&segments.list, at, node)?;
                Err(fault::nothing_there(&segments.list, at, node))
            }
        };
    }
    if segments.is_definite() {
        let mut last = None;
        Walk::run(segments, node, context, MissingFields::Present, |node| {
            last = Some(node);
            Ok(())
        })?;
        return last
            .map(Selection::One)
            .ok_or_else(|| fault::no_results(&segments.list));
    }
    nodes(segments, node, context).map(Selection::Many)
}

/// Returns all nodes that the segments find.
pub(crate) fn nodes<'v>(
    segments: &Segments,
    node: &'v Value,
    context: &Context<'_>,
) -> Result<Vec<Cow<'v, Value>>, QueryError> {
    let mut values = Vec::new();
    Walk::run(segments, node, context, MissingFields::Present, |node| {
        if values.len() == values.capacity() {
            context.budget.charge_values(values.len().max(4))?;
            values.reserve(values.len().max(4));
        }
        values.push(node);
        Ok(())
    })?;
    Ok(values)
}

/// Returns the node of a path of fields and single indexes alone.
pub(crate) fn node<'v>(segments: &Segments, document: &'v Value) -> Option<&'v Value> {
    if !segments.plain {
        return None;
    }
    find(&segments.list, document).ok()
}

/// Returns the node that fields and single indexes lead to, without any allocation; or the segment and the node where the
/// way ends.
fn find<'v>(segments: &[Segment], document: &'v Value) -> Result<&'v Value, (usize, &'v Value)> {
    let mut node = document;
    for (at, segment) in segments.iter().enumerate() {
        let next = match (segment, node) {
            (Segment::Field { name, .. }, Value::Object(fields)) => field(fields, name),
            (Segment::Index(index), Value::Array(elements)) => element(elements, *index),
            _ => None,
        };
        node = next.ok_or((at, node))?;
    }
    Ok(node)
}

/// The same node, to write to it.
pub(crate) fn node_mut<'v>(segments: &Segments, document: &'v mut Value) -> Option<&'v mut Value> {
    let plain = segments.plain.then_some(&segments.list)?;
    plain
        .iter()
        .try_fold(document, |node, segment| match (segment, node) {
            (Segment::Field { name, .. }, Value::Object(fields)) => field_mut(fields, name),
            (Segment::Index(index), Value::Array(elements)) => {
                let position = position(elements.len(), *index)?;
                elements.get_mut(position)
            }
            _ => None,
        })
}

/// Returns true if both are paths of fields and single indexes that differ at a field: no node of one is inside a node of the
/// other.
pub(crate) fn are_apart(left: &Segments, right: &Segments) -> bool {
    let mut pairs = left.list.iter().zip(&right.list);
    let parting = pairs.find(|(left, right)| match (left, right) {
        (Segment::Field { name: left, .. }, Segment::Field { name: right, .. }) => left != right,
        _ => left != right,
    });
    let at_a_field = matches!(
        parting,
        Some((Segment::Field { .. }, Segment::Field { .. }))
    );
    left.plain && right.plain && at_a_field
}

/// Objects up to this size are searched name by name, which touches less memory than a look-up by hash.
const SMALL: usize = 8;

/// Returns the field of this name, found in an object of few fields without hashing the name.
///
/// ```
/// let order = serde_json::json!({"id": 7, "total": 20});
/// let total = order.as_object().and_then(|fields| asl_path::field(fields, "total"));
/// assert_eq!(total, Some(&serde_json::json!(20)));
/// ```
pub fn field<'v>(fields: &'v Map<String, Value>, name: &str) -> Option<&'v Value> {
    if fields.len() <= SMALL {
        return fields
            .iter()
            .find_map(|(other, value)| (other == name).then_some(value));
    }
    fields.get(name)
}

/// The same, to write to it.
pub(crate) fn field_mut<'v>(
    fields: &'v mut Map<String, Value>,
    name: &str,
) -> Option<&'v mut Value> {
    if fields.len() <= SMALL {
        return fields
            .iter_mut()
            .find_map(|(other, value)| (other == name).then_some(value));
    }
    fields.get_mut(name)
}

/// Returns the element at an index; a negative one counts from the end.
pub(crate) fn element(elements: &[Value], index: impl Into<i64>) -> Option<&Value> {
    elements.get(position(elements.len(), index)?)
}

/// Returns the position of an index in an array of this length.
pub(crate) fn position(length: usize, index: impl Into<i64>) -> Option<usize> {
    let index = index.into();
    match usize::try_from(index) {
        Ok(position) => Some(position),
        Err(_) => length.checked_sub(usize::try_from(index.unsigned_abs()).ok()?),
    }
}
