//! The same data work in JSONata: each twin has the input and the output of a workload in JSONPath.
use super::{map, scope};
use crate::workload::files::Workload;
use serde_json::{Value, json};

/// Workloads that have a twin in JSONata.
pub(crate) const TWINS: [&str; 4] = ["chain", "loop", "map-pass", "big-payload"];

/// The twin of a workload.
pub(crate) fn twin(of: &Workload) -> Option<Workload> {
    let definition: Value = serde_json::from_str(&of.definition).ok()?;
    let mut definition = match of.name.as_str() {
        "chain" | "big-payload" => writes(&definition)?,
        "loop" => increments(&definition)?,
        "map-pass" => passes(),
        _ => return None,
    };
    definition["QueryLanguage"] = "JSONata".into();
    Some(of.in_other_words(format!("{}-jsonata", of.name), &definition))
}

/// Pass states that write a constant into a field: `$merge` in place of ResultPath.
fn writes(definition: &Value) -> Option<Value> {
    let states = definition["States"].as_object()?;
    let write = |state: &Value| {
        let field = state["ResultPath"].as_str()?.strip_prefix("$.")?;
        let result = &state["Result"];
        let merged = format!("{{% $merge([$states.input, {{'{field}': {result}}}]) %}}");
        Some(json!({"Type": "Pass", "Output": merged}))
    };
    let states: Option<Vec<Value>> = states.values().map(write).collect();
    Some(scope("P", states?))
}

/// A Choice that leads to a Pass State which adds one, until it is enough.
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
