//! `asl mocks init`.
mod common;

use common::Folder;
use serde_json::json;

/// Returns a machine with a task of each kind.
fn machine() -> String {
    let names = [
        (
            "Function",
            "arn:aws:lambda:us-east-1:123456789012:function:work",
        ),
        ("Invoke it", "arn:aws:states:::lambda:invoke"),
        (
            "Wait for it",
            "arn:aws:states:::lambda:invoke.waitForTaskToken",
        ),
        ("Nested", "arn:aws:states:::states:startExecution.sync"),
        ("Nested2", "arn:aws:states:::states:startExecution.sync:2"),
        ("Send", "arn:aws:states:::sqs:sendMessage"),
        ("Job", "arn:aws:states:::glue:startJobRun.sync"),
        ("Call", "arn:aws:states:::http:invoke"),
    ];
    let mut states = serde_json::Map::new();
    for (index, (name, resource)) in names.iter().enumerate() {
        let mut state = json!({"Type": "Task", "Resource": resource});
        if resource.contains(":::") {
            state["Parameters"] = json!({"FunctionName": "work", "StateMachineArn": "arn:aws:states:us-east-1:123456789012:stateMachine:child",
                "QueueUrl": "q", "MessageBody": "b", "JobName": "j", "ApiEndpoint": "https://example.com", "Method": "GET", "InvocationConfig": {"ConnectionArn": "arn"}});
        }
        if let Some(read) = match *name {
            "Send" => Some("$.MessageId"),
            "Job" => Some("$.JobRun.JobRunState"),
            _ => None,
        } {
            state["ResultSelector"] = json!({"read.$": read});
        }
        if resource.ends_with(".waitForTaskToken") {
            state["Parameters"]["Token.$"] = json!("$$.Task.Token");
        }
        match names.get(index + 1) {
            Some((next, _)) => state["Next"] = json!(next),
            None => state["End"] = json!(true),
        }
        states.insert((*name).to_owned(), state);
    }
    json!({"StartAt": "Function", "States": states}).to_string()
}

