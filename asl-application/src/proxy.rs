//! Events of HTTP requests for functions, and their answers (Amazon API Gateway Developer Guide, Lambda proxy integrations).
use crate::{PayloadForm, Route};
use asl_path::json;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value, json};

/// A request to an API.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApiRequest {
    /// The method.
    pub method: String,
    /// The path, from the stage on.
    pub path: String,
    /// The query without a question mark.
    pub query: String,
    /// Headers, in order.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// A response of an API.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApiResponse {
    /// The status.
    pub status: u16,
    /// Headers, in order.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl ApiRequest {
    /// Creates a request without a query, headers and a body.
    pub fn new(method: impl Into<String>, path: impl Into<String>) -> Self {
        Self {
            method: method.into(),
            path: path.into(),
            ..Self::default()
        }
    }
}

asl_path::with_methods! {
    impl ApiRequest {
        with_query(query: String),
        with_headers(headers: Vec<(String, String)>),
        with_body(body: Vec<u8>),
    }
}

impl ApiResponse {
    /// Creates a response with a JSON body.
    pub fn of_json(status: u16, body: &Value) -> Self {
        Self {
            status,
            headers: vec![("Content-Type".to_owned(), "application/json".to_owned())],
            body: body.to_string().into_bytes(),
        }
    }

    /// The response of a function that failed, or that answered with something else.
    pub(crate) fn bad_gateway(form: PayloadForm) -> Self {
        let message = match form {
            PayloadForm::Version1 => "Internal server error",
            PayloadForm::Version2 => "Internal Server Error",
        };
        let status = if form == PayloadForm::Version1 {
            502
        } else {
            500
        };
        Self::of_json(status, &json!({"message": message}))
    }
}

/// Returns the event of a request that a route has.
pub(crate) fn event(
    route: &Route,
    request: &ApiRequest,
    parameters: &[(String, String)],
    request_id: &str,
) -> Value {
    match route.form {
        PayloadForm::Version1 => version_1(route, request, parameters, request_id),
        PayloadForm::Version2 => version_2(route, request, parameters, request_id),
    }
}

fn version_1(
    route: &Route,
    request: &ApiRequest,
    parameters: &[(String, String)],
    request_id: &str,
) -> Value {
    let path = without_stage(route, &request.path);
    let query = pairs_of(&request.query);
    let (body, is_encoded) = body(&request.body);
    let stage_path = format!("/{}{path}", route.stage);
    json!({
        "resource": route.path,
        "path": path,
        "httpMethod": request.method,
        "headers": last(&request.headers),
        "multiValueHeaders": all(&request.headers),
        "queryStringParameters": last(&query),
        "multiValueQueryStringParameters": all(&query),
        "pathParameters": last(parameters),
        "stageVariables": null,
        "requestContext": {
            "accountId": "123456789012", "apiId": route.api, "httpMethod": request.method, "path": stage_path,
            "resourcePath": route.path, "stage": route.stage, "requestId": request_id, "protocol": "HTTP/1.1",
            "identity": {"sourceIp": "127.0.0.1", "userAgent": header(request, "user-agent")},
        },
        "body": body,
        "isBase64Encoded": is_encoded,
    })
}

fn version_2(
    route: &Route,
    request: &ApiRequest,
    parameters: &[(String, String)],
    request_id: &str,
) -> Value {
    let query = pairs_of(&request.query);
    let (body, is_encoded) = body(&request.body);
    let key = format!("{} {}", route.method, route.path);
    let mut event = json!({
        "version": "2.0",
        "routeKey": key,
        "rawPath": request.path,
        "rawQueryString": request.query,
        "headers": joined(&request.headers),
        "requestContext": {
            "accountId": "123456789012", "apiId": route.api, "requestId": request_id, "routeKey": key, "stage": route.stage,
            "http": {"method": request.method, "path": request.path, "protocol": "HTTP/1.1", "sourceIp": "127.0.0.1",
                "userAgent": header(request, "user-agent")},
        },
        "isBase64Encoded": is_encoded,
    });
    // Empty members are left out.
    let optional = [
        ("queryStringParameters", joined(&query)),
        ("pathParameters", last(parameters)),
        ("body", body),
    ];
    for (name, value) in optional {
        if !value.is_null() {
            event[name] = value;
        }
    }
    event
}

fn without_stage(route: &Route, path: &str) -> String {
    let stage = format!("/{}", route.stage);
    let rest = path.strip_prefix(&stage).unwrap_or(path);
    if rest.is_empty() {
        "/".to_owned()
    } else {
        rest.to_owned()
    }
}

fn header(request: &ApiRequest, name: &str) -> Option<String> {
    let mut headers = request.headers.iter();
    let found = headers.find(|(own, _)| own.eq_ignore_ascii_case(name));
    found.map(|(_, value)| value.clone())
}

