//! `asl dev` and `asl start`.
#![cfg(unix)]
mod common;

use common::served::ServeProcess;
use common::{Folder, Ran};
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

const TEMPLATE: &str = r#"
Transform: AWS::Serverless-2016-10-31
Globals: {Function: {Runtime: python3.12, Handler: app.handler, Timeout: 20}}
Resources:
  Charge: {Type: AWS::Serverless::Function, Properties: {CodeUri: charge/, Events: {Post: {Type: Api, Properties: {Path: "/charge/{id}", Method: post}}}}}
  Notify: {Type: AWS::Serverless::Function, Properties: {FunctionName: own-name, CodeUri: notify/, Runtime: nodejs20.x, Handler: index.handler, Environment: {Variables: {MACHINE: !Ref Order}}}}
  Order:
    Type: AWS::Serverless::StateMachine
    Properties:
      Events: {Start: {Type: Api, Properties: {Path: /orders, Method: post}}, Hourly: {Type: Schedule, Properties: {Schedule: rate(1 hour)}}}
      DefinitionUri: order.asl.json
      DefinitionSubstitutions: {ChargeArn: !GetAtt Charge.Arn, Notify: !Ref Notify}
"#;

const CHARGE: &str = "import os, json, urllib.request\n\ndef handler(event, context):\n    print('charging')\n    if event.get('fail'):\n        raise ValueError('no card')\n    if 'httpMethod' in event:\n        return {'statusCode': 201, 'body': json.dumps([event['path'], event['pathParameters'], event['body']])}\n    if event.get('notify'):\n        url = os.environ['AWS_ENDPOINT_URL_LAMBDA'] + '/2015-03-31/functions/own-name/invocations'\n        return json.load(urllib.request.urlopen(url, data=b'{}'))\n    return {'charged': event['amount'], 'sfn': os.environ['AWS_ENDPOINT_URL_SFN'], 'key': os.environ['AWS_SECRET_ACCESS_KEY']}\n";

const NOTIFY: &str =
    "exports.handler = async (event) => ({ notified: event, machine: process.env.MACHINE });";

fn definition() -> Value {
    json!({"StartAt": "Charge", "States": {
        "Charge": {"Type": "Task", "Resource": "${ChargeArn}", "Next": "Notify"},
        "Notify": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "End": true,
            "Parameters": {"FunctionName": "${Notify}", "Payload.$": "$"}, "OutputPath": "$.Payload"}}})
}

fn application() -> Folder {
    let folder = Folder::new();
    folder
        .write("template.yaml", TEMPLATE)
        .write("order.asl.json", definition().to_string())
        .write("charge/app.py", CHARGE)
        .write("notify/index.js", NOTIFY);
    folder
}

/// Starts an execution of the server of a folder.
fn start(folder: &Folder, input: &str) -> Ran {
    folder.asl(&["start", "Order", "-i", input])
}

fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "never: {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn an_application_runs_from_its_template() {
    let folder = application();
    let server = ServeProcess::dev(&folder, &[]);
    let started = start(&folder, r#"{"amount": 7}"#);
    let output = started.exits_with(0, &[":execution:Order:"]).json();
    let url = format!("http://{}", server.address);
    let charged = json!({"charged": 7, "sfn": url, "key": "test"});
    let machine = "arn:aws:states:us-east-1:000000000000:stateMachine:Order";
    assert_eq!(output, json!({"notified": charged, "machine": machine}));
    // A function that invokes another one.
    let through = start(&folder, r#"{"notify": true}"#).json();
    assert_eq!(
        through["notified"],
        json!({"notified": {}, "machine": machine})
    );
    let failed = start(&folder, r#"{"fail": true}"#);
    failed.exits_with(1, &["FAILED ValueError: ", "no card"]);
    for line in [
        "Order template.yaml#Order",
        "  Charge by function Charge",
        "  Notify by function own-name",
        "Schedule Hourly of Order is not delivered by itself",
        " started",
        "Order ",
        "SUCCEEDED",
        "FAILED ValueError: ",
        " Charge: charging",
    ] {
        server.says(line);
    }
}

#[test]
fn a_run_invokes_the_functions_of_the_template() {
    let folder = application();
    let run = |arguments: &[&str]| {
        let all = [
            &["run", "template.yaml#Order", "-i", r#"{"amount": 7}"#],
            arguments,
        ]
        .concat();
        let mut command = folder.command(&all);
        let output = command
            .env("XDG_CACHE_HOME", folder.path("cache"))
            .env("AWS_ENDPOINT_URL_SFN", "http://127.0.0.1:1")
            .output();
        let output = output.unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let code = output.status.code();
        (code, text(output.stdout), text(output.stderr))
    };
    let (code, stdout, stderr) = run(&[]);
    assert_eq!(code, Some(0), "{stderr}");
    let output: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(output["notified"]["charged"], 7);
    assert!(stderr.contains("Charge: charging"), "{stderr}");
    // A handler that is given performs it instead.
    let (_, stdout, stderr) = run(&["--task", "Charge=exec:cat"]);
    assert!(
        stdout.contains(r#""notified":{"amount":7}"#),
        "{stdout}{stderr}"
    );
}

#[test]
fn what_is_saved_takes_effect() {
    let folder = application();
    let server = ServeProcess::dev(&folder, &["--in-memory", "--account", "123456789012"]);
    let url = format!("http://{}", server.address);
    let run = |input: &str| folder.asl(&["start", "Order", "-i", input, "--endpoint", &url]);
    let output =
        |input: &str| serde_json::from_str::<Value>(&run(input).stdout).unwrap_or_default();
    run(r#"{"amount": 1}"#).exits_with(0, &[]);
    folder.write(
        "notify/index.js",
        "exports.handler = async () => 'changed code';",
    );
    until("the code is taken", || {
        output(r#"{"amount": 1}"#) == "changed code"
    });
    folder.write("order.asl.json", r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "Result": "changed definition", "End": true}}}"#);
    until("the definition is taken", || {
        output("{}") == "changed definition"
    });
    server.says("state machine Order updated");
    // A broken file changes nothing.
    folder.write("template.yaml", "Resources: [");
    server.says("the application is unchanged");
    assert_eq!(
        run("{}").json(),
        "changed definition",
        "{}",
        server.stderr()
    );
    let other = TEMPLATE.replace("  Order:\n", "  Other: {Type: AWS::Serverless::StateMachine, Properties: {Definition: {StartAt: A, States: {A: {Type: Succeed}}}}}\n  Order:\n");
    folder.write("template.yaml", other);
    server.says("state machine Other created");
    let several = folder.asl(&["start", "--endpoint", &url]);
    several.exits_with(2, &["has 2 state machines: select one of Order, Other"]);
    folder
        .asl(&["start", "Ordr", "--endpoint", &url])
        .exits_with(2, &["has no state machine 'Ordr'; did you mean `Order`?"]);
}

/// Sends a request to a server, and returns the response.
fn request(address: &str, head: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    write!(stream, "{head} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response
}

#[test]
fn apis_answer_and_start_executions() {
    let folder = application();
    let server = ServeProcess::dev(&folder, &["--in-memory"]);
    let base = "/_aws/execute-api/ServerlessRestApi/Prod";
    server.says(&format!(
        "POST http://{}{base}/charge/{{id}} by function Charge",
        server.address
    ));
    let charged = request(
        &server.address,
        &format!("POST {base}/charge/a%20b"),
        "{\"n\": 1}",
    );
    assert!(charged.starts_with("HTTP/1.1 201 Created\r\n"), "{charged}");
    assert!(
        charged.ends_with(r#"["/charge/a%20b", {"id": "a%20b"}, "{\"n\": 1}"]"#)
            || charged.ends_with(r#"["/charge/a b", {"id": "a b"}, "{\"n\": 1}"]"#),
        "{charged}"
    );
    let started = request(
        &server.address,
        &format!("POST {base}/orders"),
        "{\"amount\": 3}",
    );
    assert!(started.contains("execution:Order:"), "{started}");
    server.says("SUCCEEDED");
    let missing = request(&server.address, &format!("GET {base}/orders"), "");
    assert!(missing.starts_with("HTTP/1.1 403 "), "{missing}");
    let invoke = "POST /2015-03-31/functions/own-name/invocations";
    let invoked = request(&server.address, invoke, "{}");
    assert!(invoked.starts_with("HTTP/1.1 200 "), "{invoked}");
    let of_a_page = format!("{invoke} HTTP/1.1\r\nOrigin: http://a.example\r\nX-Rest:");
    let refused = request(&server.address, &of_a_page, "{}");
    assert!(refused.starts_with("HTTP/1.1 403 "), "{refused}");
    let failed = request(&server.address, &format!("POST {base}/charge/1"), "");
    assert!(failed.starts_with("HTTP/1.1 201 "), "{failed}");
}

#[test]
fn a_state_that_nobody_performs_is_named_with_the_option() {
    let folder = application();
    let definition = json!({"StartAt": "Put", "States": {
        "Put": {"Type": "Task", "Resource": "arn:aws:states:::dynamodb:putItem", "Parameters": {"TableName": "t", "Item": {}}, "Next": "Call"},
        "Call": {"Type": "Task", "Resource": "arn:aws:states:::http:invoke", 
            "Parameters": {"ApiEndpoint": "https://localhost/", "Method": "GET", "Authentication": {"ConnectionArn": "arn:aws:events:us-east-1:000000000000:connection/a/b"}}, "Next": "Else"},
        "Else": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:000000000000:function:elsewhere", "Next": "Nested"},
        "Nested": {"Type": "Task", "Resource": "arn:aws:states:::states:startExecution", "Parameters": {"StateMachineArn": "arn:aws:states:us-east-1:000000000000:stateMachine:Order"}, "End": true}}});
    folder.write("order.asl.json", definition.to_string());
    let server = ServeProcess::dev(&folder, &["--in-memory"]);
    for line in [
        "Put by nobody: add --task 'arn:aws:states:::dynamodb:putItem=exec:COMMAND', or --aws URL",
        "Call by nobody: add --task 'arn:aws:states:::http:invoke=exec:COMMAND', or --allow-http HOST",
        "Else by nobody: add --task 'elsewhere=exec:COMMAND'",
        "Nested by this server",
    ] {
        server.says(line);
    }
    let others = [
        "--in-memory",
        "--function",
        "elsewhere=exec:cat",
        "--allow-http",
        "localhost",
        "--aws",
        "http://127.0.0.1:1",
    ];
    let server = ServeProcess::dev(&folder, &others);
    for line in [
        "Put by http://127.0.0.1:1",
        "Call by HTTP",
        "Else by --task",
    ] {
        server.says(line);
    }
}

#[test]
fn processes_of_functions_end_with_a_server_that_is_killed() {
    let folder = application();
    folder.write("charge/app.py", "import os, time\n\ndef handler(event, context):\n    open('pid', 'w').write(str(os.getpid()))\n    time.sleep(60)\n");
    let mut server = ServeProcess::dev(&folder, &[]);
    folder
        .asl(&["start", "Order", "--detach"])
        .exits_with(0, &[]);
    until("the function runs", || {
        folder.path("charge/pid").exists() && !folder.read("charge/pid").is_empty()
    });
    let process: u32 = folder.read("charge/pid").parse().unwrap();
    server.process.kill().unwrap();
    server.process.wait().unwrap();
    let status = |process: u32| std::fs::read_to_string(format!("/proc/{process}/stat"));
    until("the function ends", || {
        status(process).map_or(true, |it| it.contains(") Z "))
    });
    // The execution was not lost: it invokes the function again.
    folder.write(
        "charge/app.py",
        "def handler(event, context): return {'again': True}\n",
    );
    let _server = ServeProcess::dev(&folder, &[]);
    let list = |status: &str| {
        let machine = "arn:aws:states:us-east-1:000000000000:stateMachine:Order";
        _server.call(
            "ListExecutions",
            &format!(r#"{{"stateMachineArn": "{machine}", "statusFilter": "{status}"}}"#),
        )
    };
    until("it succeeds", || {
        list("SUCCEEDED").contains(":execution:Order:")
    });
}

#[test]
fn code_and_modules_that_are_missing_are_named() {
    let folder = application();
    let template = TEMPLATE
        .replace("CodeUri: charge/", "CodeUri: s3://bucket/key.zip")
        .replace("CodeUri: notify/", "CodeUri: none/");
    folder.write("template.yaml", template);
    let server = ServeProcess::dev(&folder, &["--in-memory"]);
    server.says("does not work: its code is in s3://bucket/key.zip, which is not on this machine");
    server.says("does not work: its code is not there: none");
    let folder = application();
    folder.write("charge/requirements.txt", "# modules\nsome-module==1\n");
    let server = ServeProcess::dev(&folder, &["--in-memory", "--no-install"]);
    server.says("its modules are not installed: ");
    server.says("charge/requirements.txt");
}

#[test]
fn a_list_of_modules_that_comes_later_is_noticed() {
    let folder = application();
    let server = ServeProcess::dev(&folder, &["--no-install"]);
    assert!(
        !server.stderr().contains("not installed"),
        "{}",
        server.stderr()
    );
    folder.write("charge/requirements.txt", "some-module==1\n");
    server.says("its modules are not installed");
    folder.write("charge/requirements.txt", "# none\n");
    server.says("function Charge updated");
}

#[test]
fn wrong_use_is_refused() {
    let folder = Folder::new();
    folder.asl(&["dev"]).exits_with(
        2,
        &[". has no state machine and no function: expected a template"],
    );
    folder
        .asl(&["dev", "none.yaml"])
        .exits_with(2, &["cannot read none.yaml: no such file"]);
    let folder = application();
    folder
        .asl(&["dev", "--debug-function", "Charge"])
        .exits_with(2, &["--debug-function 'Charge' is not NAME=PORT"]);
    folder
        .asl(&["dev", "--function", "Charge"])
        .exits_with(2, &["--function 'Charge' has no handler: expected "]);
    folder
        .asl(&["start", "--endpoint", "nonsense"])
        .exits_with(2, &["--endpoint: the endpoint 'nonsense' is not valid"]);
    folder
        .asl(&["dev", "--connections", "none"])
        .exits_with(2, &["cannot read none: no such file"]);
    folder
        .asl(&["start", "Order", "--endpoint", "http://127.0.0.1:1"])
        .exits_with(
            2,
            &["no server answers at http://127.0.0.1:1: start one with asl dev or asl serve"],
        );
    folder
        .asl(&["start", "Order", "-i", "{"])
        .exits_with(2, &["--input"]);
}

const ECHO: &str = "def handler(event, context):\n    return {'echo': event}\n";

/// Runs an application with one state machine, whose task invokes a function that returns its event.
fn echoes(folder: &Folder, paths: &[&str]) {
    let mut arguments = paths.to_vec();
    arguments.push("--in-memory");
    let server = ServeProcess::dev(folder, &arguments);
    let url = format!("http://{}", server.address);
    let started = folder.asl(&["start", "-i", r#"{"n": 1}"#, "--endpoint", &url]);
    let output = started.exits_with(0, &[]).json();
    assert_eq!(output, json!({"echo": {"n": 1}}), "{}", server.stderr());
}

fn task(function: &Value) -> Value {
    json!({"StartAt": "Echo", "States": {"Echo": {"Type": "Task", "Resource": function, "End": true}}})
}

#[test]
fn a_cloud_assembly_of_cdk_runs() {
    let folder = Folder::new();
    // CDK writes definitions as joined texts.
    let definition = task(&json!("FUNCTION")).to_string();
    let (before, after) = definition.split_once("FUNCTION").unwrap();
    let template = json!({"Resources": {
        "EchoF0AA1C2D": {"Type": "AWS::Lambda::Function", "Metadata": {"aws:cdk:path": "Shop/Echo/Resource", "aws:asset:path": "asset.0a1b", "aws:asset:property": "Code"},
            "Properties": {"Runtime": "python3.12", "Handler": "app.handler", "Code": {"S3Bucket": {"Fn::Sub": "cdk-assets-${AWS::AccountId}"}, "S3Key": "0a1b.zip"}}},
        "Flow1D2C3B4A": {"Type": "AWS::StepFunctions::StateMachine", "Properties": {
            "DefinitionString": {"Fn::Join": ["", [before, {"Fn::GetAtt": ["EchoF0AA1C2D", "Arn"]}, after]]}}},
    }});
    folder
        .write("cdk.json", r#"{"app": "node shop.js"}"#)
        .write("cdk.out/manifest.json", "{}")
        .write("cdk.out/Shop.template.json", template.to_string())
        .write("cdk.out/asset.0a1b/app.py", ECHO);
    echoes(&folder, &[]);
}

#[test]
fn a_serverless_application_runs() {
    let folder = Folder::new();
    folder
        .write("serverless.yml", "service: shop\nprovider: {name: aws, runtime: python3.12}\nfunctions: {echo: {handler: src/app.handler}}\nstepFunctions:\n  stateMachines:\n    flow:\n      name: flow\n      definition:\n        StartAt: Echo\n        States:\n          Echo: {Type: Task, Resource: !GetAtt echo.Arn, End: true}\n")
        .write("src/app.py", ECHO);
    echoes(&folder, &[]);
}

#[test]
fn a_plan_of_terraform_runs() {
    let folder = Folder::new();
    let arn = json!("arn:aws:lambda:us-east-1:000000000000:function:echo");
    let plan = json!({"format_version": "1.2",
        "planned_values": {"root_module": {"resources": [
            {"address": "aws_sfn_state_machine.flow", "mode": "managed", "type": "aws_sfn_state_machine",
                "values": {"name": "flow", "type": "STANDARD", "definition": task(&arn).to_string()}},
            {"address": "aws_lambda_function.echo", "mode": "managed", "type": "aws_lambda_function",
                "values": {"function_name": "echo", "runtime": "python3.12", "handler": "app.handler", "filename": "echo.zip"}}]}},
        "prior_state": {"values": {"root_module": {"resources": [
            {"address": "data.archive_file.echo", "mode": "data", "type": "archive_file",
                "values": {"output_path": "echo.zip", "source_dir": "echo"}}]}}}});
    folder
        .write("plan.json", plan.to_string())
        .write("echo/app.py", ECHO);
    echoes(&folder, &["plan.json"]);
}
