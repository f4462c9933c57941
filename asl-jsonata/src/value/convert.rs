//! Values as results.
use super::{Fields, Items, Object, Text, Value, View};
use crate::evaluate::{Evaluation, Failure, Outcome, failure, finite};
use crate::{Dialect, EvaluationError};
use serde_json::{Map, Number, Value as Json};

/// Maximum nesting of a result: JSON uses stack when it is cloned, printed or released.
const DEEPEST: usize = 1_000;

/// Whole numbers up to here are exact, and print without an exponent in JSON.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

impl<'a> Evaluation<'a, '_> {
    /// JSON of its own for a value: none for undefined and for functions.
    ///
    /// # Errors
    ///
    /// It is larger than the evaluation may make, or holds a number that JSON has not.
    pub(crate) fn json(&mut self, value: &Value<'a>) -> Outcome<Option<Json>> {
        self.json_within(value, DEEPEST)
    }

    /// Returns a value of JSON that nothing else owns.
    ///
    /// # Errors
    ///
    /// It is larger than the evaluation may make, or nests deeper.
    pub(crate) fn owned(&mut self, json: Json) -> Outcome<Value<'a>> {
        Ok(match json {
            Json::Null => Value::Null,
            Json::Bool(value) => Value::Boolean(value),
            Json::Number(number) => match number.as_i64() {
                Some(whole) if whole.unsigned_abs() as f64 > LARGEST_WHOLE => Value::Integer(whole),
                // There is no negative zero in what the service returns.
                _ => Value::Number(number.as_f64().map_or(f64::NAN, |number| number + 0.0)),
            },
            Json::String(text) => {
                self.charge_text(text.len())?;
                Value::text(text)
            }
            Json::Array(items) => self.within(|evaluation| {
                evaluation.charge_items(items.len())?;
                let items = items.into_iter().map(|item| evaluation.owned(item));
                Ok(Value::array(items.collect::<Outcome<_>>()?))
            })?,
            Json::Object(fields) => self.within(|evaluation| {
                evaluation.charge_fields(fields.len())?;
                let mut object = Object::with_capacity(fields.len());
                for (name, value) in fields {
                    evaluation.charge_text(name.len())?;
                    let value = evaluation.owned(value)?;
                    object.insert(Text::shared(name), value);
                }
                Ok(Value::object(object))
            })?,
        })
    }

    /// JSON for a value that nothing else needs.
    ///
    /// # Errors
    ///
    /// As [`Self::json`].
    pub(crate) fn last_json(&mut self, value: Value<'a>) -> Outcome<Option<Json>> {
        let Value::Text(text) = value else {
            return self.json(&value);
        };
        self.charge_memory(size_of::<Json>())?;
        self.charge_text(text.len())?;
        Ok(Some(Json::String(text.into_string())))
    }

    /// JSON for what becomes an item of an array, or items of it: functions are null there.
    ///
    /// # Errors
    ///
    /// As [`Self::json`].
    pub(crate) fn json_of_item(&mut self, value: &Value<'a>) -> Outcome<Option<Json>> {
        match value.view() {
            View::Function(_) => Ok(Some(Json::Null)),
            View::Array(_) => self.json(value),
            _ => self.json_within(value, DEEPEST - 1),
        }
    }

    fn json_within(&mut self, value: &Value<'a>, levels: usize) -> Outcome<Option<Json>> {
        if let Value::Json(json) = value {
            return self.copied(json, levels).map(Some);
        }
        self.charge_memory(size_of::<Json>())?;
        if let Value::Integer(number) = value {
            return Ok(Some((*number).into()));
        }
        Ok(Some(match value.view() {
            View::Undefined | View::Function(_) => return Ok(None),
            View::Null => Json::Null,
            View::Boolean(value) => Json::Bool(value),
            // Measured on the service: a number that JSON has not becomes text.
            View::Number(number)
                if !number.is_finite() && self.dialect() == Dialect::StatesLanguage =>
            {
                Json::String(infinite(number).to_owned())
            }
            View::Number(number) => Json::Number(json_number(number)?),
            View::Text(text) => {
                self.charge_text(text.len())?;
                Json::String(text.to_owned())
            }
            View::Array(_) | View::Object(_) if levels == 0 => return Err(too_deep()),
            View::Array(items) => {
                self.within(|evaluation| evaluation.json_array(items, levels - 1))?
            }
            View::Object(fields) => {
                self.within(|evaluation| evaluation.json_object(fields, levels - 1))?
            }
        }))
    }

    fn json_array(&mut self, items: Items<'_, 'a>, levels: usize) -> Outcome<Json> {
        self.charge_items(items.len())?;
        let mut array = Vec::with_capacity(items.len());
        match items {
            Items::Json(items) => {
                for item in items {
                    array.push(self.copied(item, levels)?);
                }
            }
            Items::Made(items) => {
                for item in items {
                    // Written here, since most arrays are of such.
                    if let Value::Json(json @ (Json::Null | Json::Bool(_) | Json::Number(_))) = item
                    {
                        self.charge_memory(size_of::<Json>())?;
                        array.push((*json).clone());
                        continue;
                    }
                    array.push(self.json_within(item, levels)?.unwrap_or(Json::Null));
                }
            }
        }
        Ok(Json::Array(array))
    }

    fn json_object(&mut self, fields: Fields<'_, 'a>, levels: usize) -> Outcome<Json> {
        self.charge_fields(fields.len())?;
        let mut object = Map::with_capacity(fields.len());
        for (name, value) in fields.iter() {
            self.charge_text(name.len())?;
            if let Some(value) = self.json_within(&value, levels)? {
                object.insert(String::from(&*name), value);
            }
        }
        Ok(Json::Object(object))
    }

    /// Copies existing JSON: charged like new data, but copied as a whole, so that no name is hashed again.
    fn copied(&mut self, json: &Json, levels: usize) -> Outcome<Json> {
        if let Json::Null | Json::Bool(_) | Json::Number(_) = json {
            self.charge_memory(size_of::<Json>())?;
            return Ok(json.clone());
        }
        let depth = self.charge_copy(json, levels)?;
        Ok(Self::on_stack_for(depth, || json.clone()))
    }

    /// Pays for a copy; returns how deep it nests.
    fn charge_copy(&mut self, json: &Json, levels: usize) -> Outcome<usize> {
        self.charge_memory(size_of::<Json>())?;
        match json {
            Json::Null | Json::Bool(_) | Json::Number(_) => Ok(0),
            Json::String(text) => {
                self.charge_text(text.len())?;
                Ok(0)
            }
            Json::Array(_) | Json::Object(_) if levels == 0 => Err(too_deep()),
            Json::Array(items) => self.within(|evaluation| {
                evaluation.charge_items(items.len())?;
                let mut deepest = 0;
                for item in items {
                    deepest = deepest.max(evaluation.charge_copy(item, levels - 1)?);
                }
                Ok(deepest + 1)
            }),
            Json::Object(fields) => self.within(|evaluation| {
                evaluation.charge_fields(fields.len())?;
                let mut deepest = 0;
                for (name, value) in fields {
                    evaluation.charge_text(name.len())?;
                    deepest = deepest.max(evaluation.charge_copy(value, levels - 1)?);
                }
                Ok(deepest + 1)
            }),
        }
    }
}

fn too_deep() -> Failure {
    let message = format!("The result nests too deep: more than {DEEPEST} levels");
    failure(EvaluationError::TOO_DEEP, message)
}

/// Prints a number that is not finite, like JavaScript.
fn infinite(number: f64) -> &'static str {
    if number.is_nan() {
        "NaN"
    } else if number > 0.0 {
        "Infinity"
    } else {
        "-Infinity"
    }
}

/// Converts a number to JSON: an integer if it is integral and exact.
///
/// # Errors
///
/// It is infinite, or no number.
pub(crate) fn json_number(number: f64) -> Outcome<Number> {
    let whole = number as i64;
    if whole as f64 == number && number.abs() <= LARGEST_WHOLE {
        return Ok(Number::from(whole));
    }
    finite(number)?
        .and_then(Number::from_f64)
        .ok_or_else(|| failure("D1001", "Number out of range: null"))
}
