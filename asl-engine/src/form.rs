//! Forms, as HTTP Tasks send them.
use serde_json::Value;

/// Encoding of array items in a form (Step Functions Developer Guide, HTTP Task, RequestEncodingOptions).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the service has these")]
pub enum ArrayFormat {
    /// `a[0]=x&a[1]=y`
    Indices,
    /// `a=x&a=y`
    Repeat,
    /// `a=x,y`
    Commas,
    /// `a[]=x&a[]=y`
    Brackets,
    /// `a=["x","y"]`
    None,
}

impl ArrayFormat {
    /// Returns the format of a name; `INDICES` is the default.
    pub fn from_name(name: Option<&str>) -> Self {
        match name {
            Some("REPEAT") => Self::Repeat,
            Some("COMMAS") => Self::Commas,
            Some("BRACKETS") => Self::Brackets,
            Some("NONE") => Self::None,
            _ => Self::Indices,
        }
    }
}

/// Returns fields as a form has them (`application/x-www-form-urlencoded`), those of objects in objects as `a[b]`.
///
/// ```
/// use asl_engine::{ArrayFormat, form_encoded};
/// use serde_json::json;
///
/// let fields = json!({"a": ["x", "y z"], "b": {"c": 1}});
/// assert_eq!(form_encoded(&fields, ArrayFormat::Repeat), "a=x&a=y+z&b%5Bc%5D=1");
/// ```
pub fn form_encoded(fields: &Value, format: ArrayFormat) -> String {
    let mut form = Form::default();
    // Values that are not written yet, the next at the end: nesting takes no stack.
    let mut open: Vec<(String, &Value)> = Vec::new();
    let inner = |name: &str, inner: &str| match name.is_empty() {
        true => inner.to_owned(),
        false => format!("{name}[{inner}]"),
    };
    open.push((String::new(), fields));
    while let Some((name, value)) = open.pop() {
        match value {
            Value::Object(fields) => {
                let fields = fields.iter().rev();
                open.extend(fields.map(|(field, value)| (inner(&name, field), value)));
            }
            Value::Array(items) => match format {
                ArrayFormat::Commas => {
                    let items: Vec<String> = items.iter().filter_map(text).collect();
                    form.append(&name, &items.join(","));
                }
                ArrayFormat::None => {
                    form.append(&name, &value.to_string());
                }
                _ => open.extend(items.iter().enumerate().rev().map(|(index, item)| {
                    let name = match format {
                        ArrayFormat::Repeat => name.clone(),
                        ArrayFormat::Brackets => format!("{name}[]"),
                        _ => inner(&name, &index.to_string()),
                    };
                    (name, item)
                })),
            },
            _ if name.is_empty() => {}
            scalar => {
                form.append(&name, &text(scalar).unwrap_or_default());
            }
        }
    }
    form.0
}

/// Returns a string unchanged, other data as JSON, and None for null.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// Pairs as a form has them (URL Standard, application/x-www-form-urlencoded serializing).
#[derive(Default)]
struct Form(String);

impl Form {
    fn append(&mut self, name: &str, value: &str) {
        if !self.0.is_empty() {
            self.0.push('&');
        }
        self.append_text(name);
        self.0.push('=');
        self.append_text(value);
    }

    fn append_text(&mut self, text: &str) {
        for byte in text.bytes() {
            match byte {
                b' ' => self.0.push('+'),
                b'*' | b'-' | b'.' | b'_' => self.0.push(char::from(byte)),
                _ if byte.is_ascii_alphanumeric() => self.0.push(char::from(byte)),
                _ => self.0.push_str(&format!("%{byte:02X}")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Map, json};

    #[test]
    fn arrays_and_objects_in_forms_are_written_as_their_format_says() {
        let fields = json!({"a": ["x", "y z"], "b": {"c": 1, "d": true}, "e": null});
        let forms = [
            ("INDICES", "a%5B0%5D=x&a%5B1%5D=y+z"),
            ("REPEAT", "a=x&a=y+z"),
            ("COMMAS", "a=x%2Cy+z"),
            ("BRACKETS", "a%5B%5D=x&a%5B%5D=y+z"),
            ("NONE", "a=%5B%22x%22%2C%22y+z%22%5D"),
        ];
        for (name, array) in forms {
            let form = form_encoded(&fields, ArrayFormat::from_name(Some(name)));
            assert_eq!(
                form,
                format!("{array}&b%5Bc%5D=1&b%5Bd%5D=true&e="),
                "{name}"
            );
        }
        assert_eq!(form_encoded(&json!("text"), ArrayFormat::Indices), "");
    }

    #[test]
    fn deep_names_take_no_stack() {
        let deep = (0..1_000).fold(json!(1), |inner, _| {
            let mut object = Map::new();
            object.insert("a".to_owned(), inner);
            Value::Object(object)
        });
        assert!(form_encoded(&deep, ArrayFormat::Indices).ends_with("=1"));
    }
}
