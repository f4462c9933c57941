//! Values as messages of the service show them: as Java prints them.
use serde_json::Value;
use std::fmt;

/// A value that is shown in a message. `member` is the name of the list or of the member that it is in.
pub(super) fn show(value: &Value, member: &str) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(entries) => {
            let entries: Vec<String> = entries.iter().map(|entry| show(entry, member)).collect();
            format!("[{}]", entries.join(", "))
        }
        Value::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(name, value)| format!("{name}={}", show(value, name)))
                .collect();
            format!("{}({})", type_name(member), members.join(", "))
        }
        other => other.to_string(),
    }
}

/// Returns the model's name for the objects of a list.
fn type_name(member: &str) -> &str {
    match member {
        "routingConfiguration" => "RoutingConfigurationListItem",
        "tags" => "Tag",
        other => other,
    }
}

/// The JSON that was found where something else belongs.
pub(super) struct TypeOf<'v>(pub(super) &'v Value);

impl fmt::Display for TypeOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Value::Null => "NULL_VALUE",
            Value::Bool(true) => "TRUE_VALUE",
            Value::Bool(false) => "FALSE_VALUE",
            Value::Number(number) if number.is_f64() => "DECIMAL_VALUE",
            Value::Number(_) => "NUMBER_VALUE",
            Value::String(_) => "STRING_VALUE",
            Value::Array(_) => "START_ARRAY",
            Value::Object(_) => "START_OBJECT",
        })
    }
}
