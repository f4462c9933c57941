//! An operator between two values that a host has at hand.
use super::Plan;
use crate::evaluate::{calculate, satisfies};
use crate::syntax::Operator;
use crate::value::{Value, json_number};
use serde_json::Value as Json;

/// The longest texts that are compared without a charge.
const LONGEST_TEXT: usize = 256;

/// An operator between two values, each of which is a constant or only named: `$states.input.count + 1`, `$status = 'paid'`.
///
/// ```
/// use asl_jsonata::{Expression, Plan};
/// use serde_json::json;
/// let expression = Expression::parse("$count + 1")?;
/// let Plan::Operation(operation) = expression.plan() else { unreachable!() };
/// assert_eq!(operation.operands(), [&Plan::Variable("count".into()), &Plan::Constant(json!(1))]);
/// assert_eq!(operation.apply(&json!(2), &json!(1)), Some(json!(3)));
/// assert_eq!(operation.apply(&json!("2"), &json!(1)), None);
/// # Ok::<(), asl_jsonata::ParseError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ScalarOperation {
    left: Plan,
    operator: Operator,
    right: Plan,
}

impl ScalarOperation {
    /// Returns None for an operator that this does not apply.
    pub(super) fn new(left: Plan, operator: Operator, right: Plan) -> Option<Self> {
        let is_applied = !matches!(
            operator,
            Operator::Concatenate | Operator::In | Operator::And | Operator::Or | Operator::Range
        );
        is_applied.then_some(Self {
            left,
            operator,
            right,
        })
    }

    /// Returns the plans of the left and of the right value: each is a constant, a field, a variable, or a walk from one.
    pub fn operands(&self) -> [&Plan; 2] {
        [&self.left, &self.right]
    }

    /// Applies the operator. Returns None if only an evaluation has the value or the error: the values are no two numbers,
    /// or for `=` and `!=` no scalars, or long texts, or the result is no number of JSON.
    pub fn apply(&self, left: &Json, right: &Json) -> Option<Json> {
        match self.operator {
            Operator::Equal | Operator::NotEqual => {
                let is_equal = is_equal(left, right)?;
                Some(Json::Bool(is_equal == (self.operator == Operator::Equal)))
            }
            operator => {
                let (left, right) = (number(left)?, number(right)?);
                match operator {
                    Operator::Less
                    | Operator::LessOrEqual
                    | Operator::Greater
                    | Operator::GreaterOrEqual => {
                        let order = left.partial_cmp(&right)?;
                        Some(Json::Bool(satisfies(operator, order)))
                    }
                    _ => {
                        let result = calculate(operator, left, right);
                        json_number(result).ok().map(Json::Number)
                    }
                }
            }
        }
    }
}

fn number(value: &Json) -> Option<f64> {
    value.as_f64().filter(|number| number.is_finite())
}

fn is_equal(left: &Json, right: &Json) -> Option<bool> {
    let is_short = |value: &Json| match value {
        Json::String(text) => text.len() <= LONGEST_TEXT,
        Json::Array(_) | Json::Object(_) => false,
        _ => true,
    };
    let are_short = is_short(left) && is_short(right);
    are_short.then(|| Value::Json(left).is_same(&Value::Json(right)))
}
