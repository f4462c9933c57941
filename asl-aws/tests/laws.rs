//! Laws of all requests and responses.
use asl_aws::services::{Location, Service, Services};
use asl_aws::{HttpResponse, RequestError, ResultForm, request, response};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

/// Services that were read, by their names.
static READ: LazyLock<Mutex<HashMap<String, Arc<Service>>>> = LazyLock::new(Mutex::default);

fn service(name: &str) -> Arc<Service> {
    let read = || Arc::new(Services::new().callable_service(name).unwrap());
    let mut known = READ.lock().unwrap();
    Arc::clone(known.entry(name.to_owned()).or_insert_with(read))
}

/// An operation of each protocol.
const OPERATIONS: [(&str, &str); 6] = [
    ("dynamodb", "putItem"),
    ("batch", "submitJob"),
    ("sns", "publish"),
    ("ec2", "runInstances"),
    ("s3", "listObjectsV2"),
    ("sqs", "sendMessage"),
];

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        let names = prop_oneof![
            Just("TableName".to_owned()),
            Just("Item".to_owned()),
            "[A-Za-z]{0,6}"
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((names, inner), 0..4)
                .prop_map(|fields| fields.into_iter().collect()),
        ]
    })
}

fn body() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..64),
        json_value().prop_map(|value| value.to_string().into_bytes()),
        "(<[a-zA-Z/]{1,8}>|[a-z&;#]{0,4}){0,12}".prop_map(String::into_bytes),
    ]
}

proptest! {
    #[test]
    fn any_response_is_a_result_or_an_error(body in body(), status in prop_oneof![Just(200_u16), Just(400), Just(500)]) {
        for (name, operation) in OPERATIONS {
            let given = HttpResponse::new(status, body.clone());
            let found = response(&service(name), operation, &given, ResultForm::SDK);
            prop_assert!(status < 300 || found.is_err());
        }
    }

    #[test]
    fn any_parameters_make_a_request_or_an_error(parameters in json_value()) {
        for (name, operation) in OPERATIONS {
            if let Ok(made) = request(&service(name), operation, &parameters, "token") {
                prop_assert!(made.path.starts_with('/'));
                let is_line = |text: &str| !text.contains(['\r', '\n']);
                prop_assert!(made.headers.iter().all(|(name, value)| is_line(name) && is_line(value)));
            }
        }
    }

    #[test]
    fn no_key_leads_to_another_path(key in ".{1,20}", bucket in "[a-z]{3,8}") {
        let s3 = service("s3");
        let made = request(&s3, "getObject", &json!({"Bucket": bucket, "Key": key}), "").unwrap();
        let prefix = format!("/{bucket}/");
        prop_assert!(made.path.starts_with(&prefix));
        prop_assert!(!made.path.contains(['?', '#', ' ']));
        let encoded = made.path.strip_prefix(&prefix).unwrap();
        let decoded = percent_encoding::percent_decode_str(encoded).decode_utf8().unwrap();
        prop_assert_eq!(decoded, key);
    }
}

/// Values for the parts of the path.
fn labels(service: &Service, operation: &str) -> Value {
    let operation = service.operation(operation).unwrap();
    let members = operation
        .input()
        .into_iter()
        .flat_map(|input| input.members());
    let needed = members.filter(|member| {
        member.traits().location() == Some(Location::Uri) || member.traits().is_host_label()
    });
    let fields: Map<String, Value> = needed
        .map(|member| (member.name().to_owned(), Value::from("1")))
        .collect();
    Value::Object(fields)
}

#[test]
fn every_operation_makes_a_request_or_is_refused_with_its_reason() {
    let services = Services::new();
    let (mut made, mut refused) = (0, 0);
    for name in services.names() {
        let service = services.callable_service(name).unwrap();
        for operation in service.operations() {
            let name = operation.name();
            match request(&service, name, &labels(&service, name), "token") {
                Ok(request) => {
                    made += 1;
                    assert!(!request.path.contains(['{', '}']), "{}", request.path);
                }
                Err(RequestError::Unsupported(_)) => refused += 1,
                Err(error) => panic!("{}:{name}: {error}", service.name()),
            }
        }
    }
    assert!(
        made > 19_000 && refused < 200,
        "{made} made, {refused} refused"
    );
}

#[test]
fn nesting_is_limited() {
    let deep = (0..10_000).fold(json!({"S": "x"}), |value, _| {
        let list = Value::Array(vec![value]);
        Value::Object(Map::from_iter([("L".to_owned(), list)]))
    });
    let mut parameters = json!({"TableName": "t", "Item": {}});
    parameters["Item"]["a"] = deep;
    let error = request(&service("dynamodb"), "putItem", &parameters, "").unwrap_err();
    assert!(matches!(error, RequestError::TooDeep(_)), "{error}");
    // Dropping it takes no stack either.
    std::mem::forget(parameters);
    let body = "{\"Item\":".repeat(100_000);
    let given = HttpResponse::new(200, body);
    assert!(response(&service("dynamodb"), "getItem", &given, ResultForm::SDK).is_err());
}

#[test]
fn streams_of_events_and_cbor_are_refused() {
    for (name, operation) in [
        ("kinesis", "subscribeToShard"),
        ("bedrockruntime", "converseStream"),
        ("cloudwatchomni", ""),
    ] {
        let service = service(name);
        let operation = match operation {
            "" => service.operations().next().unwrap().name(),
            operation => operation,
        };
        let error = request(&service, operation, &json!({}), "").unwrap_err();
        let text = error.to_string();
        assert!(text.contains("not supported"), "{text}");
    }
}
