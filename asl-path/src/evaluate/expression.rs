//! Evaluation of filter conditions.
use super::compare::{charge_comparison, holds, holds_between, is_costly};
use super::context::present;
use super::operand::{Comparand, at_hand};
use super::{Context, MissingFields, Walk, find};
use crate::QueryError;
use crate::ast::{Comparison, Expression, Operand, Segments};
use crate::error::QueryErrorKind;
use serde_json::Value;

/// True if the filter takes the node. What cannot be applied to it, as `in` to a number, is no match.
pub(super) fn accepts(
    expression: &Expression,
    item: &Value,
    context: &Context<'_>,
) -> Result<bool, QueryError> {
    match is_true(expression, item, context) {
        Err(error) if ends_filters_only(error.kind()) => Ok(false),
        answer => answer,
    }
}

fn ends_filters_only(kind: QueryErrorKind) -> bool {
    !matches!(kind, QueryErrorKind::Function | QueryErrorKind::Limit)
}

/// Returns the number of terms of an expression, without those inside its paths.
pub(super) fn terms(expression: &Expression) -> usize {
    match expression {
        Expression::Or(terms_) | Expression::And(terms_) => {
            1 + terms_.iter().map(terms).sum::<usize>()
        }
        Expression::Not(term) => 1 + terms(term),
        Expression::Exists { path, .. } => path.segments.list.len(),
        Expression::Comparison(comparison) => {
            1 + operand_length(&comparison.left) + operand_length(&comparison.right)
        }
    }
}

fn operand_length(operand: &Operand) -> usize {
    match operand {
        Operand::Path(path) => path.segments.list.len(),
        Operand::Literal(_) | Operand::Pattern(_) => 0,
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
        // Jayway looks from the item also if the path begins with '$'.
        Expression::Exists { path, expected } => {
            Ok(exists(&path.segments, item, context)? == *expected)
        }
        Expression::Comparison(comparison) => compares(comparison, item, context),
    }
}

#[inline(always)]
fn compares(
    comparison: &Comparison,
    item: &Value,
    context: &Context<'_>,
) -> Result<bool, QueryError> {
    let Comparison {
        left,
        operator,
        right,
    } = comparison;
    if let (Some(left), Some(right)) = (at_hand(left, item), at_hand(right, item)) {
        if is_costly(left, right) {
            charge_comparison(left, right, &context.budget)?;
        }
        if let Some(answer) = holds_between(left, *operator, right) {
            return Ok(answer);
        }
    }
    let left = Comparand::from_operand(left, item, context)?;
    let right = Comparand::from_operand(right, item, context)?;
    holds(&left, *operator, &right, &context.budget)
}

/// True if one of the terms is `wanted`; the others after it are not looked at.
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

/// Tests whether a path exists. A definite path exists if it has a value. Any other path exists if no named field is missing
/// on the way.
fn exists(segments: &Segments, item: &Value, context: &Context<'_>) -> Result<bool, QueryError> {
    if segments.plain {
        return Ok(find(&segments.list, item).is_ok());
    }
    let mut found = !segments.is_definite();
    let walked = present(Walk::run(
        segments,
        item,
        context,
        MissingFields::All,
        |_| {
            found = true;
            Ok(())
        },
    ))?;
    Ok(found && walked.is_some())
}

#[cfg(test)]
mod tests {
    use crate::JsonPath;
    use serde_json::{Value, json};

    fn taken(filter: &str, document: Value) -> Value {
        let path = JsonPath::parse(&format!("$[?({filter})]")).unwrap();
        path.evaluate(&document).unwrap().into_owned()
    }

    #[test]
    fn terms_are_joined() {
        let items = json!([{"a": 1}, {"b": 1}, {"a": 1, "b": 1}, {}]);
        assert_eq!(
            taken("@.a && @.b", items.clone()),
            json!([{"a": 1, "b": 1}])
        );
        assert_eq!(
            taken("@.a || @.b", items.clone()),
            json!([{"a": 1}, {"b": 1}, {"a": 1, "b": 1}])
        );
        assert_eq!(taken("!(@.a || @.b)", items.clone()), json!([{}]));
        assert_eq!(taken("!@.a && @.b", items), json!([{"b": 1}]));
    }

    #[test]
    fn null_exists() {
        assert_eq!(
            taken("@.a", json!([{"a": null}, {"a": false}, {"b": 1}])),
            json!([{"a": null}, {"a": false}])
        );
    }

    #[test]
    fn an_indefinite_path_exists_where_no_field_is_missing() {
        let items = json!([{"a": []}, {"a": [{"b": 1}, {"b": 2}]}, {"a": [{"b": 1}, {}]}, {}]);
        assert_eq!(
            taken("@.a[*].b", items.clone()),
            json!([items[0], items[1]])
        );
        assert_eq!(
            taken(
                "@.a['b', 'c']",
                json!([{"a": {"b": 1}}, {"a": {"b": 1, "c": 2}}])
            ),
            json!([{"a": {"b": 1, "c": 2}}])
        );
    }

    #[test]
    fn a_comparison_with_the_document() {
        let document = json!({"limit": 2, "items": [{"n": 1}, {"n": 3}]});
        let path = JsonPath::parse("$.items[?(@.n > $.limit)].n").unwrap();
        assert_eq!(*path.evaluate(&document).unwrap(), json!([3]));
        let path = JsonPath::parse("$.items[?(@.n in $.items[?(@.n < $.limit)].n)].n").unwrap();
        assert_eq!(*path.evaluate(&document).unwrap(), json!([1]));
    }

    #[test]
    fn functions_within_a_filter() {
        assert_eq!(
            taken("@.length() > 1", json!([[1], [1, 2]])),
            json!([[1, 2]])
        );
        assert_eq!(
            taken("@.foo() == 1", json!([[1]])),
            json!([]),
            "what does not exist is no match"
        );
        let path = JsonPath::parse("$[?(@.min() > 1)]").unwrap();
        assert!(
            path.evaluate(&json!([[]])).is_err(),
            "what a function cannot do ends the query"
        );
    }
}
