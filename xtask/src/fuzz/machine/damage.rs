//! Damage to saves: changes of their structure that try to stay consistent.
use asl_model::generate::Tape;
use serde_json::{Value, json};

/// Changes one to three nodes of a save.
pub(super) fn damage(save: &mut Value, tape: &mut Tape<'_>) {
    for _ in 0..=tape.below(3) {
        // What refers to each other is in the flows, most of all.
        let within = match tape.below(8) {
            0 => "",
            1 | 2 => "/machine",
            _ => "/machine/flows",
        };
        change(save, within, tape);
    }
}

/// Returns a text with a few bytes of it changed.
pub(super) fn damaged_text(text: String, tape: &mut Tape<'_>) -> String {
    const BYTES: &[u8] = b"0123456789[]{}\",:ntf-.e\\";
    let mut bytes = text.into_bytes();
    for _ in 0..=tape.below(3) {
        let at = long(tape, bytes.len());
        match tape.below(3) {
            0 => drop(bytes.splice(at..at, [tape.pick(BYTES)])),
            1 if at < bytes.len() => drop(bytes.remove(at)),
            _ if at < bytes.len() => bytes[at] = tape.pick(BYTES),
            _ => {}
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns a number below a bound that may be larger than a byte.
fn long(tape: &mut Tape<'_>, bound: usize) -> usize {
    (usize::from(tape.byte()) << 8 | usize::from(tape.byte())) % bound.max(1)
}

fn change(save: &mut Value, within: &str, tape: &mut Tape<'_>) {
    let pointers = pointers(save, within);
    // Where every change is of another kind of value, serde refuses it and no check behind is reached.
    let numbers = alike(save, &pointers, &Value::from(0));
    let phases: Vec<String> = pointers
        .iter()
        .filter(|pointer| pointer.ends_with("/phase"))
        .cloned()
        .collect();
    match tape.below(10) {
        0 => remove(save, chosen(&pointers, tape)),
        1 => repeat(save, chosen(&pointers, tape), tape),
        2 | 3 => swap(save, &pointers, tape),
        4..=6 => replace(save, chosen(&numbers, tape), |value| number(value, tape)),
        7 => replace(save, chosen(&phases, tape), |_| phase(tape)),
        8 => simplify(save, &pointers, tape),
        _ => copy(save, &pointers, tape),
    }
}

/// Returns the nodes below a part, that part first.
fn pointers(save: &Value, within: &str) -> Vec<String> {
    let mut found = vec![within.to_owned()];
    let mut next = 0;
    while let Some(pointer) = found.get(next).cloned() {
        match save.pointer(&pointer) {
            Some(Value::Array(elements)) => {
                found.extend((0..elements.len()).map(|index| format!("{pointer}/{index}")));
            }
            Some(Value::Object(fields)) => {
                found.extend(fields.keys().map(|name| format!("{pointer}/{name}")));
            }
            _ => {}
        }
        next += 1;
    }
    found
}

/// Returns one of the pointers, or the empty pointer if there is none, which names nothing inside a save.
fn chosen<'p>(pointers: &'p [String], tape: &mut Tape<'_>) -> &'p str {
    pointers
        .get(long(tape, pointers.len()))
        .map_or("", String::as_str)
}

/// The nodes that are values of the same kind.
fn alike(save: &Value, pointers: &[String], value: &Value) -> Vec<String> {
    let kind = std::mem::discriminant(value);
    let is_alike = |pointer: &&String| {
        save.pointer(pointer)
            .is_some_and(|other| std::mem::discriminant(other) == kind)
    };
    pointers.iter().filter(is_alike).cloned().collect()
}

fn replace(save: &mut Value, pointer: &str, by: impl FnOnce(&Value) -> Value) {
    if let Some(place) = save.pointer_mut(pointer).filter(|_| !pointer.is_empty()) {
        *place = by(place);
    }
}

fn parent<'v>(save: &'v mut Value, pointer: &str) -> Option<(&'v mut Value, String)> {
    let (parent, name) = pointer.rsplit_once('/')?;
    Some((save.pointer_mut(parent)?, name.to_owned()))
}

fn remove(save: &mut Value, pointer: &str) {
    match parent(save, pointer) {
        Some((Value::Object(fields), name)) => drop(fields.remove(&name)),
        Some((Value::Array(elements), index)) => match index.parse() {
            Ok(index) if index < elements.len() => drop(elements.remove(index)),
            _ => {}
        },
        _ => {}
    }
}

/// An element twice.
fn repeat(save: &mut Value, pointer: &str, tape: &mut Tape<'_>) {
    if let Some((Value::Array(elements), index)) = parent(save, pointer)
        && let Some(element) = index
            .parse()
            .ok()
            .and_then(|index: usize| elements.get(index))
    {
        let element = element.clone();
        let at = tape.below(elements.len() + 1);
        elements.insert(at, element);
    }
}

/// Two nodes of one kind in each other's place.
fn swap(save: &mut Value, pointers: &[String], tape: &mut Tape<'_>) {
    let pointer = chosen(pointers, tape);
    let Some(one) = save.pointer(pointer).cloned() else {
        return;
    };
    let others = alike(save, pointers, &one);
    let other = chosen(&others, tape);
    let Some(two) = save.pointer(other).cloned() else {
        return;
    };
    replace(save, pointer, |_| two);
    replace(save, other, |_| one);
}

/// A node of one kind in the place of another.
fn copy(save: &mut Value, pointers: &[String], tape: &mut Tape<'_>) {
    let Some(value) = save.pointer(chosen(pointers, tape)).cloned() else {
        return;
    };
    let others = alike(save, pointers, &value);
    replace(save, chosen(&others, tape), |_| value);
}

fn simplify(save: &mut Value, pointers: &[String], tape: &mut Tape<'_>) {
    let pointer = chosen(pointers, tape);
    replace(save, pointer, |value| simple(value, tape));
}

/// Another number: near, small or large.
fn number(value: &Value, tape: &mut Tape<'_>) -> Value {
    let known = value.as_u64().unwrap_or_default();
    match tape.below(8) {
        0 | 1 => json!(known.wrapping_add(1)),
        2 | 3 => json!(known.saturating_sub(1)),
        4 | 5 => json!(tape.below(12)),
        6 => json!(tape.pick(&[
            u64::MAX,
            i64::MAX as u64,
            (1 << 60) + 1,
            // With room to count on: what is taken up is saved again.
            (1 << 60) - 1_000_000,
            1 << 32,
            u64::from(u32::MAX)
        ])),
        _ => json!(tape.pick(&[i64::MIN, -1, i64::from(i32::MIN)])),
    }
}

/// Returns a phase that needs nothing.
fn phase(tape: &mut Tape<'_>) -> Value {
    match tape.below(6) {
        0 => json!("entering"),
        1 => json!("attempting"),
        2 => json!("waited"),
        3 => json!({"interrupted": "enter"}),
        4 => json!({"interrupted": "attempt"}),
        _ => json!({"settled": {"succeeded": 0}}),
    }
}

fn simple(value: &Value, tape: &mut Tape<'_>) -> Value {
    match tape.below(6) {
        0 => Value::Null,
        1 => json!(value.as_bool() != Some(true)),
        2 => json!([]),
        3 => json!({}),
        4 => json!(tape.pick(&["", "null", "[1,2]", "{\"a\":1}", "ffffffffffffffff"])),
        _ => json!([value]),
    }
}