#[test]
fn every_task_has_a_mock_of_its_shape_and_the_case_runs() {
    let folder = Folder::new();
    folder.write("work.asl.json", machine());
    folder
        .asl(&["mocks", "init", "work.asl.json"])
        .reported(0, &["wrote work.test.yaml"]);
    let text = folder.read("work.test.yaml");
    for part in [
        "  Function:\n    return: {}\n",
        "  # Payload is the return value of the function\n  \"Invoke it\":\n    return:\n      ExecutedVersion: \"$LATEST\"\n      Payload: {}\n      StatusCode: 200\n",
        "  # the output passed to SendTaskSuccess with the task token\n  \"Wait for it\":\n    return: {}\n",
        "      Output: \"{}\"\n",
        "      Output: {}\n",
        "  Send:\n    return:\n      MessageId: \"\"\n",
        "  Job:\n    return:\n      JobRun:\n        JobRunState: STARTING\n",
        "  # what the service returns\n  Call:\n",
    ] {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
    assert!(
        text.starts_with("# yaml-language-server: $schema=asl-test.schema.json\nversion: 1\n"),
        "{text}"
    );
    assert_eq!(folder.read("asl-test.schema.json"), asl_test::SCHEMA);
    folder
        .asl(&["test"])
        .reported(0, &["PASS work.test.yaml (1 case)"]);
    // It is what asl test reads, and names nothing that is not there.
    let report = folder.asl(&["test", "--format", "json"]).json();
    assert_eq!(
        report["cases"][0]["run"]["calls"].as_array().map(Vec::len),
        Some(8)
    );
}

#[test]
fn what_stands_for_placeholders_is_written_where_the_tests_read_it() {
    let folder = Folder::new();
    let machine = json!({"StartAt": "Work", "States": {"Work": {"Type": "Task", "Resource": "${Work}", "TimeoutSeconds": 5, "End": true}}});
    folder
        .write("work.asl.json", machine.to_string().replace("5", "${Most}"))
        .write("values.json", r#"{"Most": 7, "Other": "unused"}"#);
    let work = "Work=arn:aws:lambda:us-east-1:123456789012:function:work";
    let given = ["--substitute", work, "--substitutions", "values.json"];
    folder
        .asl(&[&["mocks", "init", "work.asl.json"][..], &given].concat())
        .reported(0, &["wrote work.test.yaml"]);
    let text = folder.read("work.test.yaml");
    assert!(
        text.contains("\nversion: 1\nsubstitutions:\n  Most: \"7\"\n  Work: \"arn:aws:lambda:us-east-1:123456789012:function:work\"\nmocks:\n"),
        "{text}"
    );
    folder
        .asl(&["test"])
        .reported(0, &["PASS work.test.yaml (1 case)"]);
    folder
        .asl(&[
            "mocks",
            "init",
            "work.asl.json",
            "-",
            "--substitute",
            "Wrok=1",
        ])
        .reported(
            2,
            &["warning: --substitute Wrok: the definition has no ${Wrok}"],
        );
}

#[test]
fn nothing_is_written_over_without_a_word() {
    let folder = Folder::new();
    folder
        .write("work.asl.json", machine())
        .write("work.test.yaml", "mine");
    let there = "error: work.test.yaml already exists: use --force to overwrite it";
    folder
        .asl(&["mocks", "init", "work.asl.json"])
        .exits_with(2, &[there]);
    assert_eq!(folder.read("work.test.yaml"), "mine");
    folder
        .asl(&["mocks", "init", "work.asl.json", "--force"])
        .exits_with(0, &[]);
    assert!(
        folder
            .read("work.test.yaml")
            .contains("\nversion: 1\nmocks:\n")
    );
}

#[test]
fn it_goes_where_one_says_and_finds_the_definition() {
    let folder = Folder::new();
    folder
        .write("work.asl.json", machine())
        .write("work.tf", machine());
    let ran = folder.asl(&["mocks", "init", "work.asl.json", "-"]);
    assert!(ran.stdout.starts_with("version: 1\nmocks:\n"), "{ran:?}");
    let piped = folder.asl_with_stdin(&["mocks", "init", "-"], &machine());
    assert_eq!(piped.stdout, ran.stdout);
    folder
        .asl(&["mocks", "init", "work.tf"])
        .reported(2, &["work.tf ends with none of .asl.json"]);
    folder
        .asl(&["mocks", "init", "work.tf", "other.test.yaml"])
        .reported(0, &[]);
    assert!(
        folder
            .read("other.test.yaml")
            .contains("\nversion: 1\ndefinition: work.tf\n")
    );
    std::fs::create_dir(folder.path("tests")).unwrap();
    folder
        .asl(&["mocks", "init", "work.asl.json", "tests/work.test.yaml"])
        .reported(0, &[]);
    folder
        .asl(&["test"])
        .reported(0, &["PASS other.test.yaml", "PASS tests/work.test.yaml"]);
    assert!(
        folder
            .read("tests/work.test.yaml")
            .starts_with("# yaml-language-server: $schema=../asl-test.schema.json\n")
    );
}

#[test]
fn a_folder_has_a_test_file_for_each_definition() {
    let folder = Folder::new();
    let template = json!({"Resources": {
        "One": {"Type": "AWS::StepFunctions::StateMachine", "Properties": {"Definition": serde_json::from_str::<serde_json::Value>(common::PASS).unwrap()}},
        "Two": {"Type": "AWS::StepFunctions::StateMachine", "Properties": {"DefinitionString": common::PASS}}}});
    std::fs::create_dir(folder.path("flows")).unwrap();
    folder
        .write("flows/work.asl.json", machine())
        .write("flows/done.asl.json", common::PASS)
        .write("flows/done.test.yaml", "version: 1\ncases: {}\n")
        .write("template.json", template.to_string());
    folder.asl(&["mocks", "init", "."]).reported(
        0,
        &[
            "wrote flows/work.test.yaml",
            "flows/done.test.yaml already exists: use --force to overwrite it",
            "wrote One.test.yaml",
            "wrote Two.test.yaml",
        ],
    );
    assert_eq!(
        folder.read("flows/done.test.yaml"),
        "version: 1\ncases: {}\n"
    );
    assert!(
        folder
            .read("Two.test.yaml")
            .contains("\ndefinition: \"template.json#Two\"\n")
    );
    folder.asl(&["test"]).reported(
        0,
        &[
            "PASS One.test.yaml",
            "PASS Two.test.yaml",
            "PASS flows/work.test.yaml",
        ],
    );
    folder
        .asl(&["mocks", "init", ".", "x.test.yaml"])
        .reported(2, &["error: . is a folder"]);
}

#[test]
fn objects_of_item_readers_are_prepared() {
    let folder = Folder::new();
    let machine = json!({"StartAt": "Each", "States": {"Each": {"Type": "Map", "End": true,
        "ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {"InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW"},
            "Parameters": {"Bucket": "in", "Key": "orders.csv"}},
        "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "One", "States": {"One": {"Type": "Pass", "End": true}}}}}});
    folder.write("each.asl.json", machine.to_string());
    folder
        .asl(&["mocks", "init", "each.asl.json"])
        .reported(0, &[]);
    let text = folder.read("each.test.yaml");
    assert!(
        text.contains("# objects by bucket and key\ns3:\n  in:\n    orders.csv: \"id\\n1\\n\"\n"),
        "{text}"
    );
    folder.asl(&["test"]).reported(0, &["PASS each.test.yaml"]);
}

#[test]
fn a_machine_without_tasks_has_a_case_alone() {
    let folder = Folder::new();
    folder.write("pass.asl.json", common::PASS);
    folder
        .asl(&["mocks", "init", "pass.asl.json"])
        .reported(0, &[]);
    folder.asl(&["test"]).reported(0, &["PASS pass.test.yaml"]);
    folder.write("wrong.asl.json", "{}");
    folder
        .asl(&["mocks", "init", "wrong.asl.json"])
        .reported(2, &["wrong.asl.json:1:1"]);
}
