//! retry-catch: a task that fails twice, one that always fails and is caught, and what both left.
use super::{field, object, take};
use serde_json::Value;

pub(super) fn run(input: &Value) -> Value {
    let mut data = input.clone();
    let mut attempt = 0;
    let result = loop {
        match flaky(&data, attempt) {
            Ok(result) => break result,
            Err(_) => attempt += 1,
        }
    };
    write(&mut data, "t", result);
    if let Err((error, cause)) = boom(&data) {
        write(
            &mut data,
            "err",
            object([("Error", error.into()), ("Cause", cause.into())]),
        );
    }
    let error = field(&data, "err")
        .get("Error")
        .cloned()
        .unwrap_or_default();
    object([("t", take(&mut data, "t")), ("e", error)])
}

fn write(data: &mut Value, name: &str, value: Value) {
    if let Value::Object(fields) = data {
        fields.insert(name.to_owned(), value);
    }
}

fn flaky(payload: &Value, attempt: u32) -> Result<Value, (String, String)> {
    if attempt < 2 {
        return Err(("Flaky".to_owned(), "not yet".to_owned()));
    }
    Ok(payload.clone())
}

fn boom(_payload: &Value) -> Result<Value, (String, String)> {
    Err(("Boom".to_owned(), "always".to_owned()))
}
