//! The operators of filters, with the rules of Jayway for values of different kinds.
use super::budget::{Budget, TEXT_PER_STEP};
use super::operand::Comparand;
use super::selection::{Elements, View};
use crate::QueryError;
use crate::ast::{Operator, Pattern};
use crate::error::QueryErrorKind;
use crate::number::{compare, decimal, java_text};
use serde_json::Value;
use std::borrow::Cow;
use std::cmp::Ordering;

/// True if the operator holds between the two.
pub(super) fn holds(
    left: &Comparand<'_>,
    operator: Operator,
    right: &Comparand<'_>,
    budget: &Budget,
) -> Result<bool, QueryError> {
    Ok(match operator {
        Operator::Equal => equal(left, right, budget)?,
        Operator::NotEqual => !equal(left, right, budget)?,
        Operator::StrictlyEqual => strictly_equal(left, right, budget)?,
        Operator::StrictlyNotEqual => !strictly_equal(left, right, budget)?,
        Operator::Less => order(left, right) == Some(Ordering::Less),
        Operator::LessOrEqual => order(left, right).is_some_and(Ordering::is_le),
        Operator::Greater => order(left, right) == Some(Ordering::Greater),
        Operator::GreaterOrEqual => order(left, right).is_some_and(Ordering::is_ge),
        Operator::Matches => matches(left, right, budget)?,
        Operator::In => is_in(left, right, budget)?,
        Operator::NotIn => !is_in(left, right, budget)?,
        Operator::Contains => contains(left, right, budget)?,
        Operator::All => subset_of(right, left, budget)?,
        Operator::Size => size(left, right, budget)?,
        Operator::Empty => is_empty(left, right)?,
        Operator::SubsetOf => subset_of(left, right, budget)?,
        Operator::AnyOf => common_element(left, right, budget)? == Some(true),
        Operator::NoneOf => common_element(left, right, budget)? == Some(false),
    })
}

/// Returns true if comparing two values costs more than looking at them.
#[inline(always)]
pub(super) fn is_costly(left: Option<&Value>, right: Option<&Value>) -> bool {
    match right {
        Some(Value::String(right)) => {
            right.len() >= TEXT_PER_STEP
                && matches!(left, Some(Value::String(_) | Value::Number(_)))
        }
        Some(Value::Array(_) | Value::Object(_)) => {
            matches!(left, Some(Value::Array(_) | Value::Object(_)))
        }
        _ => false,
    }
}

/// Pays for comparing two values.
#[cold]
pub(super) fn charge_comparison(
    left: Option<&Value>,
    right: Option<&Value>,
    budget: &Budget,
) -> Result<(), QueryError> {
    match (left, right) {
        (Some(Value::String(left)), Some(Value::String(right))) => {
            budget.charge_text(left.len().min(right.len()))
        }
        (Some(Value::Number(_)), Some(Value::String(text))) => budget.charge_text(text.len()),
        (Some(left), Some(_)) => budget.charge_reading(left),
        _ => Ok(()),
    }
}

/// The same for two single values, of which either may be absent; None if more than their equality or order is asked.
pub(super) fn holds_between(
    left: Option<&Value>,
    operator: Operator,
    right: Option<&Value>,
) -> Option<bool> {
    let both = left.zip(right);
    let equal = || both.is_some_and(|(left, right)| equal_values(left, right));
    let order = || both.and_then(|(left, right)| order_of_values(left, right));
    Some(match operator {
        Operator::Equal => equal(),
        Operator::NotEqual => !equal(),
        Operator::Less => order() == Some(Ordering::Less),
        Operator::LessOrEqual => order().is_some_and(Ordering::is_le),
        Operator::Greater => order() == Some(Ordering::Greater),
        Operator::GreaterOrEqual => order().is_some_and(Ordering::is_ge),
        _ => return None,
    })
}

fn equal(left: &Comparand<'_>, right: &Comparand<'_>, budget: &Budget) -> Result<bool, QueryError> {
    match (left.view(), right.view()) {
        (Some(left), Some(right)) => equal_views(left, right, budget),
        _ => Ok(false),
    }
}

fn equal_views(left: View<'_>, right: View<'_>, budget: &Budget) -> Result<bool, QueryError> {
    if let (View::Value(left), View::Value(right)) = (left, right) {
        return equal_within(left, right, budget);
    }
    let (Some(left), Some(right)) = (left.elements(), right.elements()) else {
        return Ok(false);
    };
    if left.len() != right.len() {
        return Ok(false);
    }
    for (left, right) in left.iter().zip(right.iter()) {
        budget.charge_steps(1)?;
        if is_costly(Some(left), Some(right)) {
            charge_comparison(Some(left), Some(right), budget)?;
        }
        if left != right {
            return Ok(false);
        }
    }
    Ok(true)
}

