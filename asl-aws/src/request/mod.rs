//! Requests.
mod json;
mod parameters;
mod query;
mod rest;
mod scalar;
mod xml;

use crate::encoding::percent_encoded;
use crate::error::RequestError;
use asl_path::json::printed;
use asl_services::{Interface, Kind, Operation, Protocol, Service, Shape};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use parameters::{MemberValue, Scope, members, wrong_type};
use serde_json::{Value, json};

/// An HTTP request, before it has a host and a signature.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HttpRequest {
    /// The method.
    pub method: String,
    /// The path, percent-encoded. It starts with a slash.
    pub path: String,
    /// The query without a question mark; empty for none.
    pub query: String,
    /// Headers in the order in which they were added.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// Prefix of the host, at the service's own endpoints: `data-`.
    pub host_prefix: Option<String>,
}

impl HttpRequest {
    /// Creates a request with a method and a percent-encoded path.
    pub fn new(method: impl Into<String>, path: impl Into<String>) -> Self {
        Self {
            method: method.into(),
            path: path.into(),
            ..Self::default()
        }
    }

    /// Returns the value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(own, _)| own.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    fn push(&mut self, name: &str, value: impl Into<String>) {
        self.headers.push((name.to_owned(), value.into()));
    }

    fn push_unless_there(&mut self, name: &str, value: &str) {
        if self.header(name).is_none() {
            self.push(name, value);
        }
    }
}

/// Returns the request of an operation.
///
/// The names of parameters are those of the API (`jobName`) or those of states (`JobName`). `idempotency_token` fills a
/// parameter that makes requests unique, where the parameters do not have it: the same token makes the same request.
///
/// ```
/// use asl_services::Services;
/// use serde_json::json;
///
/// let sqs = Services::new().callable_service("sqs").unwrap();
/// let parameters = json!({"QueueUrl": "http://localhost:9324/queue/orders", "MessageBody": {"id": 7}});
/// let request = asl_aws::request(&sqs, "sendMessage", &parameters, "1").unwrap();
/// assert_eq!(request.header("X-Amz-Target"), Some("AmazonSQS.SendMessage"));
/// let body = r#"{"QueueUrl":"http://localhost:9324/queue/orders","MessageBody":"{\"id\":7}"}"#;
/// assert_eq!(request.body, body.as_bytes());
/// ```
///
/// # Errors
/// If there is no such operation, if its protocol is not supported, and for parameters that do not fit.
pub fn request(
    service: &Service,
    operation: &str,
    parameters: &Value,
    idempotency_token: &str,
) -> Result<HttpRequest, RequestError> {
    let (interface, operation) = supported(service, operation)?;
    let scope = Scope::new(idempotency_token);
    let writer = Writer {
        interface,
        operation,
        parameters,
        scope,
    };
    let mut request = match interface.protocol {
        Protocol::Json => writer.json()?,
        Protocol::Query => writer.form(false)?,
        Protocol::Ec2 => writer.form(true)?,
        _ => writer.rest()?,
    };
    let binding = operation.binding();
    if binding.has_checksum && !request.body.is_empty() {
        add_checksum(&mut request);
    }
    Ok(request)
}

/// Returns an operation with its interface, if calls of it are supported.
pub(crate) fn supported<'s>(
    service: &'s Service,
    name: &str,
) -> Result<(&'s Interface, Operation<'s>), RequestError> {
    let unsupported = |reason: String| RequestError::Unsupported(reason);
    let of_service = service.name();
    let operation = service.operation(name);
    let operation =
        operation.ok_or_else(|| unsupported(format!("{of_service} has no operation {name}")))?;
    let interface = service
        .interface()
        .ok_or_else(|| unsupported(format!("the protocol of {of_service} was not read")))?;
    if interface.protocol == Protocol::Cbor {
        let reason =
            format!("{of_service} cannot be called: its API has only CBOR, which is not supported");
        return Err(unsupported(reason));
    }
    let streams = |shape: Shape<'_>| {
        let mut members = shape.members();
        members.any(|member| member.shape().traits().is_event_stream())
    };
    if [operation.input(), operation.output()]
        .into_iter()
        .flatten()
        .any(streams)
    {
        let name = operation.name();
        let reason =
            format!("{of_service}:{name} cannot be called: streams of events are not supported");
        return Err(unsupported(reason));
    }
    Ok((interface, operation))
}

struct Writer<'r> {
    interface: &'r Interface,
    operation: Operation<'r>,
    parameters: &'r Value,
    scope: Scope<'r>,
}

impl<'r> Writer<'r> {
    fn members(&self) -> Result<Vec<MemberValue<'r, 'r>>, RequestError> {
        match self.operation.input() {
            Some(input) => members(input, self.parameters, self.scope),
            None if self
                .parameters
                .as_object()
                .is_some_and(serde_json::Map::is_empty) =>
            {
                Ok(Vec::new())
            }
            None if self.parameters.is_null() => Ok(Vec::new()),
            None => Err(wrong_type("an object without parameters", self.parameters)),
        }
    }

    /// A request without method, path and body.
    fn begin(&self) -> Result<(HttpRequest, Vec<MemberValue<'r, 'r>>), RequestError> {
        let members = self.members()?;
        let binding = self.operation.binding();
        let prefix = binding.host_prefix.as_deref();
        let request = HttpRequest {
            method: binding.method.clone(),
            host_prefix: prefix
                .map(|it| rest::host_prefix(it, &members))
                .transpose()?,
            ..HttpRequest::default()
        };
        Ok((request, members))
    }

