//! Descriptions of parts of an invalid definition, if the part itself is valid.
//!
//! The part is put into a definition that has nothing else, and is labelled as it is there.
use super::labels;
use asl_model::{Options, ResourceNames, StateKind, StateMachine, parse_value};
use serde_json::{Map, Value, json};

/// Fields that the label of a state says something of.
const TOLD: [&str; 16] = [
    "Type",
    "QueryLanguage",
    "Resource",
    "Seconds",
    "SecondsPath",
    "Timestamp",
    "TimestampPath",
    "Error",
    "ErrorPath",
    "Cause",
    "CausePath",
    "Items",
    "ItemsPath",
    "MaxConcurrency",
    "MaxConcurrencyPath",
    "ItemReader",
];

/// Describes the work of a state; empty if unknown.
pub(crate) fn detail(state: &Value, query_language: Option<&Value>) -> String {
    match state.get("Type").and_then(Value::as_str) {
        Some("Task" | "Wait" | "Fail" | "Map") => {}
        Some("Parallel") => {
            return match state.get("Branches") {
                Some(Value::Array(branches)) => labels::count_branches(branches.len()),
                _ => String::new(),
            };
        }
        _ => return String::new(),
    }
    let Some(fields) = state.as_object() else {
        return String::new();
    };
    let told = fields
        .iter()
        .filter(|(name, _)| TOLD.contains(&name.as_str()));
    let mut tried: Map<String, Value> = told
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    for arguments in ["Parameters", "Arguments"] {
        if let Some(function) = state.pointer(&format!("/{arguments}/FunctionName")) {
            tried.insert(arguments.to_owned(), json!({"FunctionName": function}));
        }
    }
    for processor in ["ItemProcessor", "Iterator"] {
        if let Some(written) = state.get(processor) {
            let mut one = json!({"StartAt": "C", "States": {"C": {"Type": "Succeed"}}});
            if let Some(config) = written.get("ProcessorConfig") {
                one["ProcessorConfig"] = config.clone();
            }
            tried.insert(processor.to_owned(), one);
        }
    }
    if state.get("Type").and_then(Value::as_str) != Some("Fail") {
        tried.insert("End".to_owned(), Value::Bool(true));
    }
    let machine = accepted(Value::Object(tried), query_language);
    let detail = machine.and_then(|machine| {
        let (_, state) = machine.states.states.first()?;
        Some(labels::detail(state))
    });
    detail.unwrap_or_default()
}

/// Describes the condition of a Choice Rule.
pub(crate) fn rule(rule: &Value, state: &Value, query_language: Option<&Value>) -> String {
    let mut tried = rule.clone();
    if let Some(fields) = tried.as_object_mut() {
        for payload in ["Assign", "Output"] {
            fields.remove(payload);
        }
        fields.insert("Next".to_owned(), "B".into());
    }
    let mut choice = json!({"Type": "Choice", "Choices": [tried]});
    if let Some(language) = state.get("QueryLanguage") {
        choice["QueryLanguage"] = language.clone();
    }
    let machine = accepted(choice, query_language);
    let label = machine.and_then(|machine| match &machine.states.states.first()?.1.kind {
        StateKind::Choice(choice) => Some(labels::rule(&choice.choices.first()?.rule)),
        _ => None,
    });
    label.unwrap_or_else(|| {
        let text = rule.get("Condition").or_else(|| rule.get("Variable"));
        text.and_then(Value::as_str).unwrap_or("a rule").to_owned()
    })
}

/// A definition that has this state alone, and one to go to.
fn accepted(state: Value, query_language: Option<&Value>) -> Option<StateMachine> {
    let is_choice = state.get("Type").and_then(Value::as_str) == Some("Choice");
    let mut definition = json!({"StartAt": "A", "States": {"A": state}});
    if is_choice {
        definition["States"]["B"] = json!({"Type": "Succeed"});
    }
    if let Some(language) = query_language {
        definition["QueryLanguage"] = language.clone();
    }
    let options = Options::default().with_resources(ResourceNames::Any);
    parse_value(&definition, options)
        .ok()
        .map(|(machine, _)| machine)
}
