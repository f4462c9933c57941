//! Errors of services.
use super::document::Element;
use super::{HttpResponse, document, json};
use crate::error::{ResponseError, ServiceError};
use asl_services::{Interface, Protocol};
use serde_json::Value;

/// Reads the error of a response.
pub(crate) fn read(
    interface: &Interface,
    response: &HttpResponse,
) -> Result<ServiceError, ResponseError> {
    let found = match interface.protocol {
        Protocol::Json | Protocol::RestJson => of_json(interface, response),
        _ => of_xml(response)?,
    };
    let name = interface.error(&found.code).map(|error| error.name.clone());
    // The name that the API has now, next to the code of an earlier protocol.
    let name = found
        .type_name
        .filter(|own| interface.error(own).is_some())
        .or(name);
    let header_id = ["x-amzn-requestid", "x-amz-request-id", "x-amzn-request-id"];
    let header_id = header_id.iter().find_map(|name| response.header(name));
    Ok(ServiceError {
        code: found.code,
        name,
        message: found.message,
        status: response.status,
        request_id: found.request_id.or(header_id.map(str::to_owned)),
        extended_request_id: response.header("x-amz-id-2").map(str::to_owned),
    })
}

#[derive(Debug, Default)]
struct ErrorFields {
    code: String,
    type_name: Option<String>,
    message: String,
    request_id: Option<String>,
}

fn of_json(interface: &Interface, response: &HttpResponse) -> ErrorFields {
    // A body that is no JSON says no more than its status.
    let body = json::parse(&response.body).unwrap_or(Value::Null);
    let field = |names: &[&str]| {
        let mut values = names.iter().map(|name| &body[*name]);
        values.find_map(Value::as_str)
    };
    let of_header = response.header("x-amzn-errortype");
    let of_body = field(&["__type", "code", "Code"]);
    let type_name = match interface.protocol {
        Protocol::RestJson => of_header.or(of_body),
        _ => of_body.or(of_header),
    };
    let type_name = type_name.map(short);
    let code = response.header("x-amzn-query-error");
    let code = code.filter(|_| interface.is_query_compatible);
    let code = code.and_then(|code| code.split(';').next());
    let code = code.or(type_name).map(str::to_owned);
    ErrorFields {
        code: code.unwrap_or_else(|| response.status.to_string()),
        type_name: type_name.map(str::to_owned),
        message: field(&["message", "Message", "errorMessage"])
            .unwrap_or_default()
            .to_owned(),
        request_id: None,
    }
}

/// `com.amazonaws.sqs#QueueDoesNotExist:http://…` is QueueDoesNotExist.
fn short(type_name: &str) -> &str {
    let name = type_name.split(':').next().unwrap_or(type_name);
    name.rsplit('#').next().unwrap_or(name)
}

fn of_xml(response: &HttpResponse) -> Result<ErrorFields, ResponseError> {
    if response.body.is_empty() {
        return Ok(ErrorFields {
            code: response.status.to_string(),
            ..ErrorFields::default()
        });
    }
    let root = document::parse(&response.body)?;
    let error = match root.name.as_str() {
        "Error" if root.child("Error").is_none() => &root,
        _ => below(&root, "Error").unwrap_or(&root),
    };
    let text = |name: &str| error.text_of(name).map(str::to_owned);
    let ids = ["RequestId", "RequestID"];
    let ids = ids
        .iter()
        .flat_map(|name| [error.text_of(name), root.text_of(name)]);
    Ok(ErrorFields {
        code: text("Code").unwrap_or_else(|| response.status.to_string()),
        type_name: None,
        message: text("Message").or(text("message")).unwrap_or_default(),
        request_id: ids.flatten().next().map(str::to_owned),
    })
}

/// Returns the child of an element, or of one of its children.
fn below<'e>(root: &'e Element, name: &str) -> Option<&'e Element> {
    let of_children = || root.children.iter().find_map(|child| child.child(name));
    root.child(name).or_else(of_children)
}
