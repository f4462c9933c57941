//! Functions of Python.
mod common;

use asl_lambda::{Invocation, InvocationOutcome};
use common::*;
use serde_json::{Value, json};

#[tokio::test]
async fn a_handler_gets_its_event_and_returns_json() {
    let host = Host::python(
        "from decimal import Decimal\ndef handler(event, context):\n    return {'event': event, 'd': Decimal('1.5'), 'ä': None}\n",
    );
    let result = host.result(json!({"n": [1, "ü"]})).await;
    assert_eq!(
        result,
        json!({"event": {"n": [1, "ü"]}, "d": 1.5, "ä": null})
    );
}

#[tokio::test]
async fn a_handler_is_told_of_its_invocation() {
    let host = Host::python(
        "import os\ndef handler(event, context):\n    return [context.function_name, context.function_version, context.aws_request_id, \
         context.invoked_function_arn, context.memory_limit_in_mb, context.log_group_name, context.client_context.custom, \
         0 < context.get_remaining_time_in_millis() <= 7000, os.environ['_X_AMZN_TRACE_ID'], os.getcwd() == os.environ['LAMBDA_TASK_ROOT']]\n",
    );
    let id = "6ba7b810-9dad-41d1-80b4-00c04fd430c8";
    let invocation = Invocation::new("{}")
        .with_request_id(id.to_owned())
        .with_time_limit(std::time::Duration::from_secs(7))
        .with_trace_id("Root=1-2-3".to_owned())
        .with_client_context(r#"{"custom": {"a": 1}}"#.to_owned());
    let invoked = host.functions.invoke("f", invocation).await.unwrap();
    let arn = "arn:aws:lambda:us-east-1:123456789012:function:f";
    let expected = json!(["f", "$LATEST", id, arn, "128", "/aws/lambda/f", {"a": 1}, true, "Root=1-2-3", true]);
    let InvocationOutcome::Result(body) = invoked else {
        panic!("{invoked:?}")
    };
    assert_eq!(serde_json::from_slice::<Value>(&body).unwrap(), expected);
}

#[tokio::test]
async fn a_process_stays_for_the_next_event() {
    let host = Host::python(
        "import os\ncount = 0\ndef handler(event, context):\n    global count\n    count += 1\n    return [os.getpid(), count]\n",
    );
    let first = host.result(json!({})).await;
    let second = host.result(json!({})).await;
    assert_eq!(first[0], second[0]);
    assert_eq!(second[1], 2);
}

#[tokio::test]
async fn an_exception_is_the_error_with_its_stack() {
    let host = Host::python(
        "class OrderError(Exception):\n    pass\n\ndef handler(event, context):\n    raise OrderError('no such order')\n",
    );
    let error = host.error(json!({})).await;
    let names: Vec<&String> = error.as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        ["errorMessage", "errorType", "requestId", "stackTrace"]
    );
    assert_eq!(error["errorType"], "OrderError");
    assert_eq!(error["errorMessage"], "no such order");
    let file = host.code().join("app.py");
    let frame = format!(
        "  File \"{}\", line 5, in handler\n    raise OrderError('no such order')\n",
        file.display()
    );
    assert_eq!(error["stackTrace"], json!([frame]));
    // The process continues.
    let second = host.error(json!({})).await;
    assert_ne!(second["requestId"], error["requestId"]);
}

#[tokio::test]
async fn faults_of_the_code_have_lambdas_names() {
    for (handler, text, name, message) in [
        (
            "app.other",
            "def handler(e, c): pass",
            "Runtime.HandlerNotFound",
            "Handler 'other' missing on module 'app'",
        ),
        (
            "none.handler",
            "",
            "Runtime.ImportModuleError",
            "Unable to import module 'none': No module named 'none'",
        ),
        (
            "handler",
            "",
            "Runtime.MalformedHandlerName",
            "Bad handler 'handler': not enough values to unpack (expected 2, got 1)",
        ),
        (
            "sys.handler",
            "",
            "Runtime.BuiltInModuleConflict",
            "Cannot use built-in module sys as a handler module",
        ),
        (
            "app.handler",
            "raise ValueError('at import')",
            "ValueError",
            "at import",
        ),
        (
            "app.handler",
            "def handler(e, c): return {1, 2}",
            "Runtime.MarshalError",
            "Unable to marshal response: Object of type set is not JSON serializable",
        ),
    ] {
        let host = Host::new("python3", handler, "app.py", text);
        let expected = (name.to_owned(), message.to_owned());
        assert_eq!(host.fault(json!({})).await, expected, "{handler}");
    }
    let host = Host::python("def handler(e, c)\n    pass\n");
    let (name, message) = host.fault(json!({})).await;
    assert_eq!(name, "Runtime.UserCodeSyntaxError");
    assert!(
        message.starts_with("Syntax error in module 'app': "),
        "{message}"
    );
}

#[tokio::test]
async fn modules_in_folders_are_found() {
    let files = [
        (
            "src/orders/create-order.py",
            "from src.shared import VALUE\ndef handler(e, c): return VALUE\n",
        ),
        ("src/shared.py", "VALUE = 7\n"),
    ];
    let host = Host::with(
        "python3",
        "src/orders/create-order.handler",
        &files,
        |it| it,
        |it| it,
    );
    assert_eq!(host.result(json!({})).await, 7);
}

#[tokio::test]
async fn modules_of_layers_are_found() {
    let folder = Folder::new();
    folder.write("layer/python/shared_code.py", "VALUE = 5\n");
    let layer = folder.0.join("layer");
    let files = [(
        "app.py",
        "import shared_code\ndef handler(e, c): return shared_code.VALUE\n",
    )];
    let host = Host::with(
        "python3",
        "app.handler",
        &files,
        |it| it.with_layers(vec![layer]),
        |it| it,
    );
    assert_eq!(host.result(json!({})).await, 5);
}
