//! Functions on arrays that call no function.
use super::arguments::{only, take};
use crate::evaluate::{Arguments, Evaluation, Outcome};
use crate::value::{Fields, Items, Value, View};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// `$count(array)`: 0 of nothing.
pub(super) fn count<'a>(
    _: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let count = only(arguments).as_items().map_or(0, Items::len);
    Ok(Value::Number(count as f64))
}

/// `$append(first, second)`: the items of both; a value that is not an array is one item.
pub(super) fn append<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [first, second] = take(arguments);
    if first.is_undefined() {
        return Ok(second);
    }
    if second.is_undefined() {
        return Ok(first);
    }
    let mut items = Vec::new();
    for value in [first, second] {
        push_all(evaluation, &mut items, value)?;
    }
    Ok(Value::array(items))
}

fn push_all<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    items: &mut Vec<Value<'a>>,
    value: Value<'a>,
) -> Outcome<()> {
    match value.as_items() {
        Some(more) => {
            evaluation.charge_items(more.len())?;
            items.extend(more);
        }
        None => {
            evaluation.charge_items(1)?;
            items.push(value);
        }
    }
    Ok(())
}

/// `$reverse(array)`.
pub(super) fn reverse<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let value = only(arguments);
    let Some(items) = several(&value) else {
        return Ok(value);
    };
    evaluation.charge_items(items.len())?;
    let mut reversed: Vec<Value<'a>> = items.iter().collect();
    reversed.reverse();
    Ok(Value::array(reversed))
}

/// Returns the items of an array of more than one; other arrays are returned as they are.
pub(super) fn several<'v, 'a>(value: &'v Value<'a>) -> Option<Items<'v, 'a>> {
    value.as_items().filter(|items| items.len() > 1)
}

/// `$shuffle(array)`: Fisher-Yates from the inside out, one draw an item.
pub(super) fn shuffle<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let value = only(arguments);
    let Some(items) = several(&value) else {
        return Ok(value);
    };
    evaluation.charge_items(items.len())?;
    let mut shuffled: Vec<Value<'a>> = Vec::with_capacity(items.len());
    for item in items {
        let last = shuffled.len();
        shuffled.push(item);
        let random = evaluation.random()?.next_u64();
        let place = (u128::from(random) * (last as u128 + 1)) >> u64::BITS;
        shuffled.swap(last, place as usize);
    }
    Ok(Value::array(shuffled))
}

/// `$zip(array, …)`: arrays of the first items, of the second ones, and so on as far as all have one.
pub(super) fn zip<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let lengths = arguments
        .iter()
        .map(|array| array.as_items().map_or(0, Items::len));
    let length = lengths.min().unwrap_or(0);
    let mut tuples = Vec::new();
    for index in 0..length {
        evaluation.charge_items(1 + arguments.len())?;
        let item = |array: &Value<'a>| array.as_items().and_then(|items| items.get(index));
        let tuple = arguments
            .iter()
            .map(|array| item(array).unwrap_or_default());
        tuples.push(Value::array(tuple.collect()));
    }
    Ok(Value::array(tuples))
}

/// `$distinct(array)`: each value once, at its first position.
pub(super) fn distinct<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let value = only(arguments);
    let Some(items) = several(&value) else {
        return Ok(value);
    };
    let mut found: Vec<Value<'a>> = Vec::new();
    let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
    for item in items {
        let mut hasher = DefaultHasher::new();
        hash(evaluation, &item, &mut hasher)?;
        let equal_hashes = places.entry(hasher.finish()).or_default();
        let mut is_new = true;
        for place in equal_hashes.iter() {
            let Some(known) = found.get(*place) else {
                continue;
            };
            if evaluation.equal(&item, known)? {
                is_new = false;
                break;
            }
        }
        if is_new {
            evaluation.charge_items(2)?;
            equal_hashes.push(found.len());
            found.push(item);
        }
    }
    Ok(if value.is_sequence() {
        Value::sequence(found)
    } else {
        Value::array(found)
    })
}

/// Equal values have the same hash, so that each is compared with few others.
fn hash<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    value: &Value<'a>,
    hasher: &mut DefaultHasher,
) -> Outcome<()> {
    evaluation.charge_steps(1)?;
    match value.view() {
        View::Undefined => 0_u8.hash(hasher),
        View::Null => 1_u8.hash(hasher),
        View::Function(_) => 2_u8.hash(hasher),
        View::Boolean(value) => (3_u8, value).hash(hasher),
        View::Number(number) => {
            // Zeros are equal whatever their sign.
            let number = if number == 0.0 { 0.0 } else { number };
            (4_u8, number.to_bits()).hash(hasher);
        }
        View::Text(text) => {
            evaluation.charge_scan(text.len())?;
            (5_u8, text).hash(hasher);
        }
        View::Array(items) => {
            (6_u8, items.len()).hash(hasher);
            evaluation.within(|evaluation| {
                items
                    .iter()
                    .try_for_each(|item| hash(evaluation, &item, hasher))
            })?;
        }
        View::Object(fields) => {
            (7_u8, fields.len()).hash(hasher);
            evaluation.within(|evaluation| hash_fields(evaluation, fields, hasher))?;
        }
    }
    Ok(())
}

/// Hashes fields in any order.
fn hash_fields<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    fields: Fields<'_, 'a>,
    hasher: &mut DefaultHasher,
) -> Outcome<()> {
    let mut sum = 0_u64;
    for (name, value) in fields.iter() {
        let mut field = DefaultHasher::new();
        evaluation.charge_scan(name.len())?;
        name.hash(&mut field);
        hash(evaluation, &value, &mut field)?;
        sum = sum.wrapping_add(field.finish());
    }
    sum.hash(hasher);
    Ok(())
}
