//! Processes: their number, their end, and their limits.
#![cfg(unix)]
mod common;

use asl_lambda::{Invocation, InvocationOutcome, LogLine, Options};
use common::*;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[tokio::test]
async fn a_process_that_dies_fails_one_event() {
    let host = Host::python(
        "import os, sys\ndef handler(event, context):\n    if event.get('exit') is not None:\n        sys.exit(event['exit'])\n    if event.get('kill'):\n        os.kill(os.getpid(), 9)\n    return 'fine'\n",
    );
    assert_eq!(host.result(json!({})).await, "fine");
    for (event, ending) in [
        (
            json!({"exit": 3}),
            "Error: Runtime exited with error: exit status 3",
        ),
        (
            json!({"exit": 0}),
            "Error: Runtime exited without providing a reason",
        ),
        (
            json!({"kill": true}),
            "Error: Runtime exited with error: signal: killed",
        ),
    ] {
        let (name, message) = host.fault(event).await;
        assert_eq!(name, "Runtime.ExitError");
        assert!(message.starts_with("RequestId: "), "{message}");
        assert!(message.ends_with(ending), "{message}");
        assert_eq!(host.result(json!({})).await, "fine");
    }
}

#[tokio::test]
async fn a_function_that_takes_too_long_is_killed_with_all_it_started() {
    let files = [(
        "app.py",
        "import subprocess, time\ndef handler(event, context):\n    child = subprocess.Popen(['sleep', '60'], start_new_session=True)\n    open('pid', 'w').write(str(child.pid))\n    time.sleep(60)\n",
    )];
    let limit = Duration::from_millis(1_500);
    let host = Host::with(
        "python3",
        "app.handler",
        &files,
        |it| it.with_timeout(limit),
        |it| it,
    );
    let (name, message) = host.fault(json!({})).await;
    assert_eq!(name, "Sandbox.Timedout");
    assert!(
        message.ends_with("Error: Task timed out after 1.50 seconds"),
        "{message}"
    );
    let child = std::fs::read_to_string(host.code().join("pid")).unwrap();
    let child: u64 = child.parse().unwrap();
    until("the child ends", || !is_running(child)).await;
}

#[tokio::test]
async fn a_start_that_hangs_ends_too() {
    let files = [("app.py", "import time\ntime.sleep(60)\n")];
    let limit = Duration::from_millis(100);
    let host = Host::with(
        "python3",
        "app.handler",
        &files,
        |it| it.with_timeout(limit),
        |it| it.with_init_time(limit),
    );
    assert_eq!(host.fault(json!({})).await.0, "Sandbox.Timedout");
}

#[tokio::test]
async fn events_at_the_same_time_have_processes_of_their_own_up_to_the_limit() {
    let files = [(
        "app.py",
        "import os, time\ndef handler(event, context):\n    time.sleep(0.2)\n    return os.getpid()\n",
    )];
    let host = Host::with(
        "python3",
        "app.handler",
        &files,
        |it| it,
        |it| it.with_max_concurrency(2),
    );
    let (a, b, c) = tokio::join!(
        host.result(json!({})),
        host.result(json!({})),
        host.result(json!({}))
    );
    let mut all = [a, b, c].map(|it| it.as_u64().unwrap()).to_vec();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 2);
}

#[tokio::test]
async fn changed_code_runs_at_the_next_event() {
    let host = Host::python("def handler(e, c): return 'old'\n");
    assert_eq!(host.result(json!({})).await, "old");
    host.folder
        .write("code/app.py", "def handler(e, c): return 'brand new'\n");
    tokio::time::sleep(Duration::from_millis(350)).await;
    assert_eq!(host.result(json!({})).await, "brand new");
}

#[tokio::test]
async fn a_process_without_events_ends() {
    let files = [(
        "app.py",
        "import os\ndef handler(e, c): return os.getpid()\n",
    )];
    let host = Host::with(
        "python3",
        "app.handler",
        &files,
        |it| it,
        |it| it.with_idle_time(Duration::ZERO),
    );
    let process = host.result(json!({})).await.as_u64().unwrap();
    assert!(is_running(process));
    tokio::spawn(host.functions.clone().sweep());
    until("the process ends", || !is_running(process)).await;
}

#[tokio::test]
async fn an_executable_of_the_code_talks_to_the_runtime_api_itself() {
    let bootstrap = "#!/usr/bin/env python3\nimport os, urllib.request as r\napi = 'http://' + os.environ['AWS_LAMBDA_RUNTIME_API'] + '/2018-06-01/runtime/invocation/'\nwhile True:\n    event = r.urlopen(api + 'next')\n    id = event.headers['Lambda-Runtime-Aws-Request-Id']\n    r.urlopen(api + id + '/response', data=b'[' + event.read() + b']')\n";
    let host = Host::new("provided.al2023", "ignored", "bootstrap", bootstrap);
    let (name, message) = host.fault(json!({})).await;
    assert_eq!(
        name, "Runtime.InvalidEntrypoint",
        "it cannot be executed yet: {message}"
    );
    let path = host.code().join("bootstrap");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&path, mode).unwrap();
    assert_eq!(host.result(json!(1)).await, json!([1]));
    assert_eq!(host.result(json!(2)).await, json!([2]));
    std::fs::remove_file(path).unwrap();
    tokio::time::sleep(Duration::from_millis(350)).await;
    let (_, message) = host.fault(json!(3)).await;
    assert!(
        message.contains("Couldn't find valid bootstrap(s): ["),
        "{message}"
    );
}

