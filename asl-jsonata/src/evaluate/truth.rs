//! The boolean value of any value, as conditions and predicates see it.
use super::{Evaluation, Outcome, failure};
use crate::value::{Function, Items, Value, View};

impl<'a> Evaluation<'a, '_> {
    /// Returns the result of `$boolean` for a value, except for functions; false for undefined.
    ///
    /// # Errors
    ///
    /// A number is infinite, or the value is too large to be looked through.
    pub(crate) fn truth(&mut self, value: &Value<'a>) -> Outcome<bool> {
        Ok(match value.view() {
            View::Undefined | View::Null => false,
            // Functions of the language and of the expression are objects to the reference, with properties; others are not.
            View::Function(function) => {
                !matches!(**function, Function::Regex(_) | Function::Native(_))
            }
            View::Boolean(value) => value,
            View::Number(number) => finite(number)?.is_some_and(|number| number != 0.0),
            View::Text(text) => !text.is_empty(),
            View::Object(fields) => fields.len() > 0,
            View::Array(items) => self.any_true(items)?,
        })
    }

    fn any_true(&mut self, items: Items<'_, 'a>) -> Outcome<bool> {
        self.within(|evaluation| {
            let mut any = false;
            for item in items {
                evaluation.charge_steps(1)?;
                any |= evaluation.truth(&item)?;
            }
            Ok(any)
        })
    }
}

/// Returns the number, if it is one at all.
///
/// # Errors
///
/// It is infinite.
pub(crate) fn finite(number: f64) -> Outcome<Option<f64>> {
    if number.is_infinite() {
        return Err(failure("D1001", "Number out of range: null"));
    }
    Ok((!number.is_nan()).then_some(number))
}
