//! Runs asl-aws in WebAssembly.
use asl_aws::signature::{Credentials, SignableRequest, Signer, payload_hash};
use asl_aws::{HttpResponse, ResultForm, services::Services};
use serde_json::json;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let dynamodb = Services::new().callable_service("dynamodb");
    let dynamodb = dynamodb.ok_or("dynamodb is missing")?;
    let parameters = json!({"TableName": "orders", "Key": {"id": {"S": "7"}}});
    let request = asl_aws::request(&dynamodb, "getItem", &parameters, "token")?;
    let credentials = Credentials::new("key", "secret");
    let time = "2026-01-31T12:00:00Z".parse()?;
    let signature =
        Signer::new(&credentials, "us-east-1", "dynamodb", time).sign_headers(&SignableRequest {
            method: &request.method,
            path: &request.path,
            query: &request.query,
            headers: &request.headers,
            payload_hash: &payload_hash(&request.body),
        });
    assert_eq!(signature.signature.len(), 64);
    let response = HttpResponse::new(200, r#"{"Item": {"id": {"S": "7"}}}"#);
    let result = asl_aws::response(&dynamodb, "getItem", &response, ResultForm::SDK)?;
    assert_eq!(result, json!({"Item": {"id": {"S": "7"}}}));

    // As deep as the limit, and deeper.
    for depth in [40, 190, 1_000] {
        let deep = (0..depth).fold(json!({"S": "x"}), |value, _| {
            serde_json::Value::Object([("L".to_owned(), vec![value].into())].into_iter().collect())
        });
        let mut parameters = json!({"TableName": "t", "Item": {}});
        parameters["Item"]["a"] = deep;
        let made = asl_aws::request(&dynamodb, "putItem", &parameters, "");
        assert_eq!(made.is_ok(), depth == 40, "{depth}");
        let s3 = Services::new()
            .callable_service("s3")
            .ok_or("s3 is missing")?;
        let body = "<a>".repeat(depth) + &"</a>".repeat(depth);
        let parsed = asl_aws::response(
            &s3,
            "listBuckets",
            &HttpResponse::new(200, body),
            ResultForm::SDK,
        );
        assert_eq!(parsed.is_ok(), depth < 200, "{depth}");
    }
    Ok(())
}
