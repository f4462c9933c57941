//! Paths, intrinsic functions and Payload Templates.
use super::{Tape, values};
use serde_json::{Map, Value, json};

/// Paths that find something in the data of most states.
const PATHS: [&str; 9] = [
    "$",
    "$.a",
    "$.b",
    "$.n",
    "$.s",
    "$.t",
    "$.flag",
    "$.items",
    "$$.State.Name",
];

/// Paths that often do not, or find several things.
const RARE_PATHS: [&str; 16] = [
    "$.b[0]",
    "$.b[-1].id",
    "$.items[*].id",
    "$..id",
    "$['x y'].z",
    "$.items[0]",
    "$.missing",
    "$.items[?(@.id > 1)]",
    "$.items[1:]",
    "$$",
    "$$.Execution.Input",
    "$$.State.RetryCount",
    "$total0",
    "$größe1['x y'][0]",
    "$data0..id",
    "$text2",
];

/// Reference Paths that results are written to.
pub(super) const REFERENCES: [&str; 8] = [
    "$",
    "$.a",
    "$.r",
    "$.r.x.y",
    "$.b[0]",
    "$.items[1].id",
    "$.n",
    "$['x y']",
];

/// Paths of one node that most states find.
const VARIABLES: [&str; 6] = ["$.a", "$.b[0]", "$.n", "$.s", "$.t", "$.items[0].id"];

/// Those that many do not.
const RARE_VARIABLES: [&str; 5] = [
    "$.missing",
    "$.items[1].id",
    "$$.State.RetryCount",
    "$total0",
    "$größe1.a[0]",
];

const CALLS: [&str; 18] = [
    "States.Format('{} {}', $.a, $.n)",
    "States.Array($.a, 1, 'x')",
    "States.UUID()",
    "States.MathRandom(1, 10)",
    "States.MathAdd($.n, 1)",
    "States.ArrayGetItem($.items, 0)",
    "States.JsonToString($)",
    "States.StringToJson($.s)",
    "States.ArrayPartition($.items, 2)",
    "States.ArrayLength($.b)",
    "States.ArrayUnique($.b)",
    "States.Base64Encode($.s)",
    "States.Hash($.s, 'SHA-1')",
    "States.StringSplit($.s, '-')",
    "States.ArrayRange(1, $.n, 2)",
    "States.JsonMerge($.a, $, false)",
    "States.Array($total0, $größe1, $$.Execution.Id)",
    "States.ArrayLength(States.Array(1, 'x', States.MathAdd($.n, -1)))",
];

pub(super) fn path(tape: &mut Tape<'_>) -> &'static str {
    if tape.surprises() {
        tape.pick(&RARE_PATHS)
    } else {
        tape.pick(&PATHS)
    }
}

pub(super) fn path_or_null(tape: &mut Tape<'_>) -> Value {
    if tape.one_in(8) {
        Value::Null
    } else {
        path(tape).into()
    }
}

/// Returns a path of one node.
pub(super) fn variable(tape: &mut Tape<'_>) -> &'static str {
    if tape.surprises() || tape.one_in(12) {
        tape.pick(&RARE_VARIABLES)
    } else {
        tape.pick(&VARIABLES)
    }
}

pub(super) fn path_or_call(tape: &mut Tape<'_>) -> &'static str {
    if tape.one_in(16) {
        tape.pick(&CALLS)
    } else {
        path(tape)
    }
}

/// Returns a Payload Template with the fields that paths name.
pub(super) fn template(tape: &mut Tape<'_>) -> Value {
    let mut template = Map::new();
    for name in ["a", "b", "n", "items"] {
        match tape.below(10) {
            0 => {}
            1 => drop(template.insert(name.to_owned(), values::value(tape, 2))),
            2 => drop(template.insert(name.to_owned(), json!({"x.$": path_or_call(tape)}))),
            3 => drop(template.insert(name.to_owned(), json!([{"x y.$": path(tape)}, 1, []]))),
            _ => drop(template.insert(format!("{name}.$"), path_or_call(tape).into())),
        }
    }
    template.into()
}
