//! Test helper: findings about one call.
use asl_model::{Diagnostic, Options};
use serde_json::{Value, json};

fn messages(definition: &Value) -> Vec<String> {
    let text = definition.to_string();
    let (machine, _) =
        asl_model::parse(&text, Options::default()).unwrap_or_else(|faults| panic!("{faults}"));
    let found = crate::lint(&machine, Options::default());
    found.iter().filter(|one| is_own(one)).map(line).collect()
}

/// Returns true if a lint of integrations found it: those of the flow have their own tests.
pub(crate) fn is_own(found: &Diagnostic) -> bool {
    let name = found.rule.name();
    ["argument", "sdk"].iter().any(|word| name.contains(word))
}

/// `error: message at location field (hint) [fix]`, with `!` after a fix that is sure.
fn line(one: &Diagnostic) -> String {
    let field = one.field.as_ref().map(|field| format!(" {field}"));
    let hint = one.hint.as_ref().map(|hint| format!(" ({hint})"));
    let fix = one.fix.as_ref().map(|fix| {
        let sure = if fix.is_sure { "!" } else { "" };
        format!(" [{}{sure}]", fix.title)
    });
    format!(
        "{}: {} at {}{}{}{}",
        one.severity,
        one.message,
        one.location,
        field.unwrap_or_default(),
        hint.unwrap_or_default(),
        fix.unwrap_or_default()
    )
}

fn task(resource: &str, field: &str, arguments: Value) -> Value {
    let mut task =
        json!({"Type": "Task", "Resource": format!("arn:aws:states:::{resource}"), "End": true});
    if !arguments.is_null() {
        task[field] = arguments;
    }
    task
}

/// Returns the findings about a task with these Parameters; null for none.
pub(crate) fn found_in(resource: &str, parameters: Value) -> Vec<String> {
    let task = task(resource, "Parameters", parameters);
    messages(&json!({"StartAt": "A", "States": {"A": task}}))
}

/// Returns the findings about a task with these Arguments.
pub(crate) fn found_in_jsonata(resource: &str, arguments: Value) -> Vec<String> {
    let task = task(resource, "Arguments", arguments);
    messages(&json!({"QueryLanguage": "JSONata", "StartAt": "A", "States": {"A": task}}))
}

/// Returns the findings about a distributed Map State with these fields.
pub(crate) fn found_in_map(fields: Value) -> Vec<String> {
    let mut map = json!({"Type": "Map", "End": true, "ItemProcessor": {
        "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
        "StartAt": "B", "States": {"B": {"Type": "Pass", "End": true}}}});
    if let (Some(map), Value::Object(fields)) = (map.as_object_mut(), fields) {
        map.extend(fields);
    }
    messages(&json!({"StartAt": "A", "States": {"A": map}}))
}

/// Nothing is said of a task with these Parameters.
pub(crate) fn nothing_in(resource: &str, parameters: Value) {
    assert_eq!(found_in(resource, parameters), [""; 0], "{resource}");
}
