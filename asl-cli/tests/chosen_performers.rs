//! Performers that `asl.toml` chooses.
#![cfg(unix)]
mod common;

use common::Folder;
use common::served::ServeProcess;

const DEFINITION: &str = r#"{"StartAt": "First", "States": {
    "First": {"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage",
        "Parameters": {"QueueUrl": "q", "MessageBody": "m"}, "ResultPath": "$.first", "Next": "Second"},
    "Second": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:Ship", "ResultPath": "$.second", "End": true}}}"#;

fn folder(settings: &str) -> Folder {
    let folder = Folder::new();
    folder
        .write("m.asl.json", DEFINITION)
        .write("asl.toml", settings)
        .write("say.sh", "cat > /dev/null; echo \"\\\"$1\\\"\"\n");
    folder
}

#[test]
fn a_state_and_a_resource_have_the_performer_that_is_chosen() {
    let folder = folder(
        "[performers.states]\nFirst = 'exec:sh say.sh state'\n\
         [performers.resources]\n'arn:aws:states:::sqs:*' = 'exec:sh say.sh resource'\nShip = 'exec:sh say.sh function'\n",
    );
    let ran = folder.asl(&["run", "m.asl.json", "-i", "{}"]);
    ran.exits_with(0, &[]);
    assert!(ran.json()["first"] == "state", "{}", ran.stdout);
    assert!(ran.json()["second"] == "function", "{}", ran.stdout);
    assert!(!ran.stderr.contains("no handler"), "{}", ran.stderr);

    let option = "arn:aws:lambda:*:Ship=exec:sh say.sh option";
    let ran = folder.asl(&["run", "m.asl.json", "-i", "{}", "--task", option]);
    assert!(ran.json()["second"] == "option", "{}", ran.stdout);
}

#[test]
fn a_chosen_performer_that_is_missing_ends_the_run_with_its_option() {
    let folder = folder("[performers.states]\nFirst = 'aws'\nSecond = 'exec:sh say.sh x'\n");
    let ran = folder.asl(&["run", "m.asl.json", "-i", "{}"]);
    assert_ne!(ran.code, Some(0));
    let all = format!("{}{}", ran.stdout, ran.stderr);
    let cause = "asl.toml chooses 'aws' for the task of state 'First', and nothing of that name performs arn:aws:states:::sqs:sendMessage: add --aws URL";
    assert!(all.contains(cause), "{all}");
}

#[test]
fn a_performer_that_is_not_known_is_refused() {
    let folder = folder("[performers.resources]\nShip = 'lambda'\n");
    let ran = folder.asl(&["run", "m.asl.json", "-i", "{}"]);
    let expected = "asl.toml: performers.resources of 'Ship': expected exec:COMMAND, http://HOST/PATH or one of function, \
                    lambda-endpoint, s3-root, http, aws, found 'lambda'";
    ran.exits_with(2, &[expected]);
}

#[test]
fn the_table_of_an_application_shows_the_choices() {
    let folder = folder("[performers.states]\nFirst = 'aws'\nSecond = 'exec:sh say.sh x'\n");
    let server = ServeProcess::dev(&folder, &["m.asl.json", "--aws", "http://127.0.0.1:9"]);
    server.says("First by http://127.0.0.1:9, which asl.toml chooses");
    server.says("Second by asl.toml");
}
