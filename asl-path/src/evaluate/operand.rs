//! The two sides of a comparison.
use super::context::present;
use super::{Context, find, value};
use crate::QueryError;
use crate::ast::{Operand, Origin, Pattern, Query};
use serde_json::Value;
use std::borrow::Cow;

/// What an operand stands for at one node.
pub(super) enum Comparand<'a> {
    /// A path that leads nowhere; equal to nothing, not even to itself.
    Undefined,
    Value(Cow<'a, Value>),
    Pattern(&'a Pattern),
}

impl<'a> Comparand<'a> {
    pub(super) fn of(
        operand: &'a Operand,
        item: &'a Value,
        context: &'a Context<'_>,
    ) -> Result<Self, QueryError> {
        Ok(match operand {
            Operand::Literal(value) => Self::Value(Cow::Borrowed(value)),
            Operand::Pattern(pattern) => Self::Pattern(pattern),
            Operand::Path(query) => {
                Self::found(query, item, context)?.map_or(Self::Undefined, Self::Value)
            }
        })
    }

    fn found(
        query: &'a Query,
        item: &'a Value,
        context: &'a Context<'_>,
    ) -> Result<Option<Cow<'a, Value>>, QueryError> {
        let segments = &query.segments;
        match query.origin {
            Origin::Item if segments.plain => {
                Ok(find(&segments.list, item).ok().map(Cow::Borrowed))
            }
            Origin::Item => present(value(segments, item, context)),
            Origin::Document { slot } => {
                Ok(context.document_value(slot, segments)?.map(Cow::Borrowed))
            }
        }
    }

    /// The value, if there is one.
    pub(super) fn value(&self) -> Option<&Value> {
        match self {
            Self::Value(value) => Some(value),
            Self::Undefined | Self::Pattern(_) => None,
        }
    }
}
