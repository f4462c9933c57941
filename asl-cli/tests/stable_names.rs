//! Names that programs and operators depend on: options, rules, fields of JSON output and logs, metrics, and the names by which
//! handlers receive a task. Code can be renamed, these cannot. The lists are under `stable_names/`; `UPDATE_EXPECT=1` writes them.
#![cfg(unix)]
mod common;

use common::served::{ServeProcess, ended, get_at, start};
use common::{Folder, task};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;

/// Compares a list with its file, or writes the file.
#[track_caller]
fn is_unchanged(file: &str, list: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/stable_names")
        .join(file);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, list).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(list, expected, "{file}");
}

fn lines(names: impl IntoIterator<Item = String>) -> String {
    let names: BTreeSet<String> = names.into_iter().collect();
    names.into_iter().map(|name| name + "\n").collect()
}

/// Returns the names that begin the lines of a section of a help text.
fn names_of_section<'h>(help: &'h str, section: &str) -> Vec<&'h str> {
    let lines = help.lines().skip_while(|line| *line != section).skip(1);
    let lines = lines.take_while(|line| !line.is_empty());
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names
        .filter_map(|line| line.split_whitespace().next())
        .collect()
}

/// Lists the options of a command and of its subcommands, with the names of their values.
fn list_options(folder: &Folder, command: &[&str], list: &mut String) {
    let help = folder.asl(&[command, &["--help"]].concat()).stdout;
    for line in help
        .lines()
        .filter(|line| line.trim_start().starts_with('-'))
    {
        let option = line.trim_start().split("  ").next().unwrap_or_default();
        let _ = writeln!(list, "asl {} {option}", command.join(" "));
    }
    for subcommand in names_of_section(&help, "Commands:") {
        if subcommand != "help" {
            list_options(folder, &[command, &[subcommand]].concat(), list);
        }
    }
}

#[test]
fn options_keep_their_names() {
    let mut list = String::new();
    list_options(&Folder::new(), &[], &mut list);
    // Options of some builds only.
    let list = list
        .lines()
        .filter(|line| !line.contains(" --restate-") && !line.contains(" --engine"));
    is_unchanged(
        "options.txt",
        &list.map(|line| format!("{line}\n")).collect::<String>(),
    );
}

#[test]
fn rules_keep_their_names() {
    let listed = Folder::new().asl(&["validate", "--explain"]).stdout;
    let names = listed
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    is_unchanged("rules.txt", &lines(names.map(str::to_owned)));
}

/// Adds the path of each field in a value.
fn collect_fields(value: &Value, path: &str, fields: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                let path = format!("{path}.{name}");
                fields.insert(path.clone());
                collect_fields(value, &path, fields);
            }
        }
        Value::Array(elements) => {
            for element in elements {
                collect_fields(element, &format!("{path}[]"), fields);
            }
        }
        _ => {}
    }
}

#[test]
fn json_output_keeps_its_fields() {
    let folder = Folder::new();
    let failing = task(r#", "Retry": [{"ErrorEquals": ["Busy"]}]"#);
    folder.write("order.asl.json", &failing);
    let definition: Value = serde_json::from_str(&failing).unwrap();
    let state = definition["StartAt"].as_str().unwrap();
    let tests = json!({"version": 1, "cases": {"fails": {
        "mocks": {state: {"throw": "Gone"}}, "expect": {"status": "SUCCEEDED"}}}});
    folder.write("order.test.json", tests.to_string());
    folder.write(
        "wrong.asl.json",
        r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "B"}}}"#,
    );
    let mocks = json!({"StateMachines": {"M": {"TestCases": {"C": {state: "R"}}}},
        "MockedResponses": {"R": {"0": {"Throw": {"Error": "Busy"}}, "1": {"Throw": {"Error": "Gone"}}}}});
    folder.write("mocks.json", mocks.to_string());
    let mocked = [
        "run",
        "order.asl.json",
        "--mocks",
        "mocks.json",
        "--history",
        "history.json",
    ];
    let commands: [(&str, &[&str]); 6] = [
        (
            "run",
            &[&mocked, &["--report", "json", "--explain"][..]].concat(),
        ),
        (
            "validate",
            &["validate", "wrong.asl.json", "--format", "json"],
        ),
        ("test", &["test", "--format", "json"]),
        (
            "test --coverage",
            &[
                "test",
                "--format",
                "tap",
                "--coverage",
                "json",
                "--coverage-output",
                "coverage.json",
            ],
        ),
        (
            "explain",
            &[
                "explain",
                "history.json",
                "--definition",
                "order.asl.json",
                "--format",
                "json",
            ],
        ),
        ("eval", &["eval", "$.a", "--report", "json"]),
    ];
    let mut list = String::new();
    for (name, arguments) in commands {
        let printed = folder.asl(arguments).stdout;
        let printed = match arguments.contains(&"--coverage") {
            true => folder.read("coverage.json"),
            false => printed,
        };
        let json = printed
            .find(['{', '['])
            .map_or("null", |start| &printed[start..]);
        let value = serde_json::Deserializer::from_str(json)
            .into_iter::<Value>()
            .next();
        let mut fields = BTreeSet::new();
        collect_fields(&value.unwrap().unwrap(), "", &mut fields);
        assert!(!fields.is_empty(), "{name}: {printed}");
        list.extend(fields.into_iter().map(|field| format!("{name} {field}\n")));
    }
    is_unchanged("json-output.txt", &list);
}

#[test]
fn metrics_and_log_fields_keep_their_names() {
    let folder = Folder::new();
    folder.write("pay.sh", "exit 1");
    let options = ["--log", "json", "--task", "pay=exec:sh pay.sh"];
    let server = ServeProcess::in_memory(&folder, &options);
    start(
        &server,
        "arn:aws:lambda:us-east-1:123456789012:function:pay",
    );
    ended(&server);
    server.says(r#""status":"FAILED""#);
    let metrics = get_at(&server.address, "/metrics");
    let names = metrics
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE "));
    is_unchanged("metrics.txt", &lines(names.map(str::to_owned)));
    let stderr = server.stderr();
    let logged = stderr
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let fields = logged.filter_map(|line| {
        let names: Vec<&str> = line.as_object()?.keys().map(String::as_str).collect();
        Some(names.join(" "))
    });
    is_unchanged("log-fields.txt", &lines(fields));
}

#[test]
fn handlers_receive_a_task_by_the_same_names() {
    let folder = Folder::new();
    folder.write("machine.asl.json", task(""));
    let run = |handler: &str| {
        folder.asl(&[
            "run",
            "machine.asl.json",
            "--task",
            &format!("work={handler}"),
        ])
    };
    run("exec:sh -c 'env > environment; echo 1'").exits_with(0, &[]);
    let environment = folder.read("environment");
    let variables = environment
        .lines()
        .filter_map(|line| line.split('=').next());
    let mut names: Vec<String> = variables
        .filter(|name| name.starts_with("ASL_"))
        .map(str::to_owned)
        .collect();

    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut head = vec![0; 65_536];
        let length = stream.read(&mut head).unwrap();
        stream
            .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1")
            .unwrap();
        String::from_utf8_lossy(&head[..length]).into_owned()
    });
    run(&format!("http://{address}/")).exits_with(0, &[]);
    let head = server.join().unwrap();
    let headers = head.lines().skip(1).take_while(|line| !line.is_empty());
    names.extend(headers.filter_map(|line| Some(line.split_once(':')?.0.to_lowercase())));
    is_unchanged("task-names.txt", &lines(names));
}
