//! The two sides of a comparison.
use super::context::present;
use super::selection::View;
use super::{Context, Selection, find, select};
use crate::QueryError;
use crate::ast::{Operand, Origin, Pattern, Query};
use serde_json::Value;

/// The value of an operand at one node.
pub(super) enum Comparand<'a> {
    /// A path that leads nowhere; equal to nothing, not even to itself.
    Undefined,
    /// A literal, or a value of the document.
    Known(View<'a>),
    /// The selection of a path from the item.
    Found(Selection<'a>),
    Pattern(&'a Pattern),
}

/// The value of an operand that is one without being evaluated: a literal, or what fields and single indexes lead to (None
/// if they lead nowhere).
pub(super) fn at_hand<'a>(operand: &'a Operand, item: &'a Value) -> Option<Option<&'a Value>> {
    match operand {
        Operand::Literal(value) => Some(Some(value)),
        Operand::Path(Query {
            origin: Origin::Item,
            segments,
        }) if segments.plain => Some(find(&segments.list, item).ok()),
        Operand::Path(_) | Operand::Pattern(_) => None,
    }
}

impl<'a> Comparand<'a> {
    pub(super) fn from_operand(
        operand: &'a Operand,
        item: &'a Value,
        context: &'a Context<'_>,
    ) -> Result<Self, QueryError> {
        match operand {
            Operand::Literal(value) => Ok(Self::Known(View::Value(value))),
            Operand::Pattern(pattern) => Ok(Self::Pattern(pattern)),
            Operand::Path(query) => Self::from_query(query, item, context),
        }
    }

    fn from_query(
        query: &'a Query,
        item: &'a Value,
        context: &'a Context<'_>,
    ) -> Result<Self, QueryError> {
        let segments = &query.segments;
        Ok(match query.origin {
            Origin::Item if segments.plain => find(&segments.list, item)
                .map_or(Self::Undefined, |node| Self::Known(View::Value(node))),
            Origin::Item => {
                present(select(segments, item, context))?.map_or(Self::Undefined, Self::Found)
            }
            Origin::Document { slot } => context
                .document_value(slot, segments)?
                .map_or(Self::Undefined, Self::Known),
        })
    }

    /// Returns the value, if there is one.
    pub(super) fn view(&self) -> Option<View<'_>> {
        match self {
            Self::Known(view) => Some(*view),
            Self::Found(found) => Some(found.view()),
            Self::Undefined | Self::Pattern(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EvaluationLimits;
    use crate::ast::{Segment, Segments};
    use serde_json::json;
    use std::borrow::Cow;

    /// Nodes that contain each other would cost the depth of a document times its size.
    #[test]
    fn what_an_indefinite_path_finds_is_not_copied() {
        let item = json!({"a": {"b": [1, {"c": "x"}]}});
        let context = Context::new(&item, 1, EvaluationLimits::default());
        let query = |origin| {
            Operand::Path(Query {
                origin,
                segments: Segments::new(vec![Segment::Scan, Segment::Wildcard]),
            })
        };
        for origin in [Origin::Item, Origin::Document { slot: 0 }] {
            let operand = query(origin);
            let comparand = Comparand::from_operand(&operand, &item, &context).unwrap();
            let Some(View::Array(nodes)) = comparand.view() else {
                panic!("no array")
            };
            assert_eq!(nodes.len(), 5);
            assert!(nodes.iter().all(|node| matches!(node, Cow::Borrowed(_))));
        }
    }
}
