//! Functions on objects that call no function.
use super::arguments::{only, take};
use crate::evaluate::{Arguments, Evaluation, Outcome};
use crate::value::{Items, Object, Value, View};

/// `$keys(object)`: of an array the names that any of its objects has.
pub(super) fn keys<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let value = only(arguments);
    if let View::Object(fields) = value.view() {
        evaluation.charge_items(fields.len())?;
        let names = fields.iter().map(|(name, _)| Value::Text(name));
        return Ok(Value::sequence(names.collect()));
    }
    let mut names = Object::default();
    collect_names(evaluation, &value, &mut names)?;
    evaluation.charge_items(names.len())?;
    let names = names.iter().map(|(name, _)| Value::Text(name.clone()));
    Ok(Value::sequence(names.collect()))
}

fn collect_names<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    value: &Value<'a>,
    names: &mut Object<'a>,
) -> Outcome<()> {
    evaluation.charge_steps(1)?;
    match value.view() {
        View::Array(items) => evaluation.within(|evaluation| {
            items
                .iter()
                .try_for_each(|item| collect_names(evaluation, &item, names))
        }),
        View::Object(fields) => {
            evaluation.charge_fields(fields.len())?;
            for (name, _) in fields.iter() {
                names.insert(name, Value::Undefined);
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// `$lookup(object, name)`: of an array what its objects have, in one sequence.
pub(super) fn lookup<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [value, name] = take(arguments);
    let Some(name) = name.as_text() else {
        return Ok(Value::Undefined);
    };
    match value.view() {
        View::Object(fields) => Ok(fields.get(name)),
        View::Array(items) => {
            let mut found = Vec::new();
            look_up(evaluation, items, name, &mut found)?;
            Ok(Value::sequence(found))
        }
        _ => Ok(Value::Undefined),
    }
}

fn look_up<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    items: Items<'_, 'a>,
    name: &str,
    found: &mut Vec<Value<'a>>,
) -> Outcome<()> {
    for item in items {
        evaluation.charge_steps(1)?;
        match item.view() {
            View::Array(items) => {
                evaluation.within(|evaluation| look_up(evaluation, items, name, found))?
            }
            View::Object(fields) => {
                let value = fields.get(name);
                match value.as_items() {
                    Some(items) => {
                        evaluation.charge_items(items.len())?;
                        found.extend(items);
                    }
                    None if value.is_undefined() => {}
                    None => {
                        evaluation.charge_items(1)?;
                        found.push(value);
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// `$spread(object)`: an object for each field.
pub(super) fn spread<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let value = only(arguments);
    let mut objects = Vec::new();
    match value.view() {
        View::Object(_) => {
            push_spread(evaluation, &value, &mut objects)?;
            Ok(Value::sequence(objects))
        }
        View::Array(items) => {
            push_spread(evaluation, &value, &mut objects)?;
            // What is joined in the reference is an array, not a sequence.
            Ok(if items.len() == 0 {
                Value::sequence(objects)
            } else {
                Value::array(objects)
            })
        }
        _ => Ok(value),
    }
}

fn push_spread<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    value: &Value<'a>,
    objects: &mut Vec<Value<'a>>,
) -> Outcome<()> {
    evaluation.charge_items(1)?;
    match value.view() {
        View::Array(items) => evaluation.within(|evaluation| {
            items
                .iter()
                .try_for_each(|item| push_spread(evaluation, &item, objects))
        }),
        View::Object(fields) => {
            evaluation.charge_items(fields.len())?;
            evaluation.charge_fields(fields.len())?;
            for (name, value) in fields.iter() {
                let mut object = Object::with_capacity(1);
                object.insert(name, value);
                objects.push(Value::object(object));
            }
            Ok(())
        }
        View::Undefined => Ok(()),
        _ => {
            objects.push(value.clone());
            Ok(())
        }
    }
}

/// `$merge(objects)`: of fields with the same name the last one.
pub(super) fn merge<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let value = only(arguments);
    let Some(items) = value.as_items() else {
        return Ok(Value::Undefined);
    };
    let mut merged = Object::default();
    for item in items {
        evaluation.charge_steps(1)?;
        if let View::Object(fields) = item.view() {
            evaluation.charge_fields(fields.len())?;
            for (name, value) in fields.iter() {
                merged.insert(name, value);
            }
        }
    }
    Ok(Value::object(merged))
}
