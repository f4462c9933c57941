//! Requests that parameters make.
use super::{plain, text};
use asl_aws::HttpRequest;
use asl_aws::services::{Protocol, Service};
use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;
use std::collections::BTreeMap;

/// The token that the cases expect.
const TOKEN: &str = "00000000-0000-4000-8000-000000000000";

/// Returns how the request of a case differs.
pub(super) fn check(service: &Service, suite: &Value, case: &Value) -> Result<(), String> {
    let name = text(&case["given"]["name"]);
    let empty = Value::Object(serde_json::Map::new());
    let parameters = match &case["params"] {
        Value::Null => &empty,
        parameters => parameters,
    };
    let request = asl_aws::request(service, &name, parameters, TOKEN);
    let request = request.map_err(|error| error.to_string())?;
    let expected = &case["serialized"];
    same("method", &request.method, &text(&expected["method"]))?;
    check_place(&request, suite, expected)?;
    check_headers(&request, expected)?;
    match expected["body"].as_str() {
        Some(body) => check_body(&request, service, body),
        None => Ok(()),
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, expected: &T) -> Result<(), String> {
    match found == expected {
        true => Ok(()),
        false => Err(format!("{what}: expected {expected:?}, found {found:?}")),
    }
}

fn check_place(request: &HttpRequest, suite: &Value, expected: &Value) -> Result<(), String> {
    let endpoint = text(&suite["clientEndpoint"]);
    let (_, after) = endpoint.split_once("://").unwrap_or_default();
    let (host, base) = after.split_once('/').unwrap_or((after, ""));
    let prefix = request.host_prefix.as_deref().unwrap_or_default();
    if let Some(expected) = expected["host"].as_str() {
        let (expected_host, _) = expected.split_once('/').unwrap_or((expected, ""));
        same(
            "host",
            &format!("{prefix}{host}"),
            &expected_host.to_owned(),
        )?;
    }
    let uri = text(&expected["uri"]);
    let (path, query) = uri.split_once('?').unwrap_or((&uri, ""));
    let base = base.trim_end_matches('/');
    let found = match base {
        "" => request.path.clone(),
        base => format!("/{base}{}", request.path),
    };
    same("path", &found, &path.to_owned())?;
    same("query", &pairs(&request.query), &pairs(query))
}

/// The parts of a query or form, decoded and in order.
fn pairs(form: &str) -> Vec<(String, String)> {
    let mut pairs: Vec<_> = form_urlencoded::parse(form.as_bytes())
        .into_owned()
        .collect();
    pairs.sort();
    pairs
}

fn check_headers(request: &HttpRequest, expected: &Value) -> Result<(), String> {
    for (name, value) in expected["headers"].as_object().into_iter().flatten() {
        let found = request.header(name).unwrap_or_default();
        let is_same_type = name.eq_ignore_ascii_case("content-type")
            && found.split(';').next() == text(value).split(';').next();
        if !is_same_type {
            same(name, &found.to_owned(), &text(value))?;
        }
    }
    for name in expected["forbidHeaders"].as_array().into_iter().flatten() {
        if let Some(found) = request.header(&text(name)) {
            return Err(format!("{name}: expected none, found {found}"));
        }
    }
    Ok(())
}

fn check_body(request: &HttpRequest, service: &Service, expected: &str) -> Result<(), String> {
    let body = String::from_utf8_lossy(&request.body).into_owned();
    let content_type = request.header("Content-Type").unwrap_or_default();
    let protocol = service.interface().map(|interface| interface.protocol);
    match protocol {
        Some(Protocol::Json) => same("body", &json(&body), &json(expected)),
        Some(Protocol::RestJson) if content_type == "application/json" => {
            same("body", &json(&body), &json(expected))
        }
        Some(Protocol::Query | Protocol::Ec2) => same("body", &pairs(&body), &pairs(expected)),
        Some(Protocol::RestXml) if content_type == "application/xml" => {
            same("body", &xml(&body)?, &xml(expected)?)
        }
        _ => same("body", &body, &expected.to_owned()),
    }
}

fn json(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok().as_ref().map(plain)
}

/// A document with ordered attributes, ordered members, and without white space between elements.
#[derive(Debug, Default, PartialEq, PartialOrd)]
struct Element {
    name: String,
    attributes: BTreeMap<String, String>,
    text: String,
    children: Vec<Self>,
}

fn xml(text: &str) -> Result<Element, String> {
    let mut reader = Reader::from_str(text);
    let mut open = vec![Element::default()];
    loop {
        let event = reader.read_event().map_err(|error| error.to_string())?;
        match event {
            Event::Start(start) => {
                let attributes = start.attributes().flatten();
                open.push(Element {
                    name: start.name().as_ref().to_owned(),
                    attributes: attributes
                        .map(|it| (it.key.as_ref().to_owned(), it.value.to_string()))
                        .collect(),
                    ..Element::default()
                });
            }
            Event::End(_) => {
                let mut closed = open.pop().unwrap_or_default();
                if !closed.children.is_empty() {
                    closed.text.clear();
                }
                closed.children.sort_by(|one, other| {
                    one.partial_cmp(other).unwrap_or(std::cmp::Ordering::Equal)
                });
                if let Some(parent) = open.last_mut() {
                    parent.children.push(closed);
                }
            }
            Event::Text(text) => push(&mut open, &text),
            Event::GeneralRef(reference) => push(&mut open, &format!("&{};", &*reference)),
            Event::Eof => break,
            _ => {}
        }
    }
    let document = open.pop().unwrap_or_default();
    Ok(document.children.into_iter().next().unwrap_or_default())
}

fn push(open: &mut [Element], text: &str) {
    if let Some(element) = open.last_mut() {
        element.text.push_str(text);
    }
}