/// [`equal_values`], paid for.
fn equal_within(left: &Value, right: &Value, budget: &Budget) -> Result<bool, QueryError> {
    if is_costly(Some(left), Some(right)) {
        charge_comparison(Some(left), Some(right), budget)?;
    }
    Ok(equal_values(left, right))
}

/// A number and a text are compared as the left one is: by value, or letter by letter.
fn equal_values(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => compare(left, right).is_eq(),
        (Value::Number(left), Value::String(right)) => {
            decimal(right).is_some_and(|right| compare(left, &right).is_eq())
        }
        (Value::String(left), Value::Number(right)) => *left == java_text(right),
        _ => left == right,
    }
}

fn strictly_equal(
    left: &Comparand<'_>,
    right: &Comparand<'_>,
    budget: &Budget,
) -> Result<bool, QueryError> {
    let same_kind = match (left.view(), right.view()) {
        (Some(View::Value(left)), Some(View::Value(right))) => {
            std::mem::discriminant(left) == std::mem::discriminant(right)
        }
        // Two arrays, or unequal anyway.
        _ => true,
    };
    Ok(same_kind && equal(left, right, budget)?)
}

fn order(left: &Comparand<'_>, right: &Comparand<'_>) -> Option<Ordering> {
    match (left.view()?, right.view()?) {
        (View::Value(left), View::Value(right)) => order_of_values(left, right),
        _ => None,
    }
}

/// Only two numbers or two texts have an order; that of texts is by UTF-16 code unit, as in Java.
fn order_of_values(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => Some(compare(left, right)),
        (Value::String(left), Value::String(right)) => {
            Some(left.encode_utf16().cmp(right.encode_utf16()))
        }
        _ => None,
    }
}

fn matches(
    left: &Comparand<'_>,
    right: &Comparand<'_>,
    budget: &Budget,
) -> Result<bool, QueryError> {
    match (left, right) {
        (Comparand::Pattern(_), Comparand::Pattern(_)) => Ok(false),
        (Comparand::Pattern(pattern), other) | (other, Comparand::Pattern(pattern)) => {
            pattern_matches(pattern, other, budget)
        }
        _ => Ok(false),
    }
}

/// Returns true if a pattern matches. An array matches if an element does. A value without text, or a missing value, counts
/// as an empty string.
fn pattern_matches(
    pattern: &Pattern,
    comparand: &Comparand<'_>,
    budget: &Budget,
) -> Result<bool, QueryError> {
    let is_match = |text: &str| {
        let pieces = text.len() / BYTES_PER_STEP + 1;
        budget.charge_steps(pieces.saturating_mul(pattern.states / STATES_PER_STEP + 1))?;
        Ok(pattern.regex.is_match(text))
    };
    let view = comparand.view();
    match (view.and_then(View::elements), view) {
        (Some(elements), _) => any(elements, |element| is_match(&text(element))),
        (None, Some(View::Value(value))) => is_match(&text(value)),
        _ => is_match(""),
    }
}

/// Bytes of text matched, and states that each of them may lead to, that cost a step.
const BYTES_PER_STEP: usize = 8;
const STATES_PER_STEP: usize = 8;

