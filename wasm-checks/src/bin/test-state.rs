//! Runs asl-test-state in WebAssembly.
use asl_model::Timestamp;
use asl_test_state::{TestStateRequest, Tester};
use serde_json::json;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let request = TestStateRequest::from_value(&json!({
        "definition": {"Type": "Pass", "InputPath": "$.order", "ResultPath": "$.copy", "End": true},
        "input": {"order": {"id": 7}},
    }))?;
    let response = Tester::new(Timestamp::from_milliseconds(0))
        .test(&request)?
        .to_value();
    assert_eq!(response["output"], r#"{"order":{"id":7},"copy":{"id":7}}"#);
    Ok(())
}
