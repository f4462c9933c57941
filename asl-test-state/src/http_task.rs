//! The request and the response of an HTTP Task, as the level TRACE shows them (Step Functions API Reference,
//! InspectionDataRequest and InspectionDataResponse).
//!
//! Nothing is sent: the request is what the effective arguments request, without what a connection of EventBridge adds, and
//! the response what the mock or the task's handler gave. How the service writes them for a mock is not recorded.
use form_urlencoded::Serializer;
use serde_json::{Map, Value};

/// The end of the Resource of an HTTP Task.
const HTTP_INVOKE: &str = ":states:::http:invoke";

/// Returns true if a Resource calls an HTTP API.
pub(crate) fn is_http_task(resource: &str) -> bool {
    resource.ends_with(HTTP_INVOKE)
}

/// Returns the request that the task's arguments describe.
pub(crate) fn request(arguments: &Value) -> Map<String, Value> {
    let endpoint = arguments["ApiEndpoint"].as_str().unwrap_or_default();
    let mut members = Map::new();
    let mut put = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            members.insert(name.to_owned(), value.into());
        }
    };
    let protocol = endpoint.split_once("://").map(|(scheme, _)| scheme);
    put("protocol", protocol.map(str::to_owned));
    put("method", arguments["Method"].as_str().map(str::to_owned));
    put("url", Some(url(endpoint, &arguments["QueryParameters"])));
    put("headers", headers(&arguments["Headers"]));
    put("body", body(arguments));
    members
}

/// Returns the response in the result of the task.
pub(crate) fn response(result: &Value) -> Map<String, Value> {
    let mut members = Map::new();
    let texts = [
        ("statusCode", text(&result["StatusCode"])),
        ("statusMessage", text(&result["StatusText"])),
        ("headers", headers(&result["Headers"])),
        ("body", text(&result["ResponseBody"])),
    ];
    members.insert("protocol".to_owned(), "https".into());
    for (name, value) in texts {
        members.extend(value.map(|value| (name.to_owned(), value.into())));
    }
    members
}

fn url(endpoint: &str, parameters: &Value) -> String {
    let query = encoded(parameters, ArrayFormat::Repeat);
    let separator = if endpoint.contains('?') { '&' } else { '?' };
    match query.is_empty() {
        true => endpoint.to_owned(),
        false => format!("{endpoint}{separator}{query}"),
    }
}

/// `[name: value, name: value]`.
fn headers(headers: &Value) -> Option<String> {
    let headers = headers.as_object()?.iter().map(|(name, value)| {
        let values = value
            .as_array()
            .map_or(std::slice::from_ref(value), |it| it);
        let values: Vec<String> = values.iter().filter_map(text).collect();
        format!("{name}: {}", values.join(", "))
    });
    Some(format!("[{}]", headers.collect::<Vec<_>>().join(", ")))
}

fn body(arguments: &Value) -> Option<String> {
    let transform = &arguments["Transform"];
    let body = &arguments["RequestBody"];
    match transform["RequestBodyEncoding"].as_str() {
        Some("URL_ENCODED") => {
            let format = transform["RequestEncodingOptions"]["ArrayFormat"].as_str();
            Some(encoded(body, ArrayFormat::from_name(format)))
        }
        _ => text(body),
    }
}

/// Returns a string unchanged, other data as JSON, and None for a missing value.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// Encoding of array items in a form (Step Functions Developer Guide, HTTP Task, RequestEncodingOptions).
#[derive(Clone, Copy)]
enum ArrayFormat {
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
    fn from_name(name: Option<&str>) -> Self {
        match name {
            Some("REPEAT") => Self::Repeat,
            Some("COMMAS") => Self::Commas,
            Some("BRACKETS") => Self::Brackets,
            Some("NONE") => Self::None,
            _ => Self::Indices,
        }
    }
}

/// Fields as a form has them, those of objects in objects as `a[b]`.
fn encoded(fields: &Value, format: ArrayFormat) -> String {
    let mut form = Serializer::new(String::new());
    // What is still to be written, the next at the end: nesting takes no stack.
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
                    form.append_pair(&name, &items.join(","));
                }
                ArrayFormat::None => {
                    form.append_pair(&name, &value.to_string());
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
                form.append_pair(&name, &text(scalar).unwrap_or_default());
            }
        }
    }
    form.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
            let form = encoded(&fields, ArrayFormat::from_name(Some(name)));
            assert_eq!(
                form,
                format!("{array}&b%5Bc%5D=1&b%5Bd%5D=true&e="),
                "{name}"
            );
        }
        assert_eq!(encoded(&json!("text"), ArrayFormat::Indices), "");
    }

    #[test]
    fn deep_names_take_no_stack() {
        let deep = (0..1_000).fold(json!(1), |inner, _| {
            let mut object = Map::new();
            object.insert("a".to_owned(), inner);
            Value::Object(object)
        });
        assert!(encoded(&deep, ArrayFormat::Indices).ends_with("=1"));
    }
}
