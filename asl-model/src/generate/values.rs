//! Data that fits the paths of generated definitions more often than not.
use super::Tape;
use serde_json::{Map, Value, json};

/// Returns an input: the fields that paths name, most of them with values that the definitions can use.
pub fn input(tape: &mut Tape<'_>) -> Value {
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
        let is_usual = !tape.one_in(5);
        let field = if is_usual { usual } else { value(tape, 0) };
        input.insert(name.to_owned(), field);
    }
    input.into()
}

/// Any value at all, within so many others.
pub fn value(tape: &mut Tape<'_>, depth: usize) -> Value {
    match tape.below(if depth < 3 { 12 } else { 8 }) {
        0 => Value::Null,
        1 => tape.one_in(2).into(),
        2 => i64::from(tape.byte()).into(),
        3 => json!(f64::from(tape.byte()) / 7.0 - 9.0),
        4 => json!(tape.pick(&[i64::MAX, i64::MIN, -1, 0])),
        5 => text(tape).into(),
        6 => "2023-11-14T22:13:25Z".into(),
        7 => "long ".repeat(tape.below(200)).into(),
        8 | 9 => (0..tape.below(5)).map(|_| value(tape, depth + 1)).collect(),
        10 if tape.one_in(8) => (0..30).fold(Value::Null, |value, _| json!([value])),
        _ => {
            let fields = (0..tape.below(4)).map(|_| {
                let name = tape.pick(&["a", "b", "id", "Error", "x y", "é"]);
                (name.to_owned(), value(tape, depth + 1))
            });
            Value::Object(fields.collect())
        }
    }
}

/// Texts with all that is escaped somewhere.
pub(super) fn text(tape: &mut Tape<'_>) -> &'static str {
    tape.pick(&[
        "",
        "x",
        "é\u{1F600}",
        "{\"a\":1}",
        "1",
        "\u{0}",
        "$",
        "${}",
        "\\*.\"",
        " a\tb\n",
    ])
}
