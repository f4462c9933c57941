//! Equality of values.
use super::{Fields, Items, Value, View};
use crate::evaluate::{Evaluation, Outcome};

impl<'a> Evaluation<'a, '_> {
    /// Returns true if two values are equal: the same items in the same order, the same fields in any order; functions only
    /// if they are the same one.
    ///
    /// # Errors
    ///
    /// The values are too large to be compared.
    pub(crate) fn equal(&mut self, left: &Value<'a>, right: &Value<'a>) -> Outcome<bool> {
        self.charge_steps(1)?;
        match (left.view(), right.view()) {
            (View::Text(left), View::Text(right)) => {
                self.charge_scan(left.len().min(right.len()))?;
                Ok(left == right)
            }
            (View::Array(left), View::Array(right)) => self.equal_items(left, right),
            (View::Object(left), View::Object(right)) => self.equal_fields(left, right),
            _ => Ok(left.is_same(right)),
        }
    }

    fn equal_items(&mut self, left: Items<'_, 'a>, right: Items<'_, 'a>) -> Outcome<bool> {
        if left.len() != right.len() {
            return Ok(false);
        }
        self.within(|evaluation| {
            for (left, right) in left.iter().zip(right) {
                if !evaluation.equal(&left, &right)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    fn equal_fields(&mut self, left: Fields<'_, 'a>, right: Fields<'_, 'a>) -> Outcome<bool> {
        if left.len() != right.len() {
            return Ok(false);
        }
        self.within(|evaluation| {
            for (name, left) in left.iter() {
                let right = right.get(&name);
                if right.is_undefined() || !evaluation.equal(&left, &right)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }
}
