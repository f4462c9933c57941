//! Whether a node meets the condition of a filter.
use super::compare::holds;
use super::context::present;
use super::operand::Comparand;
use super::{Context, Walk, Wanted, find};
use crate::QueryError;
use crate::ast::{Expression, Segments};
use crate::error::QueryErrorKind;
use serde_json::Value;

/// True where the filter takes the node. What cannot be applied to it, as `in` to a number, is no match.
pub(super) fn accepts(
    expression: &Expression,
    item: &Value,
    context: &Context<'_>,
) -> Result<bool, QueryError> {
    match is_true(expression, item, context) {
        Err(error) if error.kind() != QueryErrorKind::Function => Ok(false),
        answer => answer,
    }
}

fn is_true(
    expression: &Expression,
    item: &Value,
    context: &Context<'_>,
) -> Result<bool, QueryError> {
    match expression {
        Expression::Or(terms) => any(terms, true, item, context),
        Expression::And(terms) => Ok(!any(terms, false, item, context)?),
        Expression::Not(term) => Ok(!is_true(term, item, context)?),
        // Jayway looks from the item also where the path begins with '$'.
        Expression::Exists { path, expected } => {
            Ok(exists(&path.segments, item, context)? == *expected)
        }
        Expression::Comparison(comparison) => {
            let left = Comparand::of(&comparison.left, item, context)?;
            let right = Comparand::of(&comparison.right, item, context)?;
            holds(&left, comparison.operator, &right)
        }
    }
}

/// True where one of the terms is `wanted`; the others after it are not looked at.
fn any(
    terms: &[Expression],
    wanted: bool,
    item: &Value,
    context: &Context<'_>,
) -> Result<bool, QueryError> {
    for term in terms {
        if is_true(term, item, context)? == wanted {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A definite path exists where it has a value; any other where no field that it names is missing on the way.
fn exists(segments: &Segments, item: &Value, context: &Context<'_>) -> Result<bool, QueryError> {
    if segments.plain {
        return Ok(find(&segments.list, item).is_ok());
    }
    let mut found = !segments.is_definite();
    let walked = present(Walk::run(segments, item, context, Wanted::All, |_| {
        found = true
    }))?;
    Ok(found && walked.is_some())
}
