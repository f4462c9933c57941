//! The same data work in JSONata: each twin has the input and the output of a workload in JSONPath.
use super::{map, scope};
use crate::workload::files::Workload;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Workloads with a twin in JSONata, and the storage of its results.
pub(crate) const TWINS: [(&str, Keeping); 6] = [
    ("chain", Keeping::Output),
    ("chain", Keeping::Assign),
    ("loop", Keeping::Output),
    ("map-pass", Keeping::Output),
    ("big-payload", Keeping::Output),
    ("big-payload", Keeping::Assign),
];

/// JSONata has no ResultPath: what a state adds to the data it keeps in its output or in a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keeping {
    /// The output is the input with the result: a copy of both.
    Output,
    /// The result is assigned, and the last state puts all of them into the data.
    Assign,
}

impl Keeping {
    /// Returns the suffix of the twin's name.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Self::Output => "-jsonata",
            Self::Assign => "-variables",
        }
    }
}

/// Returns the twin of a workload.
pub(crate) fn twin(of: &Workload, keeping: Keeping) -> Option<Workload> {
    let definition: Value = serde_json::from_str(&of.definition).ok()?;
    let mut definition = match (of.name.as_str(), keeping) {
        ("chain" | "big-payload", Keeping::Output) => writes(&definition)?,
        ("chain" | "big-payload", Keeping::Assign) => assignments(&definition)?,
        ("loop", Keeping::Output) => increments(&definition)?,
        ("map-pass", Keeping::Output) => passes(),
        _ => return None,
    };
    definition["QueryLanguage"] = "JSONata".into();
    Some(of.in_other_words(format!("{}{}", of.name, keeping.suffix()), &definition))
}

/// The twin that a name is of.
pub(crate) fn find(name: &str) -> Option<(&str, Keeping)> {
    let of = |keeping: Keeping| Some((name.strip_suffix(keeping.suffix())?, keeping));
    of(Keeping::Output).or_else(|| of(Keeping::Assign))
}

/// Returns the field that each Pass State writes, and what.
fn results(definition: &Value) -> Option<Vec<(&str, &Value)>> {
    let states = definition["States"].as_object()?.values();
    states
        .map(|state| {
            Some((
                state["ResultPath"].as_str()?.strip_prefix("$.")?,
                &state["Result"],
            ))
        })
        .collect()
}

/// Pass states that write a constant into a field: `$merge` in place of ResultPath.
fn writes(definition: &Value) -> Option<Value> {
    let write = |(field, result): (&str, &Value)| {
        let merged = format!("{{% $merge([$states.input, {{'{field}': {result}}}]) %}}");
        json!({"Type": "Pass", "Output": merged})
    };
    let states = results(definition)?.into_iter().map(write).collect();
    Some(scope("P", states))
}

/// Pass states that assign a constant to a variable: at the end all variables are written into the data.
fn assignments(definition: &Value) -> Option<Value> {
    let results = results(definition)?;
    let assign =
        |(field, result): &(&str, &Value)| json!({"Type": "Pass", "Assign": {*field: result}});
    let mut states: Vec<Value> = results.iter().map(assign).collect();
    let fields: BTreeSet<&str> = results.iter().map(|(field, _)| *field).collect();
    let fields: Vec<String> = fields
        .iter()
        .map(|field| format!("'{field}': ${field}"))
        .collect();
    let merged = format!("{{% $merge([$states.input, {{{}}}]) %}}", fields.join(", "));
    states.push(json!({"Type": "Pass", "Output": merged}));
    Some(scope("P", states))
}

/// Returns a Choice that leads to a Pass State which adds one, until it is enough.
fn increments(definition: &Value) -> Option<Value> {
    let rounds = definition.pointer("/States/Check/Choices/0/NumericLessThan")?;
    let condition = format!("{{% $states.input.i < {rounds} %}}");
    Some(json!({"StartAt": "Check", "States": {
        "Check": {"Type": "Choice", "Choices": [{"Condition": condition, "Next": "Work"}], "Default": "Done"},
        "Work": {"Type": "Pass", "Output": {"i": "{% $states.input.i + 1 %}"}, "Next": "Check"},
        "Done": {"Type": "Succeed"}}}))
}

/// Three Pass states with Output over every item.
fn passes() -> Value {
    let field = |name: &str| format!("{{% $states.input.{name} %}}");
    let label = "{% $states.input.name & '-' & $states.input.id %}";
    let outputs = [
        json!({"id": field("id"), "name": field("name"), "qty": field("qty")}),
        json!({"id": field("id"), "label": label, "qty": field("qty")}),
        json!({"key": field("label"), "n": field("qty"), "const": true}),
    ];
    let pass = |output| json!({"Type": "Pass", "Output": output});
    let processor = scope("S", outputs.into_iter().map(pass).collect());
    map("Items", &field("items"), processor)
}
