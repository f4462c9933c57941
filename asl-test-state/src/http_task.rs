//! The request and the response of an HTTP Task, as the level TRACE shows them (Step Functions API Reference,
//! InspectionDataRequest and InspectionDataResponse).
//!
//! Nothing is sent: the request is what the effective arguments request, without what a connection of EventBridge adds, and
//! the response what the mock or the task's handler gave. How the service writes them for a mock is not recorded.
use asl_engine::{ArrayFormat, form_encoded};
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
    let query = form_encoded(parameters, ArrayFormat::Repeat);
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
            Some(form_encoded(body, ArrayFormat::from_name(format)))
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
