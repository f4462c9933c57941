//! From segments and a document to nodes.
//!
//! The walk keeps what is left to visit on a stack of its own: neither the depth of a document nor the length of a path
//! uses the thread's stack.

mod fault;
mod frame;
mod walk;

pub(crate) use walk::Walk;

use crate::QueryError;
use crate::ast::Segment;
use serde_json::Value;

/// The node that fields and single indexes lead to; the way of most paths, without any allocation.
pub(crate) fn follow<'v>(
    segments: &[Segment],
    document: &'v Value,
) -> Result<&'v Value, QueryError> {
    let mut node = document;
    for (at, segment) in segments.iter().enumerate() {
        let next = match (segment, node) {
            (Segment::Field { name, .. }, Value::Object(fields)) => fields.get(name),
            (Segment::Index(index), Value::Array(elements)) => element(elements, *index),
            _ => None,
        };
        node = next.ok_or_else(|| fault::nothing_there(segments, at, node))?;
    }
    Ok(node)
}

/// The element at an index; a negative one counts from the end.
pub(crate) fn element(elements: &[Value], index: impl Into<i64>) -> Option<&Value> {
    elements.get(position(elements.len(), index)?)
}

/// Where in an array of this length an index points.
pub(crate) fn position(length: usize, index: impl Into<i64>) -> Option<usize> {
    let index = index.into();
    match usize::try_from(index) {
        Ok(position) => Some(position),
        Err(_) => length.checked_sub(usize::try_from(index.unsigned_abs()).ok()?),
    }
}
