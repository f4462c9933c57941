//! Writing of test files.
use serde_json::Value;

/// Writes a field in block style; empty collections and scalars are on its line.
pub(crate) fn write_field(text: &mut String, name: &str, value: &Value, indent: usize) {
    text.push_str(&" ".repeat(indent));
    text.push_str(&quoted(name));
    text.push(':');
    write_value(text, value, indent);
}

fn write_value(text: &mut String, value: &Value, indent: usize) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            text.push('\n');
            for (name, value) in fields {
                write_field(text, name, value, indent + 2);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            text.push('\n');
            for item in items {
                text.push_str(&" ".repeat(indent + 2));
                // JSON is YAML.
                text.push_str(&format!("- {item}\n"));
            }
        }
        Value::String(string) => text.push_str(&format!(" {}\n", quoted(string))),
        scalar => text.push_str(&format!(" {scalar}\n")),
    }
}

/// A text as YAML has it: plain where nothing in it can be taken for more, else in quotes, as JSON has it.
pub(crate) fn quoted(text: &str) -> String {
    let is_plain =
        |character: char| character.is_ascii_alphanumeric() || "_-./".contains(character);
    let begins = text.starts_with(|first: char| first.is_ascii_alphabetic());
    let is_word = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word));
    match begins && !is_word && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => Value::from(text).to_string(),
    }
}