    fn json(&self) -> Result<HttpRequest, RequestError> {
        let (mut request, _) = self.begin()?;
        "/".clone_into(&mut request.path);
        let Interface {
            json_version,
            target_prefix,
            ..
        } = self.interface;
        let version = if json_version.is_empty() {
            "1.0"
        } else {
            json_version
        };
        request.push("Content-Type", format!("application/x-amz-json-{version}"));
        request.push(
            "X-Amz-Target",
            format!("{target_prefix}.{}", self.operation.name()),
        );
        if self.interface.is_query_compatible {
            request.push("x-amzn-query-mode", "true");
        }
        let body = match self.operation.input() {
            Some(input) => json::value(input, input.traits(), self.parameters, self.scope)?,
            None => json!({}),
        };
        request.body = printed(&body).into_bytes();
        Ok(request)
    }

    fn form(&self, is_of_ec2: bool) -> Result<HttpRequest, RequestError> {
        let (mut request, _) = self.begin()?;
        "/".clone_into(&mut request.path);
        request.push(
            "Content-Type",
            "application/x-www-form-urlencoded; charset=utf-8",
        );
        let name = percent_encoded(self.operation.name());
        let version = percent_encoded(&self.interface.api_version);
        let mut body = format!("Action={name}&Version={version}");
        let fields = query::Form::fields(
            self.operation.input(),
            self.parameters,
            is_of_ec2,
            self.scope,
        )?;
        for (name, value) in fields {
            body.push_str(&format!(
                "&{}={}",
                percent_encoded(&name),
                percent_encoded(&value)
            ));
        }
        request.body = body.into_bytes();
        Ok(request)
    }

    fn rest(&self) -> Result<HttpRequest, RequestError> {
        let (mut request, members) = self.begin()?;
        let input = self.operation.input();
        let uri = &self.operation.binding().uri;
        rest::write_outside_of_body(&mut request, uri, &members, input)?;
        let Some(input) = input else {
            return Ok(request);
        };
        match input.traits().payload() {
            Some(name) => self.payload(&mut request, input, name, &members)?,
            None => self.body(&mut request, input, &members)?,
        }
        Ok(request)
    }

    /// A member is the body.
    fn payload(
        &self,
        request: &mut HttpRequest,
        input: Shape<'_>,
        name: &str,
        members: &[MemberValue<'_, '_>],
    ) -> Result<(), RequestError> {
        let given = members.iter().find(|(member, _)| member.name() == name);
        let value = given.map(|(_, value)| value.as_ref());
        let Some(member) = input.members().find(|member| member.name() == name) else {
            return Ok(());
        };
        let (shape, traits) = (member.shape(), member.traits());
        let within = |error: RequestError| error.within(name);
        match (shape.kind(), self.interface.protocol) {
            (Kind::Blob | Kind::String, _) => {
                let Some(value) = value else { return Ok(()) };
                request.body = scalar::bytes(value).into_owned();
                let content_type = match shape.kind() {
                    Kind::String => "text/plain",
                    _ => "application/octet-stream",
                };
                request.push_unless_there("Content-Type", content_type);
            }
            (_, Protocol::RestXml) => {
                let Some(value) = value else { return Ok(()) };
                let root = traits.name().unwrap_or(name);
                let mut body = String::new();
                let written = xml::element(&mut body, root, (shape, traits), value, self.scope);
                written.map_err(within)?;
                request.body = body.into_bytes();
                request.push_unless_there("Content-Type", "application/xml");
            }
            (kind, _) => {
                let body = match (value, kind) {
                    (Some(value), _) => {
                        json::value(shape, traits, value, self.scope).map_err(within)?
                    }
                    (None, Kind::Document) => return Ok(()),
                    (None, _) => json!({}),
                };
                request.body = printed(&body).into_bytes();
                request.push_unless_there("Content-Type", "application/json");
            }
        }
        Ok(())
    }

    /// All members without another place are the body.
    fn body(
        &self,
        request: &mut HttpRequest,
        input: Shape<'_>,
        members: &[MemberValue<'_, '_>],
    ) -> Result<(), RequestError> {
        if !input
            .members()
            .any(|member| member.traits().location().is_none())
        {
            return Ok(());
        }
        let mut given = members.iter();
        let has_body = given.any(|(member, _)| member.traits().location().is_none());
        let is_xml = self.interface.protocol == Protocol::RestXml;
        if is_xml && !has_body {
            return Ok(());
        }
        if is_xml {
            let own = &self.operation.binding().input;
            let root = own.name().unwrap_or(self.operation.name());
            let traits = match own.xml_namespace() {
                Some(_) => own,
                None => input.traits(),
            };
            let mut body = String::new();
            xml::element(
                &mut body,
                root,
                (input, traits),
                self.parameters,
                self.scope,
            )?;
            request.body = body.into_bytes();
            request.push_unless_there("Content-Type", "application/xml");
        } else {
            let body = json::value(input, input.traits(), self.parameters, self.scope)?;
            request.body = printed(&body).into_bytes();
            request.push_unless_there("Content-Type", "application/json");
        }
        Ok(())
    }
}

fn add_checksum(request: &mut HttpRequest) {
    const PREFIX: &str = "x-amz-checksum-";
    let has_one = request.headers.iter().any(|(name, _)| {
        name.get(..PREFIX.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(PREFIX))
    });
    if !has_one {
        let checksum = crc32fast::hash(&request.body).to_be_bytes();
        // The one algorithm here, also where the parameters name another one.
        const ALGORITHM: &str = "x-amz-sdk-checksum-algorithm";
        request
            .headers
            .retain(|(name, _)| !name.eq_ignore_ascii_case(ALGORITHM));
        request.push(ALGORITHM, "CRC32");
        request.push("x-amz-checksum-crc32", STANDARD.encode(checksum));
    }
}
