//! Expressions and templates of JSONata states.
use super::{Tape, expression, values};
use asl_jsonata::{Dialect, Expression, Options};
use serde_json::{Value, json};

/// Expressions that have a value in most states.
const EXPRESSIONS: [&str; 23] = [
    "$states.input",
    "$states.input.a",
    "$states.input.n + 1",
    "$states.input.s & '!'",
    "$states.input.items[id > 1]",
    "$count($states.input.items)",
    "$merge([$states.input, {'r': 1}])",
    "$states.context.State.Name",
    "$states.context.Execution.Input.a",
    "$string($states)",
    "$keys($states.context)",
    "$exists($total0) ? $total0 + 1 : 1",
    "$exists($text0) ? $text0 & $text0 : 'ab'",
    "$exists($data0) ? [$data0, $data0] : [$states.input]",
    "$exists($größe1) ? [$größe1, $random()] : $states.input",
    "{'data': $data0, 'total': $total0}",
    "$map($states.input.items, function($item, $i) {$item.id + $i})",
    "($f := function($n) {$n <= 1 ? 1 : $n * $f($n - 1)}; $f(10))",
    "$uuid()",
    "$random()",
    "$now() & $millis()",
    "$hash($string($states.input), 'SHA-256')",
    "$states.input ~> |items|{'seen': true}|",
];

/// Those of Choice Rules.
const CONDITIONS: [&str; 6] = [
    "$states.input.n < 10",
    "$exists($total0) and $total0 > 3",
    "$states.input.s = 'text-1'",
    "$type($states.input.items) = 'array'",
    "$not($exists($states.input.missing))",
    "$states.context.State.RetryCount = 0",
];

/// Those of failures, and of values that a field does not take.
const RARE: [&str; 10] = [
    "$states.input.missing",
    "$undefined",
    "1 + 'a'",
    "$error('enough')",
    "($f := function($n) {$f($n + 1)}; $f(1))",
    "[1..100000]",
    "$string",
    "-1",
    "1 / 3",
    "$pad('x', 100000)",
];

pub(super) fn expression(tape: &mut Tape<'_>) -> Value {
    match tape.below(12) {
        10 if tape.surprises() => delimited(tape.pick(&RARE)),
        11 => generated(tape),
        _ => delimited(tape.pick(&EXPRESSIONS)),
    }
}

/// Returns an expression of any construct, if it is valid.
fn generated(tape: &mut Tape<'_>) -> Value {
    let text = expression::generate(tape, expression::STATES);
    let options = Options::default().with_dialect(Dialect::StatesLanguage);
    match Expression::parse_with(&text, &options) {
        Ok(_) => delimited(&text),
        Err(_) => delimited(tape.pick(&EXPRESSIONS)),
    }
}

/// Returns the "Condition" of a Choice Rule.
pub(super) fn condition(tape: &mut Tape<'_>) -> Value {
    match tape.below(8) {
        6 => tape.one_in(2).into(),
        7 if tape.surprises() => expression(tape),
        _ => delimited(tape.pick(&CONDITIONS)),
    }
}

/// Returns the input with something next to it.
pub(super) fn merged(tape: &mut Tape<'_>) -> Value {
    let added = tape.pick(&EXPRESSIONS);
    delimited(&format!("$merge([$states.input, {{'r': {added}}}])"))
}

/// JSON with expressions in it.
pub(super) fn template(tape: &mut Tape<'_>) -> Value {
    nested_template(tape, 1)
}

fn nested_template(tape: &mut Tape<'_>, depth: usize) -> Value {
    match tape.below(if depth < 3 { 6 } else { 4 }) {
        0..=2 => expression(tape),
        3 => values::value(tape, 2),
        4 => json!([
            nested_template(tape, depth + 1),
            nested_template(tape, depth + 1)
        ]),
        _ => {
            let names = ["a", "b", "n", "items"];
            let field = |name: &str| (name.to_owned(), nested_template(tape, depth + 1));
            Value::Object(names.map(field).into_iter().collect())
        }
    }
}

fn delimited(text: &str) -> Value {
    format!("{{% {text} %}}").into()
}
