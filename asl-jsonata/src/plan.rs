//! Plans: how a host can get the value of an expression without an evaluation. Most expressions of a state only refer to a
//! value, or change one that the state has.
mod recognize;
mod scalar_operation;

use crate::evaluate::{self, Part};
use crate::{Environment, EvaluationError, Expression, StatesField};
use serde_json::{Map, Value};

pub(crate) use recognize::plan;
use recognize::{appended_item, merged_fields};
pub use scalar_operation::ScalarOperation;

/// The plan of an expression, computed once when it is parsed.
///
/// Each plan but [`Plan::Evaluate`] is a shortcut for a host that has the data at hand. It holds under the conditions that it names; where they
/// do not hold, [`Expression::evaluate`] has the value, or the error.
///
/// ```
/// use asl_jsonata::{Expression, Plan, StatesField};
/// let plan = |source: &str| Ok::<_, asl_jsonata::ParseError>(Expression::parse(source)?.plan().clone());
/// assert_eq!(plan("'paid'")?, Plan::Constant("paid".into()));
/// assert_eq!(plan("$states.input")?, Plan::Field(StatesField::Input));
/// assert_eq!(plan("$order.id")?, Plan::WalkVariable("order".into(), vec!["id".into()]));
/// assert_eq!(plan("$states.input.items[0]")?, Plan::Evaluate);
/// # Ok::<(), asl_jsonata::ParseError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "readers of the language handle each"
)]
pub enum Plan {
    /// A constant: `'paid'`, `{'retries': [1, 2]}`.
    Constant(Value),
    /// `$states.input`: that field as it is, if there is one.
    Field(StatesField),
    /// `$states.input.order.id`: what the names lead to from that field on, as long as each name but the last leads to an object and the last leads to
    /// anything; at least one name.
    Walk(StatesField, Vec<String>),
    /// `$order`: the variable of the state machine, if it has a value.
    Variable(String),
    /// `$order.customer.id`: what the names lead to from that variable on, as [`Plan::Walk`].
    WalkVariable(String, Vec<String>),
    /// `$merge([$states.input, {…}])`: that field with other fields set in it, in order, replacing those with the same name.
    /// It requires that the field is an object, and that no variable of the state machine hides [`Plan::function`].
    Merge(StatesField, MergedFields),
    /// `$append($orders, …)`: that variable with the result of [`Expression::evaluate_rest`] after its items: each item of
    /// an array, any other value as one item, and nothing for an undefined result. It requires that the variable's value is
    /// an array, and that no variable hides [`Plan::function`].
    Append(String),
    /// `$states.input.count + 1`, `$status = 'paid'`: what [`ScalarOperation::apply`] gives of two values, where both exist and it gives something.
    Operation(Box<ScalarOperation>),
    /// Any other expression: it must be evaluated.
    Evaluate,
}

/// The fields that [`Plan::Merge`] sets.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum MergedFields {
    /// Constant fields.
    Constant(Map<String, Value>),
    /// [`Expression::evaluate_rest`] gives an object of them.
    Evaluated,
}

impl Plan {
    /// Returns the function that it stands for, without `$`: a variable of the state machine by that name hides the
    /// function, and the plan does not hold.
    pub fn function(&self) -> Option<&'static str> {
        match self {
            Self::Merge(..) => Some("merge"),
            Self::Append(_) => Some("append"),
            _ => None,
        }
    }
}

impl Expression {
    /// Evaluates what its plan leaves to be evaluated: the fields of [`Plan::Merge`], what [`Plan::Append`] appends; for any other plan the whole expression.
    ///
    /// ```
    /// use asl_jsonata::{Environment, Expression, MergedFields, Plan, StatesField};
    /// let expression = Expression::parse("$merge([$states.input, {'n': 1 + 1}])")?;
    /// assert_eq!(expression.plan(), &Plan::Merge(StatesField::Input, MergedFields::Evaluated));
    /// let fields = expression.evaluate_rest(&mut Environment::from_input(&serde_json::Value::Null))?;
    /// assert_eq!(fields, Some(serde_json::json!({"n": 2})));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Expression::evaluate`], which then fails alike.
    pub fn evaluate_rest(
        &self,
        environment: &mut Environment<'_>,
    ) -> Result<Option<Value>, EvaluationError> {
        let (syntax, dialect) = self.parts();
        let part = match self.plan() {
            Plan::Merge(..) => merged_fields(&syntax.root).map(Part::from_merge),
            Plan::Append(_) => appended_item(&syntax.root).map(Part::from_append),
            _ => None,
        };
        let part = part.unwrap_or_else(|| Part::whole(&syntax.root));
        evaluate::run(syntax, part, dialect, environment)
    }
}

#[cfg(test)]
mod tests;
