//! Plain names as the resources of tasks: one setting for every command and the editor.
mod common;

use common::Folder;

const DEFINITION: &str = r#"{
  "StartAt": "Charge",
  "States": {"Charge": {"Type": "Task", "Resource": "charge-card", "End": true}}
}
"#;

const TESTS: &str = "version: 1
cases:
  a card that is charged:
    input: {amount: 3}
    mocks: {charge-card: {return: {charged: 3}}}
    expect: {output: {charged: 3}}
";

const REFUSAL: &str = "Value is not a valid resource ARN";
const RUN: [&str; 4] = ["run", "order.asl.json", "--task", "charge-card=exec:echo 7"];

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("order.asl.json", DEFINITION);
    folder.write("order.test.yaml", TESTS);
    folder
}

#[test]
fn plain_names_are_refused_by_default() {
    let folder = folder();
    for command in [
        &["validate", "order.asl.json"][..],
        &RUN[..],
        &["test", "order.test.yaml"][..],
    ] {
        let done = folder.asl(command);
        assert_ne!(done.code, Some(0), "{done:?}");
        assert!(done.printed().contains(REFUSAL), "{done:?}");
    }
}

#[test]
fn an_option_allows_them() {
    let folder = folder();
    let with = |command: &[&'static str]| [command, &["--resources", "any"][..]].concat();
    let validated = folder.asl(&with(&["validate", "order.asl.json"]));
    validated.reported(0, &[]);
    let ran = folder.asl(&with(&RUN));
    ran.reported(0, &["7\n"]);
}

#[test]
fn a_setting_allows_them_everywhere() {
    let folder = folder();
    folder.write("asl.toml", "resources = \"any\"\n");
    let validated = folder.asl(&["validate", "order.asl.json"]);
    validated.reported(0, &[]);
    let ran = folder.asl(&RUN);
    ran.reported(0, &["7\n"]);
    let tested = folder.asl(&["test", "order.test.yaml"]);
    tested.reported(0, &[]);
    // An option and a test file override the settings.
    let known = folder.asl(&["validate", "order.asl.json", "--resources", "known"]);
    known.reported(2, &[REFUSAL]);
    folder.write("order.test.yaml", format!("resources: known\n{TESTS}"));
    let tested = folder.asl(&["test", "order.test.yaml"]);
    assert_ne!(tested.code, Some(0), "{tested:?}");
}

#[test]
fn a_test_file_allows_them_for_its_definitions() {
    let folder = folder();
    folder.write("order.test.yaml", format!("resources: any\n{TESTS}"));
    let tested = folder.asl(&["test", "order.test.yaml"]);
    tested.reported(0, &[]);
    folder.write("order.test.yaml", format!("resources: some\n{TESTS}"));
    let tested = folder.asl(&["test", "order.test.yaml"]);
    assert!(
        tested.printed().contains("expected `known` or `any`"),
        "{tested:?}"
    );
}
