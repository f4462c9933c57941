//! Requests of APIs as events of functions, and their answers.
#![cfg(feature = "host")]

use asl_application::{ApiRequest, ApiResponse, Apis, Plan};
use asl_lambda::{Function, Functions, Options, Runtime};
use asl_template::{FileSystem, ReadOptions, Substitutions};
use serde_json::{Value, json};
use std::path::PathBuf;

struct Application {
    folder: PathBuf,
    functions: Functions,
    apis: Apis,
}

impl Drop for Application {
    fn drop(&mut self) {
        self.functions.stop();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Returns APIs whose functions run this code.
fn application(name: &str, code: &str) -> Application {
    let folder =
        std::env::temp_dir().join(format!("asl-application-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("app.py"), code).unwrap();
    let template = folder.join("template.yaml");
    let text = "Resources:\n  F:\n    Type: AWS::Serverless::Function\n    Properties:\n      Events:\n        \
                A: {Type: Api, Properties: {Path: '/a/{b}', Method: any}}\n        B: {Type: HttpApi, Properties: {Path: '/a/{b}', Method: any}}\n";
    std::fs::write(&template, text).unwrap();
    let given = Substitutions::default();
    let plan = Plan::read(&[template], &ReadOptions::new(&FileSystem, &given));
    let functions = Functions::new(Options::new(folder.join("runtime"))).unwrap();
    let python = Runtime::from_identifier("python3");
    functions.put(Function::new("F", python, &folder).with_handler("app.handler"));
    let apis = Apis::new(functions.clone());
    apis.set_routes(plan.routes());
    Application {
        folder,
        functions,
        apis,
    }
}

const REST: (&str, &str) = ("ServerlessRestApi", "/Prod");
const HTTP: (&str, &str) = ("ServerlessHttpApi", "");

impl Application {
    async fn ask(&self, api: (&str, &str), body: &[u8]) -> ApiResponse {
        let headers = [("x-a", "1"), ("x-a", "2"), ("user-agent", "test")];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let request = ApiRequest::new("POST", format!("{}/a/c", api.1))
            .with_query("q=1&q=2&r=a%20b+c".to_owned())
            .with_headers(headers.to_vec())
            .with_body(body.to_vec());
        self.apis.answer(api.0, &request).await
    }
}

fn body(response: &ApiResponse) -> Value {
    serde_json::from_slice(&response.body).unwrap()
}

#[tokio::test]
async fn events_have_the_form_of_their_api() {
    let code = "import json\ndef handler(event, context):\n    return {'statusCode': 200, 'body': json.dumps(event)}\n";
    let application = application("events", code);
    let event = body(&application.ask(REST, b"text").await);
    assert_eq!(
        (&event["resource"], &event["path"], &event["httpMethod"]),
        (&json!("/a/{b}"), &json!("/a/c"), &json!("POST"))
    );
    assert_eq!(
        event["multiValueQueryStringParameters"],
        json!({"q": ["1", "2"], "r": ["a b c"]})
    );
    assert_eq!(
        event["queryStringParameters"],
        json!({"q": "2", "r": "a b c"})
    );
    assert_eq!(event["multiValueHeaders"]["x-a"], json!(["1", "2"]));
    assert_eq!(event["pathParameters"], json!({"b": "c"}));
    assert_eq!(
        (&event["body"], &event["isBase64Encoded"]),
        (&json!("text"), &json!(false))
    );
    assert_eq!(event["requestContext"]["stage"], "Prod");
    assert_eq!(event["requestContext"]["path"], "/Prod/a/c");
    let event = body(&application.ask(HTTP, &[0xff]).await);
    assert_eq!(
        (&event["version"], &event["routeKey"], &event["rawPath"]),
        (&json!("2.0"), &json!("ANY /a/{b}"), &json!("/a/c"))
    );
    assert_eq!(event["rawQueryString"], "q=1&q=2&r=a%20b+c");
    assert_eq!(
        event["queryStringParameters"],
        json!({"q": "1,2", "r": "a b c"})
    );
    assert_eq!(event["headers"]["x-a"], "1,2");
    assert_eq!(
        (&event["body"], &event["isBase64Encoded"]),
        (&json!("/w=="), &json!(true))
    );
    assert_eq!(event["requestContext"]["http"]["method"], "POST");
    let event = body(&application.ask(HTTP, b"").await);
    assert_eq!(event.get("body"), None);
}

#[tokio::test]
async fn answers_are_those_of_the_result_or_an_error_of_the_gateway() {
    let code = "import json\ndef handler(event, context):\n    return json.loads(event['body'])\n";
    let application = application("answers", code);
    let result = json!({"statusCode": "201", "headers": {"X-A": 1, "Content-Type": "text/plain"}, "multiValueHeaders": {"X-B": ["1", "2"]},
        "body": "aGk=", "isBase64Encoded": true, "cookies": ["c=1"]});
    let response = application.ask(REST, result.to_string().as_bytes()).await;
    assert_eq!(
        (response.status, response.body.as_slice()),
        (201, &b"hi"[..])
    );
    let headers: Vec<String> = response
        .headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}"))
        .collect();
    assert_eq!(
        headers,
        [
            "X-A: 1",
            "Content-Type: text/plain",
            "X-B: 1",
            "X-B: 2",
            "Set-Cookie: c=1"
        ]
    );
    for (api, result, status, expected) in [
        (HTTP, "{\"a\": 1}", 200, json!({"a": 1})),
        (
            REST,
            "{\"a\": 1}",
            502,
            json!({"message": "Internal server error"}),
        ),
        (
            REST,
            "{\"statusCode\": 99}",
            502,
            json!({"message": "Internal server error"}),
        ),
        (
            REST,
            "no JSON",
            502,
            json!({"message": "Internal server error"}),
        ),
        (
            HTTP,
            "no JSON",
            500,
            json!({"message": "Internal Server Error"}),
        ),
        (
            REST,
            "{\"statusCode\": 200, \"isBase64Encoded\": true, \"body\": \"*\"}",
            502,
            json!({"message": "Internal server error"}),
        ),
    ] {
        let response = application.ask(api, result.as_bytes()).await;
        assert_eq!(
            (response.status, body(&response)),
            (status, expected),
            "{result}"
        );
    }
    let other = application
        .apis
        .answer("Other", &ApiRequest::new("GET", "/"))
        .await;
    assert_eq!(other.status, 403);
}