#[tokio::test]
async fn a_response_is_limited() {
    let host = Host::python("def handler(event, context):\n    return 'x' * event['length']\n");
    assert_eq!(
        host.result(json!({"length": 6 << 20}))
            .await
            .as_str()
            .map(str::len),
        Some(6 << 20)
    );
    let (name, _) = host.fault(json!({"length": 7 << 20})).await;
    assert_eq!(name, "Function.ResponseSizeTooLarge");
    assert_eq!(host.result(json!({"length": 1})).await, "x");
    let event = vec![b' '; (6 << 20) + 1];
    let refused = host
        .functions
        .invoke("f", Invocation::new(event))
        .await
        .unwrap_err();
    assert_eq!(
        refused.to_string(),
        "Request must be smaller than 6291456 bytes for the InvokeFunction operation"
    );
}

#[tokio::test]
async fn lines_belong_to_an_invocation() {
    let lines: Arc<Mutex<Vec<LogLine>>> = Arc::default();
    let seen = Arc::clone(&lines);
    let receive =
        move |options: Options| options.on_log(move |line| seen.lock().unwrap().push(line.clone()));
    let files = [(
        "app.py",
        "import logging\nprint('start')\nlog = logging.getLogger()\nlog.setLevel('INFO')\ndef handler(e, c):\n    log.info('one')\n    print('two')\n",
    )];
    let host = Host::with("python3", "app.handler", &files, |it| it, receive);
    let invocation = Invocation::new("{}")
        .with_state("Charge".to_owned())
        .with_execution("run-1".to_owned());
    host.functions.invoke("f", invocation).await.unwrap();
    until("all lines come", || lines.lock().unwrap().len() == 3).await;
    let lines = lines.lock().unwrap();
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(texts, ["start", "[INFO]\tone", "two"]);
    let label = lines[2].invocation.as_ref().unwrap();
    assert_eq!(
        (label.state.as_deref(), label.execution.as_deref()),
        (Some("Charge"), Some("run-1"))
    );
}

/// Sends a request to the Runtime API, and returns the response.
async fn ask(api: &str, request: &str) -> String {
    let mut stream = tokio::net::TcpStream::connect(api).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut response = vec![0; 4096];
    let count = tokio::time::timeout(Duration::from_secs(5), stream.read(&mut response)).await;
    response.truncate(count.unwrap().unwrap());
    String::from_utf8_lossy(&response).into_owned()
}

#[tokio::test]
async fn others_can_neither_answer_an_event_nor_take_one() {
    let host = Host::python(
        "import os, time\ndef handler(event, context):\n    open('api', 'w').write(os.environ['AWS_LAMBDA_RUNTIME_API'] + ' ' + context.aws_request_id + '\\n')\n    while not os.path.exists('go'):\n        time.sleep(0.01)\n    return 'own'\n",
    );
    let (code, functions) = (host.code(), host.functions.clone());
    let invoked = tokio::spawn(async move { functions.invoke("f", Invocation::new("{}")).await });
    until("it works", || lines_of(&code.join("api")) == 1).await;
    let told = std::fs::read_to_string(code.join("api")).unwrap();
    let (api, id) = told.trim().split_once(' ').unwrap();
    let request = |method: &str, path: &str, headers: &str| {
        format!(
            "{method} /2018-06-01/runtime/{path} HTTP/1.1\r\nHost: {api}\r\nContent-Length: 1\r\n{headers}\r\n1"
        )
    };
    let starts = |response: String, status: &str| {
        let start = format!("HTTP/1.1 {status} ");
        assert!(response.starts_with(&start), "{response}");
    };
    let guess = "invocation/00000000-0000-4000-8000-000000000000/response";
    starts(ask(api, &request("POST", guess, "")).await, "400");
    starts(
        ask(api, &request("GET", "invocation/next", "")).await,
        "403",
    );
    let known = format!("invocation/{id}/response");
    starts(
        ask(
            api,
            &request("POST", &known, "Origin: http://a.example\r\n"),
        )
        .await,
        "403",
    );
    let elsewhere = request("POST", &known, "").replace(api, "a.example");
    starts(ask(api, &elsewhere).await, "403");
    starts(
        ask(api, &request("GET", "extension/register", "")).await,
        "404",
    );
    std::fs::write(code.join("go"), "").unwrap();
    let own = InvocationOutcome::Result(b"\"own\"".to_vec());
    assert_eq!(invoked.await.unwrap().unwrap(), own);
    // It is answered.
    starts(ask(api, &request("POST", &known, "")).await, "400");
}

#[tokio::test]
async fn garbage_of_a_function_is_passed_on_as_it_is() {
    let bootstrap = "#!/usr/bin/env python3\nimport os, urllib.request as r\napi = 'http://' + os.environ['AWS_LAMBDA_RUNTIME_API'] + '/2018-06-01/runtime/invocation/'\nevent = r.urlopen(api + 'next')\nr.urlopen(api + event.headers['Lambda-Runtime-Aws-Request-Id'] + '/response', data=b'\\xff{')\n";
    let host = Host::new("provided", "", "bootstrap", bootstrap);
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(host.code().join("bootstrap"), mode).unwrap();
    assert_eq!(
        host.invoke(Value::Null).await,
        InvocationOutcome::Result(b"\xff{".to_vec())
    );
}

#[tokio::test]
async fn a_missing_interpreter_is_named() {
    let host = Host::with(
        "python3.12",
        "app.handler",
        &[("app.py", "")],
        |it| it,
        |it| it,
    );
    // The folder of the code is gone.
    std::fs::remove_dir_all(host.code()).unwrap();
    let (name, message) = host.fault(json!({})).await;
    assert_eq!(name, "Runtime.InvalidEntrypoint");
    assert!(
        message.contains("the code of function 'f' is not there: "),
        "{message}"
    );
}
