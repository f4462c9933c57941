//! Calls that a function ends with.
use crate::syntax::{Node, NodeKind};

/// Marks the calls at the end of a function's body. A call with predicates is not at the end, because they follow it.
pub(super) fn mark(body: &mut Node) {
    let predicates = body
        .postfix
        .as_ref()
        .is_some_and(|postfix| !postfix.predicates.is_empty());
    match &mut body.kind {
        NodeKind::Call(call) => call.tail = !predicates,
        NodeKind::Condition {
            then, otherwise, ..
        } => {
            mark(then);
            if let Some(otherwise) = otherwise {
                mark(otherwise);
            }
        }
        NodeKind::Block { expressions, .. } => {
            if let Some(last) = expressions.last_mut() {
                mark(last);
            }
        }
        _ => {}
    }
}
