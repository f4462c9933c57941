//! `asl serve --watch`.
#![cfg(unix)]
mod common;

use common::Folder;
use common::served::ServeProcess;
use serde_json::Value;

const OPTIONS: [&str; 4] = ["--watch", "flows", "--substitute", "Result=7"];
/// Arguments of a server with a store.
const KEPT: [&str; 6] = [
    "--account",
    "123456789012",
    "--data",
    "state",
    "--watch",
    "flows",
];

fn flows() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("flows/deep/er")).unwrap();
    folder
}

fn pass(result: &str) -> String {
    format!(
        r#"{{"StartAt": "A", "States": {{"A": {{"Type": "Pass", "Result": {result}, "End": true}}}}}}"#
    )
}

fn arn(name: &str) -> String {
    format!("arn:aws:states:us-east-1:123456789012:stateMachine:{name}")
}

/// Returns the API's description of a state machine.
fn described(server: &ServeProcess, name: &str) -> Value {
    let named = format!(r#"{{"stateMachineArn": "{}"}}"#, arn(name));
    let answer = server.call("DescribeStateMachine", &named);
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    serde_json::from_str(body).unwrap()
}

#[test]
fn definitions_are_there_at_once_as_they_are_written() {
    let folder = flows();
    folder
        .write("flows/one.asl.json", pass("${Result}"))
        .write(
            "flows/deep/er/two.asl.yaml",
            "StartAt: A\nStates:\n  A: {Type: Pass, End: true}\n",
        )
        .write("flows/deep/one.asl.yml", "broken")
        .write("flows/other.json", "{}");
    let mut options = OPTIONS.to_vec();
    options.extend(["--express", "two"]);
    let server = ServeProcess::in_memory(&folder, &options);
    let one = described(&server, "one");
    assert_eq!(one["definition"], pass("7"));
    assert_eq!(
        (&one["type"], &one["status"]),
        (&"STANDARD".into(), &"ACTIVE".into())
    );
    let two = described(&server, "two");
    assert_eq!(two["type"], "EXPRESS");
    let text = two["definition"].as_str().unwrap();
    assert_eq!(serde_json::from_str::<Value>(text).unwrap()["StartAt"], "A");
    assert!(
        server
            .call("ListStateMachines", "{}")
            .matches(r#""name""#)
            .count()
            == 2
    );
    server.says("flows/one.asl.json: state machine 'one' created");
    server.says("flows/deep/one.asl.yml is ignored");
}

#[test]
fn a_change_is_taken_a_broken_file_is_not_and_one_that_goes_takes_nothing_along() {
    let folder = flows();
    folder.write("flows/one.asl.json", pass("1"));
    let server = ServeProcess::in_memory(&folder, &OPTIONS);
    folder.write("flows/one.asl.json", pass("22"));
    server.says("state machine 'one' updated");
    assert_eq!(described(&server, "one")["definition"], pass("22"));
    let revision = described(&server, "one")["revisionId"].clone();
    assert!(revision.is_string());

    folder.write(
        "flows/one.asl.json",
        pass("22").replace("\"Pass\"", "\"Past\""),
    );
    server.says("state machine 'one' is unchanged");
    assert!(
        server.stderr().contains("--> flows/one.asl.json:1:"),
        "{}",
        server.stderr()
    );
    assert_eq!(described(&server, "one")["revisionId"], revision);

    folder.write("flows/deep/new.asl.json", pass("3"));
    server.says("state machine 'new' created");
    std::fs::remove_file(folder.path("flows/one.asl.json")).unwrap();
    server.says("deleted; state machine 'one' remains");
    assert_eq!(described(&server, "one")["definition"], pass("22"));
    folder.write("flows/one.asl.json", pass("4444"));
    while described(&server, "one")["definition"] != pass("4444") {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(server.end("-TERM"), Some(0));
}

#[test]
fn executions_keep_the_definition_that_they_began_with() {
    let folder = flows();
    let wait = |next: &str| {
        format!(
            r#"{{"StartAt": "W", "States": {{"W": {{"Type": "Wait", "Seconds": 2, "Next": "A"}},
        "A": {{"Type": "Pass", "Result": {next}, "End": true}}}}}}"#
        )
    };
    folder.write("flows/m.asl.json", wait("1"));
    let server = ServeProcess::new(&folder, &KEPT);
    let start = format!(r#"{{"stateMachineArn": "{}", "name": "e"}}"#, arn("m"));
    server.call("StartExecution", &start);
    folder.write("flows/m.asl.json", wait("22"));
    server.says("state machine 'm' updated");
    assert!(common::served::ended(&server).contains(r#""output":"1""#));
    assert_eq!(server.end("-TERM"), Some(0));
    // What is as it was is no news.
    let server = ServeProcess::new(&folder, &KEPT);
    assert_eq!(described(&server, "m")["definition"], wait("22"));
    assert!(
        !server.stderr().contains("state machine 'm'"),
        "{}",
        server.stderr()
    );
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let folder = flows();
    let missing = folder.asl(&["serve", "--in-memory", "--port", "0", "--watch", "nowhere"]);
    missing.exits_with(2, &["--watch nowhere: cannot be read"]);
    let express = folder.asl(&["serve", "--in-memory", "--express", "x"]);
    express.exits_with(2, &["--watch"]);
    folder.write("flows/bad.asl.json", pass("1"));
    let server = ServeProcess::new(&folder, &KEPT);
    assert_eq!(server.end("-TERM"), Some(0));
    let express = [&KEPT[..], &["--express", "bad"]].concat();
    let server = ServeProcess::new(&folder, &express);
    server
        .says("state machine 'bad' is STANDARD already, which cannot be changed: delete it first");
}

const TEMPLATE: &str = r#"
Transform: AWS::Serverless-2016-10-31
Resources:
  Ship: {Type: AWS::Serverless::Function, Properties: {Runtime: python3.12, Handler: app.handler, CodeUri: src/}}
  Order:
    Type: AWS::Serverless::StateMachine
    Properties:
      Name: own-name
      Type: EXPRESS
      DefinitionUri: order.asl.json
      DefinitionSubstitutions: {Result: 5}
"#;

#[test]
fn state_machines_of_a_template_are_served_and_follow_its_files() {
    let folder = flows();
    folder
        .write("flows/template.yaml", TEMPLATE)
        .write("flows/order.asl.json", pass("${Result}"));
    let server = ServeProcess::in_memory(&folder, &["--watch", "flows"]);
    let order = described(&server, "own-name");
    assert_eq!(order["definition"], pass("5"));
    assert_eq!(order["type"], "EXPRESS");
    server.says("flows/template.yaml#Order: state machine 'own-name' created");
    server.says(
        "the functions of flows/template.yaml are not run: `asl dev flows/template.yaml` runs them",
    );

    folder.write("flows/order.asl.json", pass("[${Result}]"));
    server.says("flows/template.yaml#Order: state machine 'own-name' updated");
    assert_eq!(described(&server, "own-name")["definition"], pass("[5]"));

    folder.write("flows/template.yaml", "Resources: {");
    server.says("state machine 'own-name' is unchanged");
    let other = TEMPLATE.replace("own-name", "other-name");
    folder.write("flows/template.yaml", other);
    server.says("state machine 'other-name' created");
    server.says("gone from the template; state machine 'own-name' remains");
}

#[test]
fn one_file_can_be_watched() {
    let folder = flows();
    folder
        .write("flows/one.asl.json", pass("1"))
        .write("flows/two.asl.json", pass("2"));
    let server = ServeProcess::in_memory(&folder, &["--watch", "flows/one.asl.json"]);
    assert_eq!(described(&server, "one")["definition"], pass("1"));
    let listed = server.call("ListStateMachines", "{}");
    assert_eq!(listed.matches(r#""name""#).count(), 1);
}
