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
    /// A literal, or a node of the document.
    Borrowed(&'a Value),
    /// What an indefinite path or a function made.
    Owned(Box<Value>),
    Pattern(&'a Pattern),
}

impl<'a> Comparand<'a> {
    pub(super) fn of(
        operand: &'a Operand,
        item: &'a Value,
        context: &'a Context<'_>,
    ) -> Result<Self, QueryError> {
        match operand {
            Operand::Literal(value) => Ok(Self::Borrowed(value)),
            Operand::Pattern(pattern) => Ok(Self::Pattern(pattern)),
            Operand::Path(query) => Self::found(query, item, context),
        }
    }

    fn found(
        query: &'a Query,
        item: &'a Value,
        context: &'a Context<'_>,
    ) -> Result<Self, QueryError> {
        let segments = &query.segments;
        Ok(match query.origin {
            Origin::Item if segments.plain => {
                find(&segments.list, item).map_or(Self::Undefined, Self::Borrowed)
            }
            Origin::Item => match present(value(segments, item, context))? {
                None => Self::Undefined,
                Some(Cow::Borrowed(value)) => Self::Borrowed(value),
                Some(Cow::Owned(value)) => Self::Owned(Box::new(value)),
            },
            Origin::Document { slot } => context
                .document_value(slot, segments)?
                .map_or(Self::Undefined, Self::Borrowed),
        })
    }

    /// The value, if there is one.
    pub(super) fn value(&self) -> Option<&Value> {
        match self {
            Self::Borrowed(value) => Some(value),
            Self::Owned(value) => Some(value),
            Self::Undefined | Self::Pattern(_) => None,
        }
    }
}