fn any(
    elements: Elements<'_>,
    mut holds: impl FnMut(&Value) -> Result<bool, QueryError>,
) -> Result<bool, QueryError> {
    for element in elements.iter() {
        if holds(element)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn text(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => Cow::Borrowed(text),
        Value::Number(number) => Cow::Owned(java_text(number)),
        Value::Bool(value) => Cow::Owned(value.to_string()),
        _ => Cow::Borrowed(""),
    }
}

/// Returns the elements of a list; something other than an array has none (None), and what cannot be one is a fault.
fn list<'a>(comparand: &'a Comparand<'_>) -> Result<Option<Elements<'a>>, QueryError> {
    let view = comparand.view();
    match view.and_then(View::elements) {
        None if !matches!(view, Some(View::Value(Value::Object(_)))) => Err(QueryError::new(
            QueryErrorKind::NotApplicable,
            "Expected value list node",
        )),
        elements => Ok(elements),
    }
}

fn has(
    elements: Elements<'_>,
    wanted: &Comparand<'_>,
    budget: &Budget,
) -> Result<bool, QueryError> {
    let Some(wanted) = wanted.view() else {
        return Ok(false);
    };
    any(elements, |element| {
        budget.charge_steps(1)?;
        equal_views(wanted, View::Value(element), budget)
    })
}

fn is_in(left: &Comparand<'_>, right: &Comparand<'_>, budget: &Budget) -> Result<bool, QueryError> {
    match list(right)? {
        Some(elements) => has(elements, left, budget),
        None => Ok(false),
    }
}

fn contains(
    left: &Comparand<'_>,
    right: &Comparand<'_>,
    budget: &Budget,
) -> Result<bool, QueryError> {
    match (left.view(), right.view()) {
        (Some(View::Value(Value::String(left))), Some(View::Value(Value::String(right)))) => {
            budget.charge_text(left.len())?;
            Ok(left.contains(right.as_str()))
        }
        (view, _) => match view.and_then(View::elements) {
            Some(elements) => has(elements, right, budget),
            None => Ok(false),
        },
    }
}

/// Returns the length of a string, an array or an object.
fn length(view: View<'_>) -> Option<usize> {
    match view {
        View::Value(Value::String(text)) => Some(text.encode_utf16().count()),
        View::Value(Value::Object(fields)) => Some(fields.len()),
        _ => view.elements().map(Elements::len),
    }
}

fn size(left: &Comparand<'_>, right: &Comparand<'_>, budget: &Budget) -> Result<bool, QueryError> {
    if let Some(View::Value(Value::String(text))) = left.view() {
        budget.charge_text(text.len())?;
    }
    Ok(match (left.view().and_then(length), right.view()) {
        (Some(length), Some(View::Value(Value::Number(expected)))) => {
            compare(&length.into(), expected).is_eq()
        }
        _ => false,
    })
}

fn is_empty(left: &Comparand<'_>, right: &Comparand<'_>) -> Result<bool, QueryError> {
    let empty = match left.view() {
        Some(View::Value(Value::String(text))) => text.is_empty(),
        view => match view.and_then(length) {
            Some(length) => length == 0,
            None => return Ok(false),
        },
    };
    match right.view() {
        Some(View::Value(Value::Bool(expected))) => Ok(empty == *expected),
        _ => Err(QueryError::new(
            QueryErrorKind::NotApplicable,
            "Expected boolean node",
        )),
    }
}

fn subset_of(
    left: &Comparand<'_>,
    right: &Comparand<'_>,
    budget: &Budget,
) -> Result<bool, QueryError> {
    let (Some(all), Some(some)) = (list(right)?, list(left)?) else {
        return Ok(false);
    };
    let is_missing = |element: &Value| Ok(!contains_value(all, element, budget)?);
    Ok(!any(some, is_missing)?)
}

/// None if one of the two is no array.
fn common_element(
    left: &Comparand<'_>,
    right: &Comparand<'_>,
    budget: &Budget,
) -> Result<Option<bool>, QueryError> {
    let (Some(right), Some(left)) = (list(right)?, list(left)?) else {
        return Ok(None);
    };
    any(left, |element| contains_value(right, element, budget)).map(Some)
}

fn contains_value(
    elements: Elements<'_>,
    wanted: &Value,
    budget: &Budget,
) -> Result<bool, QueryError> {
    any(elements, |element| {
        budget.charge_steps(1)?;
        equal_within(wanted, element, budget)
    })
}

#[cfg(test)]
mod tests {
    use crate::JsonPath;
    use serde_json::{Value, json};

    /// Returns the `v` of all elements that the filter takes.
    fn taken(filter: &str, document: Value) -> Value {
        let path = JsonPath::parse(&format!("$[?({filter})]")).unwrap();
        path.evaluate(&document).unwrap().into_owned()
    }

    #[test]
    fn numbers_and_texts_are_compared_as_the_left_one_is() {
        let values = json!([5, 5.0, "5", "5.0", "x", null, true, [5]]);
        assert_eq!(taken("@ == 5", values.clone()), json!([5, 5.0, "5"]));
        assert_eq!(taken("5 == @", values.clone()), json!([5, 5.0, "5", "5.0"]));
        assert_eq!(taken("@ === 5", values.clone()), json!([5, 5.0]));
        assert_eq!(
            taken("@ !== 5", values),
            json!(["5", "5.0", "x", null, true, [5]])
        );
    }

    #[test]
    fn what_is_not_there_equals_nothing() {
        let items = json!([{"a": null}, {}, {"a": 1}]);
        assert_eq!(taken("@.a == null", items.clone()), json!([{"a": null}]));
        assert_eq!(taken("@.b == @.c", items.clone()), json!([]));
        assert_eq!(taken("@.b != @.c", items.clone()), items);
        assert_eq!(taken("@.b === @.c", items), json!([]));
    }

    #[test]
    fn only_values_of_one_kind_have_an_order() {
        let values = json!([1, 2, "1", "2", true, null, [0]]);
        assert_eq!(taken("@ < 2", values.clone()), json!([1]));
        assert_eq!(taken("@ >= '2'", values.clone()), json!(["2"]));
        assert_eq!(taken("@ <= null", values), json!([]));
    }

    #[test]
    fn texts_are_in_the_order_of_java() {
        assert_eq!(
            taken(r"@ < '\uFFFD'", json!(["\u{10000}", "\u{fffe}"])),
            json!(["\u{10000}"])
        );
    }

    #[test]
    fn arrays_and_objects_are_equal_throughout() {
        let items = json!([{"a": [1, {"b": "x"}]}, {"a": [1]}]);
        assert_eq!(
            taken("@.a == [1, {'b': 'x'}]", items.clone()),
            json!([items[0]])
        );
        assert_eq!(taken("@ == {\"a\": [1]}", items.clone()), json!([items[1]]));
    }

    #[test]
    fn lists() {
        let values = json!(["a", "b", 1, [1], null]);
        assert_eq!(taken("@ in ['a', '1']", values.clone()), json!(["a", 1]));
        assert_eq!(
            taken("@ nin ['a', 1]", values.clone()),
            json!(["b", [1], null])
        );
        assert_eq!(taken("@ in 5", values.clone()), json!([]));
        assert_eq!(
            taken("@ nin 5", values),
            json!([]),
            "a list is needed, also for a no"
        );
        let lists = json!([[1, 2], [2], [3], [], 1]);
        assert_eq!(taken("@ contains 2", lists.clone()), json!([[1, 2], [2]]));
        assert_eq!(
            taken("@ subsetof [2, 3]", lists.clone()),
            json!([[2], [3], []])
        );
        assert_eq!(taken("@ anyof [1, 3]", lists.clone()), json!([[1, 2], [3]]));
        assert_eq!(taken("@ noneof [1, 3]", lists.clone()), json!([[2], []]));
        assert_eq!(taken("@ all [1, 2]", lists), json!([[1, 2]]));
    }

    #[test]
    fn what_an_indefinite_path_finds_is_an_array() {
        let items = json!([{"a": [1, 2]}, {"a": [2, 1]}, {"a": []}, {"a": [[1], "x"]}]);
        assert_eq!(taken("@.a[*] == [1, 2]", items.clone()), json!([items[0]]));
        assert_eq!(taken("[1, 2] === @.a[*]", items.clone()), json!([items[0]]));
        assert_eq!(taken("@.a[*] == @.a[*]", items.clone()), items);
        assert_eq!(taken("@.a[*] == 1", items.clone()), json!([]));
        assert_eq!(taken("@.a[*] < 1", items.clone()), json!([]));
        assert_eq!(
            taken("@.a[*] contains 1", items.clone()),
            json!([items[0], items[1]])
        );
        assert_eq!(taken("@.a[0:1] in [[2]]", items.clone()), json!([items[1]]));
        assert_eq!(
            taken("1 in @.a[*]", items.clone()),
            json!([items[0], items[1]])
        );
        assert_eq!(
            taken("@.a[*] size 2", items.clone()),
            json!([items[0], items[1], items[3]])
        );
        assert_eq!(taken("@.a[*] empty true", items.clone()), json!([items[2]]));
        assert_eq!(taken("@.a[*] =~ /x/", items.clone()), json!([items[3]]));
        assert_eq!(
            taken("@.a[*] subsetof $[0].a[*]", items.clone()),
            json!([items[0], items[1], items[2]])
        );
        assert_eq!(
            taken("@.a[*] == $[1].a[*]", items.clone()),
            json!([items[1]])
        );
    }

    #[test]
    fn lengths() {
        let values = json!(["", "ab", "\u{1f600}", [], [1, 2], {}, {"a": 1, "b": 2}, 2]);
        assert_eq!(
            taken("@ size 2", values.clone()),
            json!(["ab", "\u{1f600}", [1, 2], {"a": 1, "b": 2}])
        );
        assert_eq!(taken("@ empty true", values.clone()), json!(["", [], {}]));
        assert_eq!(
            taken("@ empty false", values.clone()),
            json!(["ab", "\u{1f600}", [1, 2], {"a": 1, "b": 2}])
        );
        assert_eq!(taken("@ empty 1", values), json!([]));
        assert_eq!(
            taken("@ contains 'b'", json!(["abc", "b", "x", 1])),
            json!(["abc", "b"])
        );
    }

    #[test]
    fn patterns_match_texts_numbers_and_elements() {
        let values = json!(["ab", "b", 12, 1.5, true, null, ["x", "ab"]]);
        assert_eq!(
            taken("@ =~ /a?b/", values.clone()),
            json!(["ab", "b", ["x", "ab"]])
        );
        assert_eq!(taken(r"@ =~ /\d.*/", values.clone()), json!([12, 1.5]));
        assert_eq!(taken("/TRUE/i =~ @", values.clone()), json!([true]));
        assert_eq!(
            taken("@ =~ /.?/", values),
            json!(["b", null, ["x", "ab"]]),
            "null has the empty text"
        );
        assert_eq!(taken("@ =~ 'a'", json!(["a"])), json!([]));
    }
}
