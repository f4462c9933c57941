//! The Invoke API.
mod common;

use asl_lambda::InvokeApi;
use common::*;
use hyper::{Request, Response};
use serde_json::{Value, json};

async fn respond(
    host: &Host,
    path: &str,
    headers: &[(&str, &str)],
    event: &str,
) -> Option<Response<Vec<u8>>> {
    let mut request = Request::post(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let parts = request.body(()).unwrap().into_parts().0;
    InvokeApi::new(host.functions.clone())
        .respond(&parts, event.into())
        .await
}

fn header<'r>(response: &'r Response<Vec<u8>>, name: &str) -> &'r str {
    let value = response.headers().get(name);
    value.map_or("", |value| value.to_str().unwrap())
}

fn body(response: &Response<Vec<u8>>) -> Value {
    serde_json::from_slice(response.body()).unwrap()
}

const CODE: &str = "def handler(event, context):\n    if event.get('fail'):\n        raise ValueError('no')\n    if event.get('file'):\n        open(event['file'], 'w').write('x\\n')\n    return [event, context.client_context and context.client_context.custom]\n";

#[tokio::test]
async fn a_function_is_invoked_by_each_form_of_its_name() {
    let host = Host::python(CODE);
    for name in [
        "f",
        "f:$LATEST",
        "f:1",
        "123456789012:function:f",
        "arn:aws:lambda:us-east-1:123456789012:function:f",
        "arn%3Aaws%3Alambda%3Aus-east-1%3A123456789012%3Afunction%3Af",
    ] {
        let path = format!("/2015-03-31/functions/{name}/invocations");
        let response = respond(&host, &path, &[], r#"{"n": 1}"#).await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(body(&response), json!([{"n": 1}, null]));
        assert_eq!(header(&response, "x-amz-executed-version"), "$LATEST");
        assert_eq!(header(&response, "x-amzn-requestid").len(), 36);
        assert_eq!(header(&response, "x-amz-function-error"), "");
    }
    let context = [("X-Amz-Client-Context", "eyJjdXN0b20iOiB7ImEiOiAxfX0=")];
    let response = respond(&host, "/2015-03-31/functions/f/invocations", &context, "")
        .await
        .unwrap();
    assert_eq!(body(&response), json!([{}, {"a": 1}]));
}

#[tokio::test]
async fn errors_are_those_of_the_service() {
    let host = Host::python(CODE);
    let failed = respond(
        &host,
        "/2015-03-31/functions/f/invocations",
        &[],
        r#"{"fail": true}"#,
    )
    .await
    .unwrap();
    assert_eq!(
        (
            failed.status().as_u16(),
            header(&failed, "x-amz-function-error")
        ),
        (200, "Unhandled")
    );
    assert_eq!(body(&failed)["errorType"], "ValueError");
    let missing = respond(
        &host,
        "/2015-03-31/functions/none:v1/invocations",
        &[],
        "{}",
    )
    .await
    .unwrap();
    assert_eq!(
        (
            missing.status().as_u16(),
            header(&missing, "x-amzn-errortype")
        ),
        (404, "ResourceNotFoundException")
    );
    assert_eq!(
        body(&missing)["Message"],
        "Function not found: arn:aws:lambda:us-east-1:123456789012:function:none:v1"
    );
    let no_json = respond(&host, "/2015-03-31/functions/f/invocations", &[], "{")
        .await
        .unwrap();
    assert_eq!(
        (
            no_json.status().as_u16(),
            header(&no_json, "x-amzn-errortype")
        ),
        (400, "InvalidRequestContentException")
    );
    assert!(
        respond(&host, "/2015-03-31/functions/f", &[], "")
            .await
            .is_none()
    );
}

#[tokio::test]
async fn an_event_is_not_waited_for_and_a_dry_run_does_nothing() {
    let host = Host::python(CODE);
    let of_type = |name| [("X-Amz-Invocation-Type", name)];
    let path = "/2015-03-31/functions/f/invocations";
    let dry = respond(&host, path, &of_type("DryRun"), r#"{"file": "dry"}"#)
        .await
        .unwrap();
    assert_eq!(dry.status(), 204);
    let started = respond(&host, path, &of_type("Event"), r#"{"file": "started"}"#)
        .await
        .unwrap();
    assert_eq!((started.status().as_u16(), started.body().len()), (202, 0));
    let code = host.code();
    until("it runs", || lines_of(&code.join("started")) == 1).await;
    assert!(!code.join("dry").exists());
    let other = respond(&host, path, &of_type("Later"), "{}").await.unwrap();
    assert_eq!(other.status(), 400);
}

#[tokio::test]
async fn the_end_of_the_log_is_returned_if_it_is_wanted() {
    use base64::Engine as _;
    let code = "def handler(event, context):\n    for n in range(event['lines']):\n        print('line', n, context.aws_request_id)\n    return 1\n";
    let host = Host::python(code);
    let path = "/2015-03-31/functions/f/invocations";
    let tail = [("X-Amz-Log-Type", "Tail")];
    let log = async |lines: u32| {
        let event = json!({ "lines": lines }).to_string();
        let response = respond(&host, path, &tail, &event).await.unwrap();
        let log = header(&response, "x-amz-log-result").to_owned();
        let log = base64::prelude::BASE64_STANDARD.decode(log).unwrap();
        (
            String::from_utf8(log).unwrap(),
            header(&response, "x-amzn-requestid").to_owned(),
        )
    };
    let (text, id) = log(2).await;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], format!("START RequestId: {id} Version: $LATEST"));
    assert_eq!(
        lines[1..3],
        [format!("line 0 {id}"), format!("line 1 {id}")]
    );
    assert_eq!(lines[3], format!("END RequestId: {id}"));
    assert!(
        lines[4].starts_with(&format!("REPORT RequestId: {id}\tDuration: ")),
        "{text}"
    );
    let (text, _) = log(1_000).await;
    assert_eq!(text.len(), 4_096);
    assert!(text.contains("line 999 "), "{text}");
    let without = respond(&host, path, &[], r#"{"lines": 1}"#).await.unwrap();
    assert_eq!(header(&without, "x-amz-log-result"), "");
}
