//! The operators of filters, with the rules of Jayway for values of different kinds.
use super::found::{Elements, View};
use super::operand::Comparand;
use crate::QueryError;
use crate::ast::{Operator, Pattern};
use crate::error::QueryErrorKind;
use crate::number::{compare, decimal, java_text};
use serde_json::Value;
use std::borrow::Cow;
use std::cmp::Ordering;

/// True where the operator holds between the two.
pub(super) fn holds(
    left: &Comparand<'_>,
    operator: Operator,
    right: &Comparand<'_>,
) -> Result<bool, QueryError> {
    Ok(match operator {
        Operator::Equal => equal(left, right),
        Operator::NotEqual => !equal(left, right),
        Operator::StrictlyEqual => strictly_equal(left, right),
        Operator::StrictlyNotEqual => !strictly_equal(left, right),
        Operator::Less => order(left, right) == Some(Ordering::Less),
        Operator::LessOrEqual => order(left, right).is_some_and(Ordering::is_le),
        Operator::Greater => order(left, right) == Some(Ordering::Greater),
        Operator::GreaterOrEqual => order(left, right).is_some_and(Ordering::is_ge),
        Operator::Matches => matches(left, right),
        Operator::In => is_in(left, right)?,
        Operator::NotIn => !is_in(left, right)?,
        Operator::Contains => contains(left, right),
        Operator::All => subset_of(right, left)?,
        Operator::Size => size(left, right),
        Operator::Empty => is_empty(left, right)?,
        Operator::SubsetOf => subset_of(left, right)?,
        Operator::AnyOf => common_element(left, right)? == Some(true),
        Operator::NoneOf => common_element(left, right)? == Some(false),
    })
}

/// The same for two single values, of which either may be absent; None where more than their equality or order is asked.
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

fn equal(left: &Comparand<'_>, right: &Comparand<'_>) -> bool {
    match (left.view(), right.view()) {
        (Some(left), Some(right)) => equal_views(left, right),
        _ => false,
    }
}

fn equal_views(left: View<'_>, right: View<'_>) -> bool {
    if let (View::Value(left), View::Value(right)) = (left, right) {
        return equal_values(left, right);
    }
    match (left.elements(), right.elements()) {
        (Some(left), Some(right)) => left.len() == right.len() && left.iter().eq(right.iter()),
        _ => false,
    }
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

fn strictly_equal(left: &Comparand<'_>, right: &Comparand<'_>) -> bool {
    let same_kind = match (left.view(), right.view()) {
        (Some(View::Value(left)), Some(View::Value(right))) => {
            std::mem::discriminant(left) == std::mem::discriminant(right)
        }
        // Two arrays, or unequal anyway.
        _ => true,
    };
    same_kind && equal(left, right)
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

fn matches(left: &Comparand<'_>, right: &Comparand<'_>) -> bool {
    match (left, right) {
        (Comparand::Pattern(_), Comparand::Pattern(_)) => false,
        (Comparand::Pattern(pattern), other) | (other, Comparand::Pattern(pattern)) => {
            pattern_matches(pattern, other)
        }
        _ => false,
    }
}

/// An array matches where an element does. What has no text, also what is not there, counts as an empty one.
fn pattern_matches(pattern: &Pattern, comparand: &Comparand<'_>) -> bool {
    let view = comparand.view();
    match view.and_then(View::elements) {
        Some(elements) => elements
            .iter()
            .any(|element| pattern.regex.is_match(&text(element))),
        None => match view {
            Some(View::Value(value)) => pattern.regex.is_match(&text(value)),
            _ => pattern.regex.is_match(""),
        },
    }
}

fn text(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => Cow::Borrowed(text),
        Value::Number(number) => Cow::Owned(java_text(number)),
        Value::Bool(value) => Cow::Owned(value.to_string()),
        _ => Cow::Borrowed(""),
    }
}

/// The elements of a list; something other than an array has none (None), and what cannot be one is a fault.
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

fn has(elements: Elements<'_>, wanted: &Comparand<'_>) -> bool {
    wanted.view().is_some_and(|wanted| {
        elements
            .iter()
            .any(|element| equal_views(wanted, View::Value(element)))
    })
}

fn is_in(left: &Comparand<'_>, right: &Comparand<'_>) -> Result<bool, QueryError> {
    Ok(list(right)?.is_some_and(|elements| has(elements, left)))
}

fn contains(left: &Comparand<'_>, right: &Comparand<'_>) -> bool {
    let Some(view) = left.view() else {
        return false;
    };
    match (view, right.view()) {
        (View::Value(Value::String(left)), Some(View::Value(Value::String(right)))) => {
            left.contains(right.as_str())
        }
        _ => view.elements().is_some_and(|elements| has(elements, right)),
    }
}

/// How long a text, an array or an object is.
fn length(view: View<'_>) -> Option<usize> {
    match view {
        View::Value(Value::String(text)) => Some(text.encode_utf16().count()),
        View::Value(Value::Object(fields)) => Some(fields.len()),
        _ => view.elements().map(Elements::len),
    }
}

fn size(left: &Comparand<'_>, right: &Comparand<'_>) -> bool {
    match (left.view().and_then(length), right.view()) {
        (Some(length), Some(View::Value(Value::Number(expected)))) => {
            compare(&length.into(), expected).is_eq()
        }
        _ => false,
    }
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

fn subset_of(left: &Comparand<'_>, right: &Comparand<'_>) -> Result<bool, QueryError> {
    Ok(match (list(right)?, list(left)?) {
        (Some(all), Some(some)) => some.iter().all(|element| contains_value(all, element)),
        _ => false,
    })
}

/// None where one of the two is no array.
fn common_element(left: &Comparand<'_>, right: &Comparand<'_>) -> Result<Option<bool>, QueryError> {
    Ok(match (list(right)?, list(left)?) {
        (Some(right), Some(left)) => {
            Some(left.iter().any(|element| contains_value(right, element)))
        }
        _ => None,
    })
}

fn contains_value(elements: Elements<'_>, wanted: &Value) -> bool {
    elements.iter().any(|element| equal_values(wanted, element))
}

#[cfg(test)]
mod tests {
    use crate::JsonPath;
    use serde_json::{Value, json};

    /// The `v` of all elements that the filter takes.
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
