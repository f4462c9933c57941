//! Definitions of which a part is wrong.
use super::{Tape, any_definition, json_path, values};
use serde_json::Value;

/// A definition of which a few parts are replaced or removed: most are refused.
pub fn broken_definition(tape: &mut Tape<'_>) -> Value {
    let mut definition = any_definition(tape);
    for _ in 0..=tape.below(3) {
        let part = usize::from(tape.byte()) << 8 | usize::from(tape.byte());
        let replacement = (!tape.one_in(3)).then(|| broken_part(tape));
        let mut left = part % count(&definition);
        change_nth(&mut definition, &mut left, &mut Some(replacement));
    }
    definition
}

fn broken_part(tape: &mut Tape<'_>) -> Value {
    match tape.below(8) {
        0..=3 => values::value(tape, 0),
        4 => json_path::template(tape),
        5 => "${Placeholder}".into(),
        6 => any_definition(tape),
        _ => values::text(tape).into(),
    }
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(elements) => elements.iter().map(count).sum(),
        Value::Object(fields) => fields.values().map(count).sum(),
        _ => 0,
    }
}

/// Replaces a part, or removes a field.
fn change_nth(value: &mut Value, left: &mut usize, change: &mut Option<Option<Value>>) {
    if *left == 0 {
        if let Some(replacement) = change.take() {
            *value = replacement.unwrap_or_default();
        }
        return;
    }
    *left -= 1;
    match value {
        Value::Array(elements) => {
            for element in elements {
                change_nth(element, left, change);
            }
        }
        Value::Object(fields) => {
            if *left < fields.len() && change == &Some(None) {
                let name = fields.keys().nth(*left).cloned();
                fields.remove(&name.unwrap_or_default());
                change.take();
                return;
            }
            for value in fields.values_mut() {
                change_nth(value, left, change);
            }
        }
        _ => {}
    }
}
