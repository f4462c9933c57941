//! `|pattern|update, delete|`: changed copies.
use super::{Evaluation, Outcome, failure};
use crate::functions::cloned;
use crate::syntax::Node;
use crate::value::{Object, Transformer, Value, View};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Address of an object or an array of a copy.
type Address = usize;

/// Changes of a copy. Its objects are unchanged, and identified by their addresses; changed ones replace them when the copy
/// is read.
#[derive(Default)]
struct Changes<'a> {
    /// Parent of each object and array.
    parents: HashMap<Address, Address>,
    /// Changed objects and arrays, and those that contain changed ones; with the new value if they were changed themselves.
    changed: HashMap<Address, Option<Rc<Object<'a>>>>,
}

impl<'a> Changes<'a> {
    fn set(&mut self, at: Address, object: Object<'a>) {
        self.changed.insert(at, Some(Rc::new(object)));
        let mut part = at;
        while let Some(whole) = self.parents.get(&part) {
            if self.changed.contains_key(whole) {
                break;
            }
            self.changed.insert(*whole, None);
            part = *whole;
        }
    }
}

fn address(value: &Value<'_>) -> Option<Address> {
    match value {
        Value::Array(array) => Some(Rc::as_ptr(array).addr()),
        Value::Object(object) => Some(Rc::as_ptr(object).addr()),
        _ => None,
    }
}

