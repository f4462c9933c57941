//! The walk-through of `asl serve` runs as its README says. The lines of the AWS CLI are given to a small client here that speaks
//! the protocol: nobody who runs these tests needs the CLI.
#![cfg(unix)]
mod common;

use common::served::call_on;
use common::{Folder, copy_folder};
use serde_json::{Map, Value};
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// Replacement of `aws`: writes its arguments to a file, and waits for an output and an exit status.
const AWS: &str = r#"#!/bin/sh
for argument in "$@"; do printf '%s\0' "$argument"; done > "$ASKED/$$.new"
mv "$ASKED/$$.new" "$ASKED/$$.asked"
until test -e "$ASKED/$$.status"; do sleep 0.02; done
cat "$ASKED/$$.answer"
status=$(cat "$ASKED/$$.status")
rm "$ASKED/$$.answer" "$ASKED/$$.status"
exit "$status"
"#;

/// Returns the commands of the README, in one.
fn script(readme: &str) -> String {
    let blocks = readme.split("```sh\n").skip(1);
    blocks
        .map(|rest| rest.split("```").next().unwrap())
        .collect()
}

/// Returns the outputs that the README shows for its commands.
fn shown(script: &str) -> Vec<&str> {
    let lines = script.lines();
    lines
        .filter_map(|line| Some(line.split_once("    # ")?.1))
        .collect()
}

#[test]
fn the_walk_through_is_true() {
    let folder = Folder::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for name in ["flows", "s3", "price.sh", "ask.sh", "ship.sh"] {
        let (from, to) = (
            root.join("examples/serve").join(name),
            folder.path("examples/serve").join(name),
        );
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        match from.is_dir() {
            true => copy_folder(&from, &to),
            false => drop(std::fs::copy(from, to).unwrap()),
        }
    }
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let readme = std::fs::read_to_string(root.join("examples/serve/README.md")).unwrap();
    let script = script(&readme);
    let expected = shown(&script);
    assert!(expected.len() >= 7, "{expected:?}");
    let run = script
        .replace("8083", &port.to_string())
        .replace("asl serve ", &format!("asl serve --port {port} "))
        // What it prints is for people.
        .replace("price.sh' --task 'ask=exec:sh ask.sh' --task 'ship=exec:sh ship.sh' &", "price.sh' --task 'ask=exec:sh ask.sh' --task 'ship=exec:sh ship.sh' >> served.txt 2>&1 &");
    let (code, stdout, stderr) = run_answered(&folder, &run, port);
    let served = folder.read("examples/serve/served.txt");
    assert_eq!(code, Some(0), "{stdout}\n{stderr}\n{served}");
    assert_eq!(stdout.lines().collect::<Vec<_>>(), expected, "{stderr}");
    let account = folder.read("examples/serve/shop/account.txt");
    assert!(
        account.contains("● Approve") && account.contains("WarehouseClosed"),
        "{account}"
    );
}

/// One command that starts it, and three that run an execution.
#[test]
fn the_readme_of_the_project_runs_an_execution() {
    let folder = Folder::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let (_, section) = readme.split_once("## As a server\n").unwrap();
    let script = script(section.split("\n## ").next().unwrap());
    assert_eq!(script.matches("aws stepfunctions ").count(), 3, "{script}");
    let run = script
        .replace(
            "asl serve\n",
            &format!("asl serve --port {port} > served.txt 2>&1 &\n"),
        )
        .replace("8083", &port.to_string())
        .replace("file://", &format!("file://{}/", root.display()));
    let (code, stdout, stderr) = run_answered(&folder, &format!("{run}\nkill $!"), port);
    assert_eq!(code, Some(0), "{stdout}\n{stderr}");
    assert!(
        stdout.contains(
            r#""stateMachineArn": "arn:aws:states:us-east-1:000000000000:stateMachine:Hello""#
        ),
        "{stdout}"
    );
    assert!(
        stdout.contains(
            r#""executionArn": "arn:aws:states:us-east-1:000000000000:execution:Hello:first""#
        ),
        "{stdout}"
    );
}

/// Runs a script, and answers what it asks of `aws` meanwhile.
fn run_answered(folder: &Folder, script: &str, port: u16) -> (Option<i32>, String, String) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::create_dir_all(folder.path("bin")).unwrap();
    std::fs::create_dir_all(folder.path("asked")).unwrap();
    folder.write("bin/aws", AWS);
    std::fs::set_permissions(folder.path("bin/aws"), PermissionsExt::from_mode(0o755)).unwrap();
    let binaries = Path::new(env!("CARGO_BIN_EXE_asl")).parent().unwrap();
    let path = format!(
        "{}:{}:{}",
        folder.path("bin").display(),
        binaries.display(),
        std::env::var("PATH").unwrap()
    );
    let file = |name: &str| std::fs::File::create(folder.path(name)).unwrap();
    let mut command = Command::new("sh");
    command
        .args(["-e", "-c", script])
        .current_dir(folder.path("."))
        .env("PATH", path)
        .env("ASKED", folder.path("asked"))
        .stdout(file("stdout.txt"))
        .stderr(file("stderr.txt"))
        .process_group(0);
    let group = Group(command.spawn().unwrap());
    let code = answer_until_it_ends(group, &folder.path("asked"), port);
    (code, folder.read("stdout.txt"), folder.read("stderr.txt"))
}

