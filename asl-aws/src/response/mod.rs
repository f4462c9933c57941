//! Responses.
mod document;
mod failure;
mod form;
mod headers;
mod json;
mod scalar;
mod xml;

pub use form::{ResultForm, ResultNames};

use crate::error::{CallError, ResponseError};
use crate::request::supported;
use asl_services::{Binding, Interface, Kind, Protocol, Service, Shape};
use document::invalid;
use serde_json::{Map, Value};

/// An HTTP response.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HttpResponse {
    /// The status code.
    pub status: u16,
    /// Headers.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl HttpResponse {
    /// Creates a response without headers.
    pub fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: body.into(),
        }
    }

    /// Adds a header.
    #[must_use]
    pub fn with_header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Returns the value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(own, _)| own.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// Returns the result of an operation from the response of its service.
///
/// ```
/// use asl_aws::{HttpResponse, ResultForm};
/// use asl_services::Services;
/// use serde_json::json;
///
/// let sns = Services::new().callable_service("sns").unwrap();
/// let body = "<PublishResponse><PublishResult><MessageId>7</MessageId></PublishResult></PublishResponse>";
/// let result = asl_aws::response(&sns, "publish", &HttpResponse::new(200, body), ResultForm::SDK).unwrap();
/// assert_eq!(result, json!({"MessageId": "7"}));
/// ```
///
/// # Errors
/// The error of the service, or that the response is not valid.
pub fn response(
    service: &Service,
    operation: &str,
    response: &HttpResponse,
    form: ResultForm,
) -> Result<Value, CallError> {
    let (interface, operation) =
        supported(service, operation).map_err(|error| ResponseError(error.to_string()))?;
    if response.status >= 300 {
        let error = failure::read(interface, response)?;
        return Err(CallError::Service(Box::new(error)));
    }
    let Some(output) = operation.output() else {
        return Ok(Value::Object(Map::new()));
    };
    let mut object = Map::new();
    headers::add(&mut object, output, response, form)?;
    let reader = BodyReader {
        interface,
        binding: operation.binding(),
        response,
        form,
    };
    match output.traits().payload() {
        Some(name) => reader.payload(&mut object, output, name)?,
        None => object.append(&mut reader.body(output)?),
    }
    Ok(Value::Object(object))
}

struct BodyReader<'r> {
    interface: &'r Interface,
    binding: &'r Binding,
    response: &'r HttpResponse,
    form: ResultForm,
}

impl BodyReader<'_> {
    /// A member is the body.
    fn payload(
        &self,
        object: &mut Map<String, Value>,
        output: Shape<'_>,
        name: &str,
    ) -> Result<(), ResponseError> {
        let Some(member) = output.members().find(|member| member.name() == name) else {
            return Ok(());
        };
        let body = &self.response.body;
        let shape = member.shape();
        if body.is_empty() && !member.traits().is_streaming() {
            return Ok(());
        }
        let value = match (shape.kind(), self.interface.protocol) {
            (Kind::Blob | Kind::String, _) => scalar::body(body),
            (_, Protocol::RestXml) => xml::value(shape, &document::parse(body)?, self.form)?,
            _ => json::value(shape, json::parse(body)?, self.form)?,
        };
        object.insert(self.form.name(member), value);
        Ok(())
    }

    /// All members without another place are the body.
    fn body(&self, output: Shape<'_>) -> Result<Map<String, Value>, ResponseError> {
        let body = &self.response.body;
        match self.interface.protocol {
            Protocol::Json | Protocol::RestJson => match json::parse(body)? {
                Value::Object(fields) => json::structure(output, fields, self.form),
                _ => Err(invalid("expected an object")),
            },
            _ if body.is_empty() => Ok(Map::new()),
            _ => {
                let root = document::parse(body)?;
                let wrapper = self.binding.result_wrapper.as_deref();
                let result = wrapper.and_then(|name| root.child(name)).unwrap_or(&root);
                xml::structure(output, result, self.form)
            }
        }
    }
}
