//! Responses of AWS services, valid or not.
//!
//! An input is a digit for the operation, the status, a space and the body.
use super::{feature, kind_of_message, nested};
use asl_aws::services::{Service, Services};
use asl_aws::{HttpResponse, ResultForm, response};
use serde_json::Value;
use std::sync::LazyLock;

pub(super) const WORDS: &[&str] = &[
    "{\"",
    "\":",
    "[",
    "]}",
    "null",
    "<a>",
    "</a>",
    "<item>",
    "</item>",
    "<Error><Code>",
    "</Code>",
    "&amp;",
    "&#x41;",
    "<![CDATA[",
    "<!--",
    "<?xml ",
    "__type",
    "Attributes",
    "{\"S\":\"",
    "{\"M\":{",
    "2024-01-31T12:00:00Z",
    "1e400",
];

/// An operation of each protocol.
const OPERATIONS: [(&str, &str); 6] = [
    ("dynamodb", "putItem"),
    ("batch", "describeJobs"),
    ("sns", "publish"),
    ("ec2", "runInstances"),
    ("s3", "listObjectsV2"),
    ("sqs", "sendMessage"),
];

static SERVICES: LazyLock<Vec<Service>> = LazyLock::new(|| {
    let services = Services::new();
    let names = OPERATIONS.iter();
    names
        .map(|(name, _)| services.callable_service(name).expect("a known service"))
        .collect()
});

pub(super) fn run(bytes: &[u8]) -> u64 {
    let (head, body) = bytes.split_at(bytes.len().min(5));
    let digits: Vec<u16> = head
        .iter()
        .map(|byte| u16::from(byte.wrapping_sub(b'0') % 10))
        .collect();
    let [operation, hundreds, tens, ones, ..] = digits.as_slice() else {
        return 0;
    };
    let index = usize::from(*operation) % OPERATIONS.len();
    let status = (100 * hundreds + 10 * tens + ones).clamp(100, 599);
    let answered = HttpResponse::new(status, body);
    let (_, name) = OPERATIONS[index];
    let found = response(&SERVICES[index], name, &answered, ResultForm::SDK);
    match found {
        Ok(result) => {
            assert!(status < 300, "status {status} is a success");
            let text = result.to_string();
            let again: Value = serde_json::from_str(&text).expect("a result is JSON");
            assert_eq!(again.to_string(), text);
            feature((index, shape(&result)))
        }
        Err(error) => feature((index, kind_of_message(&error.to_string()))),
    }
}

/// Returns the names of a result, without its values.
fn shape(result: &Value) -> Vec<String> {
    let fields = result.as_object().into_iter().flatten();
    fields
        .map(|(name, value)| format!("{name}{}", value.is_null()))
        .collect()
}

pub(super) fn deep() -> Vec<Vec<u8>> {
    [
        ("0200 ", "{\"M\":", "}"),
        ("0200 ", "[", "]"),
        ("2200 ", "<a>", "</a>"),
        ("4500 ", "<Error>", "</Error>"),
    ]
    .into_iter()
    .map(|(head, open, close)| [head.as_bytes(), &nested(open, "1", close)].concat())
    .collect()
}
