//! Requests of `http:invoke` (Step Functions Developer Guide, Call HTTPS APIs).
use super::connection_book::{Authorization, Connection};
use super::{plain, refused};
use asl_aws::{Endpoint, HttpRequest};
use asl_engine::{ArrayFormat, TaskError, form_encoded};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value};

/// Methods that the service allows.
const METHODS: [&str; 7] = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"];

/// Headers that a task may not set.
const FORBIDDEN: [&str; 31] = [
    "a-im",
    "accept-charset",
    "accept-datetime",
    "accept-encoding",
    "authorization",
    "cache-control",
    "connection",
    "content-encoding",
    "content-md5",
    "date",
    "expect",
    "forwarded",
    "from",
    "host",
    "http2-settings",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
    "max-forwards",
    "origin",
    "pragma",
    "proxy-authorization",
    "referer",
    "server",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "via",
];
/// Another one, and the beginnings of more.
const FORBIDDEN_BEGINNINGS: [&str; 4] = ["warning", "x-forwarded-", "x-amz-", "x-amzn-"];

/// The requested bytes of a response.
const RANGE: &str = "bytes=0-262144";

/// A request to an API.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ApiRequest {
    pub(super) method: String,
    /// Without the query.
    pub(super) url: String,
    pub(super) query: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
    /// True for an API of this machine, which needs not be allowed.
    pub(super) is_of_this_machine: bool,
}

impl ApiRequest {
    /// Returns the request that arguments describe, with the parameters of their connection.
    pub(super) fn of_http(
        arguments: &Value,
        connection: &Connection,
        region: &str,
    ) -> Result<Self, TaskError> {
        let text = |name: &str| arguments.get(name).and_then(Value::as_str);
        let endpoint =
            text("ApiEndpoint").ok_or_else(|| refused("expected a text as the ApiEndpoint"))?;
        let method = text("Method").unwrap_or_default();
        if !METHODS.contains(&method) {
            let all = METHODS.join(", ");
            return Err(refused(format!(
                "expected one of {all} as the Method, found '{method}'"
            )));
        }
        let (url, own_query) = endpoint.split_once('?').unwrap_or((endpoint, ""));
        let mut request = Self {
            method: method.to_owned(),
            url: url.to_owned(),
            query: query(own_query, &arguments["QueryParameters"], &connection.query),
            headers: headers(&arguments["Headers"])?,
            body: Vec::new(),
            is_of_this_machine: false,
        };
        for (name, value) in &connection.headers {
            request.set_header(name, value);
        }
        request.set_body(arguments, connection)?;
        request.set_unless_there("Content-Type", "application/json; charset=UTF-8");
        request.set_header("Range", RANGE);
        request.set_header(
            "User-Agent",
            &format!("Amazon|StepFunctions|HttpInvoke|{region}"),
        );
        Ok(request)
    }

    /// Adds the authorization of a connection; `token` is that of OAuth.
    pub(super) fn authorize(
        &mut self,
        connection: &Connection,
        token: Option<String>,
    ) -> Result<(), TaskError> {
        match &connection.authorization {
            Authorization::None => {}
            Authorization::ApiKey { name, value } => self.set_header(name, value),
            Authorization::Basic { user, password } => {
                let encoded = BASE64_STANDARD.encode(format!("{user}:{password}"));
                self.set_header("Authorization", &format!("Basic {encoded}"));
            }
            Authorization::ClientCredentials(_) => {
                let token = token.ok_or_else(|| refused("the connection has no token"))?;
                self.set_header("Authorization", &token);
            }
        }
        Ok(())
    }

    fn set_body(&mut self, arguments: &Value, connection: &Connection) -> Result<(), TaskError> {
        let mut body = arguments.get("RequestBody").cloned().unwrap_or_default();
        if !connection.body.is_empty() {
            if body.is_null() {
                body = Value::Object(Map::new());
            }
            let Value::Object(fields) = &mut body else {
                return Err(refused(
                    "the connection has body parameters, which need an object as the RequestBody",
                ));
            };
            for (name, value) in &connection.body {
                fields.insert(name.clone(), value.as_str().into());
            }
        }
        if body.is_null() {
            return Ok(());
        }
        let transform = &arguments["Transform"];
        if transform["RequestBodyEncoding"].as_str() == Some("URL_ENCODED") {
            let format = transform["RequestEncodingOptions"]["ArrayFormat"].as_str();
            self.body = form_encoded(&body, ArrayFormat::from_name(format)).into_bytes();
            self.set_unless_there("Content-Type", "application/x-www-form-urlencoded");
        } else {
            self.body = plain(&body).into_bytes();
        }
        Ok(())
    }

    pub(super) fn set_header(&mut self, name: &str, value: &str) {
        self.headers
            .retain(|(own, _)| !own.eq_ignore_ascii_case(name));
        self.headers.push((name.to_owned(), value.to_owned()));
    }

    fn set_unless_there(&mut self, name: &str, value: &str) {
        if !self
            .headers
            .iter()
            .any(|(own, _)| own.eq_ignore_ascii_case(name))
        {
            self.set_header(name, value);
        }
    }

    /// Returns the endpoint and the request to it.
    pub(super) fn http_request(&self, region: &str) -> Result<(Endpoint, HttpRequest), TaskError> {
        let endpoint = Endpoint::parse(&self.url, region);
        let endpoint = endpoint.map_err(|_| {
            refused(format!(
                "expected a URL with https and a host, found '{}'",
                self.url
            ))
        })?;
        // A slash at the end is a part of the path.
        let path = self.url.splitn(4, '/').nth(3).unwrap_or_default();
        let mut request = HttpRequest::new(&self.method, format!("/{path}"));
        request.query.clone_from(&self.query);
        request.headers.clone_from(&self.headers);
        request
            .headers
            .push(("Host".to_owned(), endpoint.authority.clone()));
        request.body.clone_from(&self.body);
        Ok((endpoint, request))
    }
}

/// Returns the query: what the URL has, the task's parameters, and those of the connection, which win.
fn query(own: &str, parameters: &Value, of_connection: &[(String, String)]) -> String {
    let mut fields = parameters.as_object().cloned().unwrap_or_default();
    for (name, value) in of_connection {
        fields.insert(name.clone(), value.as_str().into());
    }
    let encoded = form_encoded(&Value::Object(fields), ArrayFormat::Repeat);
    let parts = [own, encoded.as_str()];
    let parts: Vec<&str> = parts.into_iter().filter(|it| !it.is_empty()).collect();
    parts.join("&")
}

fn headers(value: &Value) -> Result<Vec<(String, String)>, TaskError> {
    let mut headers = Vec::new();
    for (name, value) in value.as_object().into_iter().flatten() {
        let lower = name.to_ascii_lowercase();
        let is_forbidden = FORBIDDEN.contains(&lower.as_str())
            || FORBIDDEN_BEGINNINGS.iter().any(|it| lower.starts_with(it));
        if is_forbidden {
            return Err(refused(format!(
                "the header '{name}' cannot be set by a task"
            )));
        }
        let values = value
            .as_array()
            .map_or(std::slice::from_ref(value), Vec::as_slice);
        let values: Vec<String> = values.iter().map(plain).collect();
        headers.push((name.clone(), values.join(",")));
    }
    Ok(headers)
}
