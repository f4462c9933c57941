//! Names, wildcards and descendants.
use super::{Evaluation, Outcome};
use crate::value::{ArrayKind, Items, Value, View};

impl<'a> Evaluation<'a, '_> {
    /// Returns the field of an object, or those of all the objects in an array, as `$lookup` finds them too.
    pub(crate) fn field(&mut self, value: &Value<'a>, name: &str) -> Outcome<Value<'a>> {
        match value.view() {
            View::Object(fields) => Ok(fields.get(name)),
            View::Array(items) => {
                let mut found = Vec::new();
                self.fields_of_items(items, name, &mut found)?;
                Ok(Value::sequence(found))
            }
            _ => Ok(Value::Undefined),
        }
    }

    fn fields_of_items(
        &mut self,
        items: Items<'_, 'a>,
        name: &str,
        found: &mut Vec<Value<'a>>,
    ) -> Outcome<()> {
        self.within(|evaluation| {
            for item in items {
                evaluation.charge_steps(1)?;
                match item.view() {
                    View::Array(items) => evaluation.fields_of_items(items, name, found)?,
                    View::Object(fields) => evaluation.append(found, fields.get(name))?,
                    _ => {}
                }
            }
            Ok(())
        })
    }

    /// Appends a value, the items of an array, or nothing for an undefined value.
    pub(crate) fn append(&mut self, items: &mut Vec<Value<'a>>, value: Value<'a>) -> Outcome<()> {
        match value.view() {
            View::Undefined => {}
            View::Array(more) => {
                self.charge_items(more.len())?;
                items.extend(more);
            }
            _ => {
                self.charge_items(1)?;
                items.push(value);
            }
        }
        Ok(())
    }

    /// `*`: the values of all fields, arrays flattened.
    pub(super) fn wildcard(&mut self, input: &Value<'a>) -> Outcome<Value<'a>> {
        let input = super::unwrapped(input);
        let mut found = Vec::new();
        let mut kind = ArrayKind::Sequence;
        let mut take = |evaluation: &mut Self, value: Value<'a>| {
            if let View::Array(items) = value.view() {
                // The reference appends what it has flattened, which makes an array of the sequence.
                kind = ArrayKind::Plain;
                evaluation.flatten(items, &mut found)
            } else {
                evaluation.charge_items(1)?;
                found.push(value);
                Ok(())
            }
        };
        match input.view() {
            View::Object(fields) => {
                for (_, value) in fields.iter() {
                    take(self, value)?;
                }
            }
            View::Array(items) => {
                for value in items {
                    take(self, value)?;
                }
            }
            _ => {}
        }
        Ok(Value::array_of(kind, found))
    }

    fn flatten(&mut self, items: Items<'_, 'a>, found: &mut Vec<Value<'a>>) -> Outcome<()> {
        self.within(|evaluation| {
            for item in items {
                evaluation.charge_items(1)?;
                match item.view() {
                    View::Array(items) => evaluation.flatten(items, found)?,
                    _ => found.push(item),
                }
            }
            Ok(())
        })
    }

    /// `**`: the value and all values in it, but no arrays.
    pub(super) fn descendants(&mut self, input: &Value<'a>) -> Outcome<Value<'a>> {
        if input.is_undefined() {
            return Ok(Value::Undefined);
        }
        let mut found = Vec::new();
        self.descend(input, &mut found)?;
        Ok(match (found.len(), found.pop()) {
            // No sequence, so that `[]` does not keep it an array.
            (1, Some(only)) => only,
            (_, last) => {
                found.extend(last);
                Value::sequence(found)
            }
        })
    }

    fn descend(&mut self, value: &Value<'a>, found: &mut Vec<Value<'a>>) -> Outcome<()> {
        self.charge_items(1)?;
        match value.view() {
            View::Array(items) => self.within(|evaluation| {
                for item in items {
                    evaluation.descend(&item, found)?;
                }
                Ok(())
            }),
            View::Object(fields) => {
                found.push(value.clone());
                self.within(|evaluation| {
                    for (_, value) in fields.iter() {
                        evaluation.descend(&value, found)?;
                    }
                    Ok(())
                })
            }
            _ => {
                found.push(value.clone());
                Ok(())
            }
        }
    }
}
