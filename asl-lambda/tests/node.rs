//! Functions of Node.js.
mod common;

use common::*;
use serde_json::json;

#[tokio::test]
async fn each_form_of_a_handler_answers() {
    for (text, expected) in [
        (
            "export const handler = async (event) => ({n: event.n + 1});",
            json!({"n": 2}),
        ),
        ("export const handler = async () => undefined;", json!(null)),
        (
            "export const handler = (event, context, callback) => { callback(null, event.n + 2); };",
            json!(3),
        ),
        (
            "export const handler = (event, context) => { setTimeout(() => context.succeed('later'), 5); };",
            json!("later"),
        ),
        (
            "export const handler = (event, context) => { context.done(null, [1]); };",
            json!([1]),
        ),
        // The answer is sent once the event loop is empty.
        (
            "const seen = []; export const handler = (event, context, callback) => { setTimeout(() => seen.push(1), 20); callback(null, seen); };",
            json!([1]),
        ),
        ("export const handler = () => {};", json!(null)),
        (
            "export default { handler: async () => 'default' };",
            json!("default"),
        ),
    ] {
        let host = Host::node(text);
        assert_eq!(host.result(json!({"n": 1})).await, expected, "{text}");
        // It is ready for the next one.
        host.result(json!({"n": 1})).await;
    }
}

#[tokio::test]
async fn modules_are_found_as_node_finds_them() {
    for (handler, files) in [
        (
            "index.handler",
            &[("index.js", "exports.handler = async () => 'found';")][..],
        ),
        (
            "index.handler",
            &[
                ("index.js", "export const handler = async () => 'found';"),
                ("package.json", r#"{"type": "module"}"#),
            ],
        ),
        (
            "index.handler",
            &[("index.cjs", "exports.handler = async () => 'found';")],
        ),
        (
            "src/a/index.handler",
            &[
                (
                    "src/a/index.mjs",
                    "import { value } from './value.mjs'; export const handler = async () => value;",
                ),
                ("src/a/value.mjs", "export const value = 'found';"),
            ],
        ),
        (
            "index.a.b",
            &[("index.js", "exports.a = { b: async () => 'found' };")],
        ),
        (
            "index.handler",
            &[
                ("index.js", "exports.handler = async () => require('lib');"),
                ("node_modules/lib/index.js", "module.exports = 'found';"),
            ],
        ),
    ] {
        let host = Host::with("nodejs", handler, files, |it| it, |it| it);
        assert_eq!(host.result(json!({})).await, "found", "{files:?}");
    }
}

#[tokio::test]
async fn modules_of_layers_are_required_and_imported() {
    let folder = Folder::new();
    let of_layer = "layer/nodejs/node_modules/lib";
    folder.write(
        &format!("{of_layer}/package.json"),
        r#"{"name": "lib", "exports": {"import": "./a.mjs", "require": "./a.cjs"}}"#,
    );
    folder.write(&format!("{of_layer}/a.mjs"), "export default 'found';");
    folder.write(&format!("{of_layer}/a.cjs"), "module.exports = 'found';");
    for (file, text) in [
        (
            "index.mjs",
            "import lib from 'lib'; export const handler = async () => lib;",
        ),
        (
            "index.cjs",
            "const lib = require('lib'); exports.handler = async () => lib;",
        ),
    ] {
        let layer = folder.0.join("layer");
        let host = Host::with(
            "nodejs",
            "index.handler",
            &[(file, text)],
            |it| it.with_layers(vec![layer]),
            |it| it,
        );
        assert_eq!(host.result(json!({})).await, "found", "{text}");
    }
}

#[tokio::test]
async fn errors_have_their_name_and_trace() {
    let host = Host::node(
        "class OrderError extends Error { name = 'OrderError' }\nexport const handler = async () => { throw new OrderError('no such order'); };",
    );
    let error = host.error(json!({})).await;
    let names: Vec<&String> = error.as_object().unwrap().keys().collect();
    assert_eq!(names, ["errorType", "errorMessage", "trace"]);
    assert_eq!(
        (&error["errorType"], &error["errorMessage"]),
        (&json!("OrderError"), &json!("no such order"))
    );
    assert!(
        error["trace"][1].as_str().unwrap().contains("index.mjs:2"),
        "{error}"
    );
}

#[tokio::test]
async fn faults_of_the_code_have_lambdas_names() {
    for (text, name, message) in [
        (
            "export const handler = async () => { throw 'text'; };",
            "string",
            "text",
        ),
        (
            "export const handler = (event, context, callback) => callback(new TypeError('no'));",
            "TypeError",
            "no",
        ),
        (
            "export const handler = (event, context) => context.fail('no');",
            "string",
            "no",
        ),
        (
            "export const other = 1;",
            "Runtime.HandlerNotFound",
            "index.handler is undefined or not exported",
        ),
        (
            "export const handler = 1;",
            "Runtime.HandlerNotFound",
            "index.handler is not a function",
        ),
        (
            "import 'none'; export const handler = 1;",
            "Runtime.ImportModuleError",
            "",
        ),
        (
            "export const handler = ;",
            "Runtime.UserCodeSyntaxError",
            "",
        ),
        (
            "throw new RangeError('at import');",
            "RangeError",
            "at import",
        ),
        (
            "export const handler = () => new Promise(() => {});",
            "Runtime.NodeJsExit",
            "",
        ),
        (
            "export const handler = () => { const a = {}; a.a = a; return Promise.resolve(a); };",
            "Runtime.MarshalError",
            "",
        ),
        (
            "export const handler = () => { Promise.reject(new Error('lost')); return new Promise((r) => setTimeout(r, 1000)); };",
            "Runtime.UnhandledPromiseRejection",
            "Error: lost",
        ),
        (
            "export const handler = () => new Promise(() => setTimeout(() => { throw new RangeError('late'); }, 1));",
            "RangeError",
            "late",
        ),
        (
            "export const handler = async () => process.exit(3);",
            "Runtime.ExitError",
            "",
        ),
    ] {
        let host = Host::node(text);
        let (found, told) = host.fault(json!({})).await;
        assert_eq!(found, name, "{text}: {told}");
        assert!(message.is_empty() || told == message, "{text}: {told}");
    }
}

#[tokio::test]
async fn a_handler_is_told_of_its_invocation() {
    let host = Host::node(
        "export const handler = async (event, context) => [context.functionName, context.functionVersion, \
         context.awsRequestId.length, context.invokedFunctionArn, context.memoryLimitInMB, context.getRemainingTimeInMillis() > 0];",
    );
    let arn = "arn:aws:lambda:us-east-1:123456789012:function:f";
    let expected = json!(["f", "$LATEST", 36, arn, "128", true]);
    assert_eq!(host.result(json!({})).await, expected);
}
