//! Data that fits the paths of generated definitions more often than not.
use crate::fuzz::tape::Tape;
use serde_json::{Map, Value, json};

/// An input: the fields that paths name, with values of any type.
pub(super) fn generate(tape: &mut Tape<'_>) -> Value {
    if tape.surprises() {
        return value(tape, 0);
    }
    let mut input = Map::new();
    for name in ["a", "b", "n", "s", "t", "items", "flag"] {
        if tape.surprises() {
            continue;
        }
        let usual = match name {
            "n" => json!(1 + tape.below(20)),
            "s" => json!("text-1"),
            "t" => json!("2023-11-14T22:13:25Z"),
            "items" => (0..1 + tape.below(8))
                .map(|id| json!({"id": id, "a": [id]}))
                .collect(),
            "b" => json!([1, {"id": 2}]),
            _ => json!({"x": true}),
        };
        let field = if tape.one_in(5) {
            value(tape, 0)
        } else {
            usual
        };
        input.insert(name.to_owned(), field);
    }
    input.into()
}

/// Any value at all.
pub(super) fn value(tape: &mut Tape<'_>, depth: usize) -> Value {
    match tape.below(if depth < 3 { 12 } else { 8 }) {
        0 => Value::Null,
        1 => tape.one_in(2).into(),
        2 => i64::from(tape.next()).into(),
        3 => json!(f64::from(tape.next()) / 7.0 - 9.0),
        4 => json!(tape.pick(&[i64::MAX, i64::MIN, -1, 0])),
        5 => tape
            .pick(&["", "x", "é\u{1F600}", "{\"a\":1}", "1", "\u{0}"])
            .into(),
        6 => "2023-11-14T22:13:25Z".into(),
        7 => "long ".repeat(tape.below(200)).into(),
        8 | 9 => (0..tape.below(5)).map(|_| value(tape, depth + 1)).collect(),
        10 if tape.one_in(8) => wrapped(30),
        _ => {
            let fields = (0..tape.below(4)).map(|_| {
                (
                    tape.pick(&["a", "b", "id", "Error"]).to_owned(),
                    value(tape, depth + 1),
                )
            });
            Value::Object(fields.collect())
        }
    }
}

/// Arrays in arrays, deeper than some executions allow.
fn wrapped(levels: usize) -> Value {
    (0..levels).fold(Value::Null, |value, _| Value::Array(vec![value]))
}

/// What an object store holds: JSON, JSON Lines, CSV, or something else.
pub(super) fn stored(tape: &mut Tape<'_>) -> Vec<u8> {
    let text = match tape.below(8) {
        0 | 1 => r#"[{"id":1,"a":"x"},{"id":2},3,null]"#.to_owned(),
        2 => "{\"id\":1}\n{\"id\":2}\n\n[3]".to_owned(),
        3 => "id,name\n1,one\n2,\"two, or \"\"more\"\"\"\n3".to_owned(),
        4 => value(tape, 0).to_string(),
        5 => format!("[{}]", vec!["1"; 40].join(",")),
        6 => String::new(),
        _ => return (0..tape.below(40)).map(|_| tape.next()).collect(),
    };
    text.into_bytes()
}
