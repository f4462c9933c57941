//! Requests of `apigateway:invoke` (Step Functions Developer Guide, Call API Gateway).
use super::request::ApiRequest;
use super::{plain, refused};
use asl_engine::{ArrayFormat, TaskError, form_encoded};
use serde_json::Value;
use std::collections::BTreeMap;

/// Returns the request that arguments describe. APIs of this machine are found by the first label of the endpoint's host.
pub(super) fn request(
    arguments: &Value,
    apis: &BTreeMap<String, String>,
) -> Result<ApiRequest, TaskError> {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str);
    let endpoint =
        text("ApiEndpoint").ok_or_else(|| refused("expected a text as the ApiEndpoint"))?;
    let method = text("Method").ok_or_else(|| refused("expected a text as the Method"))?;
    let endpoint = endpoint
        .trim_start_matches("https://")
        .trim_end_matches('/');
    let id = endpoint.split('.').next().unwrap_or_default();
    let local = apis.get(id);
    let base = local.map_or_else(|| format!("https://{endpoint}"), String::clone);
    let parts = [text("Stage"), text("Path")].map(Option::unwrap_or_default);
    let parts = parts.iter().map(|part| part.trim_start_matches('/'));
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let body = arguments.get("RequestBody").filter(|it| !it.is_null());
    let mut request = ApiRequest {
        method: method.to_owned(),
        url: format!("{base}/{}", parts.join("/")),
        query: form_encoded(&arguments["QueryParameters"], ArrayFormat::Repeat),
        headers: Vec::new(),
        body: body.map(plain).unwrap_or_default().into_bytes(),
        is_of_this_machine: local.is_some(),
    };
    if body.is_some() {
        request.set_header("Content-Type", "application/json");
    }
    for (name, value) in arguments["Headers"].as_object().into_iter().flatten() {
        let values = value
            .as_array()
            .map_or(std::slice::from_ref(value), Vec::as_slice);
        let values: Vec<String> = values.iter().map(plain).collect();
        request.set_header(name, &values.join(","));
    }
    Ok(request)
}