impl<'a> Evaluation<'a, '_> {
    /// Calls a transform.
    pub(super) fn transformed(
        &mut self,
        transformer: &Transformer<'a>,
        value: Value<'a>,
    ) -> Outcome<Value<'a>> {
        match value.view() {
            View::Undefined => return Ok(value),
            View::Object(_) | View::Array(_) => {}
            _ => {
                return Err(failure(
                    "T0410",
                    "Argument 1 of function undefined does not match function signature",
                ));
            }
        }
        let mut changes = Changes::default();
        let original = self.cloned_by_expression(transformer, value)?;
        let copy = cloned(self, &original)?;
        self.adopt(&copy, &mut changes)?;
        let matches = self.evaluate(&transformer.transform.pattern, &copy, &transformer.frame)?;
        let mut found = Vec::new();
        self.append(&mut found, matches)?;
        for matched in found {
            self.change(transformer, &matched, &mut changes)?;
        }
        self.current(&copy, &changes)
    }

    /// Calls the expression's own function with the name `$clone`, if there is one.
    fn cloned_by_expression(
        &mut self,
        transformer: &Transformer<'a>,
        value: Value<'a>,
    ) -> Outcome<Value<'a>> {
        let Some(name) = self.symbols.get("clone") else {
            return Ok(value);
        };
        let clone = self.lookup(name, &transformer.frame)?;
        if !clone.is_function() {
            let message = "The transform expression clones the input object using the $clone() function.  This has been overridden in the current scope by a non-function.";
            return Err(failure("T2013", message).at(transformer.position));
        }
        self.apply(&clone, [value])
    }

    /// Remembers whose parts the objects and arrays of a copy are.
    fn adopt(&mut self, whole: &Value<'a>, changes: &mut Changes<'a>) -> Outcome<()> {
        let Some(at) = address(whole) else {
            return Ok(());
        };
        self.charge_steps(1)?;
        self.charge_memory(4 * size_of::<Address>())?;
        self.within(|evaluation| {
            let mut adopt = |part: &Value<'a>| {
                if let Some(part) = address(part) {
                    changes.parents.insert(part, at);
                }
                evaluation.adopt(part, changes)
            };
            match whole {
                Value::Array(array) => array.items().iter().try_for_each(adopt),
                Value::Object(object) => object.iter().try_for_each(|(_, value)| adopt(value)),
                _ => Ok(()),
            }
        })
    }

    /// Changes one match of the pattern.
    fn change(
        &mut self,
        transformer: &Transformer<'a>,
        matched: &Value<'a>,
        changes: &mut Changes<'a>,
    ) -> Outcome<()> {
        let frame = &transformer.frame;
        let context = self.current(matched, changes)?;
        let update = self.evaluate(&transformer.transform.update, &context, frame)?;
        match update.view() {
            View::Undefined => {}
            View::Object(_) => self.set_fields(matched, &update, changes)?,
            _ => {
                let text = self.quoted(&update)?;
                let message = format!(
                    "The insert/update clause of the transform expression must evaluate to an object: {text}"
                );
                return Err(failure("T2011", message).at(transformer.transform.update.position));
            }
        }
        match &transformer.transform.delete {
            Some(delete) => self.delete_fields(transformer, delete, matched, changes),
            None => Ok(()),
        }
    }

    fn set_fields(
        &mut self,
        matched: &Value<'a>,
        update: &Value<'a>,
        changes: &mut Changes<'a>,
    ) -> Outcome<()> {
        let (Some(mut object), Some(at)) = (self.editable(matched, changes)?, address(matched))
        else {
            return Ok(());
        };
        if let View::Object(fields) = update.view() {
            self.charge_fields(fields.len())?;
            for (name, value) in fields.iter() {
                object.insert(name, value);
            }
        }
        changes.set(at, object);
        Ok(())
    }

    fn delete_fields(
        &mut self,
        transformer: &Transformer<'a>,
        delete: &'a Node,
        matched: &Value<'a>,
        changes: &mut Changes<'a>,
    ) -> Outcome<()> {
        let context = self.current(matched, changes)?;
        let names = self.evaluate(delete, &context, &transformer.frame)?;
        let mut deleted = Vec::new();
        self.append(&mut deleted, names.clone())?;
        let deleted: Option<Vec<&str>> = deleted.iter().map(Value::as_text).collect();
        let Some(deleted) = deleted else {
            let text = self.quoted(&names)?;
            let message = format!(
                "The delete clause of the transform expression must evaluate to a string or array of strings: {text}"
            );
            return Err(failure("T2012", message).at(delete.position));
        };
        if let (Some(mut object), Some(at)) = (self.editable(matched, changes)?, address(matched)) {
            self.charge_steps(object.len().saturating_add(deleted.len()))?;
            let deleted: HashSet<&str> = deleted.into_iter().collect();
            object.retain(|name| !deleted.contains(name));
            changes.set(at, object);
        }
        Ok(())
    }

    /// Returns the current state of an object of the copy, for further changes; None for other values.
    fn editable(
        &mut self,
        matched: &Value<'a>,
        changes: &Changes<'a>,
    ) -> Outcome<Option<Object<'a>>> {
        let Value::Object(original) = matched else {
            return Ok(None);
        };
        let changed = address(matched).and_then(|at| changes.changed.get(&at));
        let object = changed.and_then(Option::as_ref).unwrap_or(original);
        self.charge_fields(object.len())?;
        let mut copy = Object::with_capacity(object.len());
        for (name, value) in object.iter() {
            copy.insert(name.clone(), value.clone());
        }
        Ok(Some(copy))
    }

    /// A part of the copy with all that has been changed in it.
    fn current(&mut self, part: &Value<'a>, changes: &Changes<'a>) -> Outcome<Value<'a>> {
        let Some(changed) = address(part).and_then(|at| changes.changed.get(&at)) else {
            return Ok(part.clone());
        };
        self.within(|evaluation| match part {
            Value::Array(array) => {
                evaluation.charge_items(array.items().len())?;
                let items = array.items().iter();
                let items = items.map(|item| evaluation.current(item, changes));
                Ok(Value::array(items.collect::<Outcome<_>>()?))
            }
            Value::Object(original) => {
                let object = changed.as_ref().unwrap_or(original);
                evaluation.charge_fields(object.len())?;
                let mut current = Object::with_capacity(object.len());
                for (name, value) in object.iter() {
                    current.insert(name.clone(), evaluation.current(value, changes)?);
                }
                Ok(Value::object(current))
            }
            _ => Ok(part.clone()),
        })
    }
}