/// Answers for two minutes at most: a script whose server does not run waits for it without end.
fn answer_until_it_ends(mut group: Group, asked: &Path, port: u16) -> Option<i32> {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(120) {
        if let Some(status) = group.0.try_wait().unwrap() {
            return status.code();
        }
        answer_all(asked, port);
        std::thread::sleep(Duration::from_millis(5));
    }
    None
}

/// A script and all that it starts, which end with this.
struct Group(Child);

impl Drop for Group {
    fn drop(&mut self) {
        let group = format!("-{}", self.0.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        let _ = self.0.wait();
    }
}

fn answer_all(asked: &Path, port: u16) {
    for entry in std::fs::read_dir(asked).unwrap().flatten() {
        let path = entry.path();
        if path
            .extension()
            .is_none_or(|extension| extension != "asked")
        {
            continue;
        }
        let arguments = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let arguments: Vec<&str> = arguments.trim_end_matches('\0').split('\0').collect();
        let (answer, status) = match asked_of_the_cli(&arguments, port) {
            Ok(answer) => (answer, "0"),
            Err(error) => (error, "254"),
        };
        std::fs::write(path.with_extension("answer"), answer).unwrap();
        let status_file: PathBuf = path.with_extension("status");
        std::fs::write(path.with_extension("status.new"), status).unwrap();
        std::fs::rename(path.with_extension("status.new"), status_file).unwrap();
    }
}

/// Returns the output of `aws`, as far as the README uses it.
fn asked_of_the_cli(arguments: &[&str], port: u16) -> Result<String, String> {
    let ["stepfunctions", operation, options @ ..] = arguments else {
        return Err(format!(
            "expected aws stepfunctions OPERATION, found {arguments:?}"
        ));
    };
    let (mut request, mut query) = (Map::new(), "@");
    for option in options.chunks(2) {
        let [name, value] = option else {
            return Err(format!("an option without a value: {option:?}"));
        };
        match *name {
            "--query" => query = value,
            // What belongs to the CLI itself.
            "--output" | "--max-items" => {}
            name if value.starts_with("file://") => {
                let text = std::fs::read_to_string(&value["file://".len()..]);
                let text = text.map_err(|error| format!("{value}: {error}"))?;
                drop(request.insert(member(name), text.into()));
            }
            "--task-output" => drop(request.insert("output".to_owned(), (*value).into())),
            name => drop(request.insert(member(name), (*value).into())),
        }
    }
    let answer = call(&joined(operation, true), &Value::Object(request), port)?;
    Ok(queried(&answer, query))
}

/// `--state-machine-arn` as the protocol has it.
fn member(option: &str) -> String {
    joined(option.trim_start_matches('-'), false)
}

fn joined(words: &str, first_is_large: bool) -> String {
    let large = |word: &str| word[..1].to_uppercase() + &word[1..];
    let words = words.split('-').enumerate();
    words
        .map(|(index, word)| {
            if index > 0 || first_is_large {
                large(word)
            } else {
                word.to_owned()
            }
        })
        .collect()
}

fn queried(answer: &Value, query: &str) -> String {
    match query {
        "@" if answer == &Value::Object(Map::new()) => String::new(),
        "@" => format!("{answer:#}\n"),
        "length(keys(@))" => format!("{}\n", answer.as_object().unwrap().len()),
        "length(mapRuns)" => format!("{}\n", answer["mapRuns"].as_array().unwrap().len()),
        name => match &answer[name] {
            Value::String(text) => format!("{text}\n"),
            other => format!("{other}\n"),
        },
    }
}

/// Returns an operation; a server that is not there yet is waited for, as the CLI does.
fn call(operation: &str, request: &Value, port: u16) -> Result<Value, String> {
    let begun = Instant::now();
    let stream = loop {
        match TcpStream::connect(("127.0.0.1", port)) {
            // A free port may be given to the connection itself, which then is answered by nobody.
            Ok(stream) if is_to_itself(&stream) => {}
            Ok(stream) => break stream,
            Err(error) if begun.elapsed() > Duration::from_secs(30) => {
                return Err(error.to_string());
            }
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    let answer = call_on(stream, operation, &request.to_string());
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    match head.starts_with("HTTP/1.1 200 ") {
        true if body == "{}" => Ok(Value::Object(Map::new())),
        true => Ok(serde_json::from_str(body).unwrap()),
        false => Err(body.to_owned()),
    }
}

fn is_to_itself(stream: &TcpStream) -> bool {
    stream.local_addr().unwrap() == stream.peer_addr().unwrap()
}