/// Returns the pairs of a query.
fn pairs_of(query: &str) -> Vec<(String, String)> {
    let decoded = |text: &str| {
        let text = text.replace('+', " ");
        let decoded = percent_encoding::percent_decode_str(&text);
        decoded.decode_utf8_lossy().into_owned()
    };
    let parts = query.split('&').filter(|part| !part.is_empty());
    let pairs = parts.map(|part| part.split_once('=').unwrap_or((part, "")));
    pairs
        .map(|(name, value)| (decoded(name), decoded(value)))
        .collect()
}

/// Returns the body as text, or in Base64 if it is not UTF-8.
fn body(body: &[u8]) -> (Value, bool) {
    match std::str::from_utf8(body) {
        Ok("") => (Value::Null, false),
        Ok(text) => (text.into(), false),
        Err(_) => (BASE64_STANDARD.encode(body).into(), true),
    }
}

/// Returns an object with the last value of each name; null for none.
fn last(pairs: &[(String, String)]) -> Value {
    let pairs = pairs.iter();
    let fields: Map<String, Value> = pairs
        .map(|(name, value)| (name.clone(), value.as_str().into()))
        .collect();
    if fields.is_empty() {
        Value::Null
    } else {
        fields.into()
    }
}

/// Returns an object with a list of the values of each name; null for none.
fn all(pairs: &[(String, String)]) -> Value {
    let mut fields: Map<String, Value> = Map::new();
    for (name, value) in pairs {
        let values = fields.entry(name.clone()).or_insert_with(|| json!([]));
        if let Value::Array(values) = values {
            values.push(value.as_str().into());
        }
    }
    if fields.is_empty() {
        Value::Null
    } else {
        fields.into()
    }
}

/// Returns an object with the values of each name, separated by commas; null for none.
fn joined(pairs: &[(String, String)]) -> Value {
    let mut fields: Map<String, Value> = Map::new();
    for (name, value) in pairs {
        let joined = match fields.get(name).and_then(Value::as_str) {
            Some(before) => format!("{before},{value}"),
            None => value.clone(),
        };
        fields.insert(name.clone(), joined.into());
    }
    if fields.is_empty() {
        Value::Null
    } else {
        fields.into()
    }
}

/// Returns the response in a function's result.
pub(crate) fn response(form: PayloadForm, result: &[u8]) -> ApiResponse {
    let text = std::str::from_utf8(result).unwrap_or_default();
    let Ok(result) = json::parse(text, json::DEFAULT_MAX_DEPTH) else {
        return ApiResponse::bad_gateway(form);
    };
    let status = result.get("statusCode").and_then(status);
    match (status, form) {
        (Some(status), _) => of_result(status, &result, form),
        // An HTTP API takes a result without a status for the body.
        (None, PayloadForm::Version2) => ApiResponse::of_json(200, &result),
        (None, PayloadForm::Version1) => ApiResponse::bad_gateway(form),
    }
}

fn status(value: &Value) -> Option<u16> {
    let number = value.as_u64().or_else(|| value.as_str()?.parse().ok())?;
    u16::try_from(number)
        .ok()
        .filter(|it| (100..600).contains(it))
}

fn of_result(status: u16, result: &Value, form: PayloadForm) -> ApiResponse {
    let plain = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => json::printed(other),
    };
    let mut headers = Vec::new();
    let single = result.get("headers").and_then(Value::as_object);
    for (name, value) in single.into_iter().flatten() {
        headers.push((name.clone(), plain(value)));
    }
    let several = result.get("multiValueHeaders").and_then(Value::as_object);
    for (name, values) in several.into_iter().flatten() {
        let values = values.as_array().into_iter().flatten();
        headers.extend(values.map(|value| (name.clone(), plain(value))));
    }
    let cookies = result.get("cookies").and_then(Value::as_array);
    for cookie in cookies.into_iter().flatten() {
        headers.push(("Set-Cookie".to_owned(), plain(cookie)));
    }
    let body = result.get("body").filter(|it| !it.is_null());
    let body = body.map(plain).unwrap_or_default();
    let is_encoded = result.get("isBase64Encoded") == Some(&true.into());
    let body = match is_encoded {
        true => match BASE64_STANDARD.decode(body) {
            Ok(body) => body,
            Err(_) => return ApiResponse::bad_gateway(form),
        },
        false => body.into_bytes(),
    };
    if !headers
        .iter()
        .any(|(name, _)| name.eq_ignore_ascii_case("content-type"))
    {
        headers.push(("Content-Type".to_owned(), "application/json".to_owned()));
    }
    ApiResponse {
        status,
        headers,
        body,
    }
}
