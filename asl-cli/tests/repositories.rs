//! Folders shaped like repositories of teams: checked, run and tested by one command each.
mod common;

use common::{Folder, Ran};
use std::path::Path;

/// Runs `asl` in one of the repositories.
fn asl(repository: &str, arguments: &[&str]) -> Ran {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/repositories");
    let mut command = Folder::new().command(arguments);
    let output = command
        .current_dir(folder.join(repository))
        .output()
        .unwrap();
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn all_of_a_repository_is_checked() {
    for (repository, told) in [
        // What a parameter without a default is, the deployment decides.
        (
            "sam",
            "2 state machines in 1 file checked, no problems found",
        ),
        (
            "cdk",
            "2 state machines in 1 file checked, no problems found",
        ),
        (
            "serverless",
            "2 state machines in 1 file checked, no problems found",
        ),
        ("terraform", "in 3 state machines in 2 files"),
        ("plain", "1 file checked, no problems found"),
        ("mock-config", "1 file checked, no problems found"),
    ] {
        asl(repository, &["validate", "."]).reported(0, &[told]);
    }
    asl("terraform", &["validate", "plan.json"]).reported(
        0,
        &["warning[definition-elsewhere]: the definition of module.report.aws_sfn_state_machine.report is known only after apply"],
    );
}

#[test]
fn all_of_a_repository_is_tested() {
    for (repository, cases) in [
        ("sam", 3),
        ("cdk", 2),
        ("serverless", 2),
        ("terraform", 2),
        ("plain", 1),
        ("mock-config", 1),
    ] {
        let ran = asl(repository, &["test"]);
        ran.reported(0, &[&format!("{cases} passed")]);
    }
    asl("sam", &["test", "**/order.test.yaml"]).reported(0, &["2 passed"]);
}

#[test]
fn a_machine_of_a_repository_runs() {
    const COPY: &str = "arn:aws:lambda:eu-west-1:123456789012:function:copy=exec:cat";
    let virtual_clock = ["--clock", "virtual"];
    for (repository, arguments, output) in [
        (
            "sam",
            vec![
                "template.yaml#OrderMachine",
                "--task",
                "ChargeFunction=exec:cat",
                "--task",
                "*putItem=exec:cat",
                "-i",
                r#"{"id": "a", "amount": 1}"#,
            ],
            "\"charge\":{\"id\":\"a\"",
        ),
        (
            "cdk",
            vec![
                "cdk.out/Shop.template.json#Stock",
                "--task",
                "*Look*=exec:cat",
                "-i",
                "[1]",
            ],
            "[1]\n",
        ),
        (
            "serverless",
            vec![
                "serverless.yml#digest",
                "-i",
                r#"{"items": [{"topic": "a"}]}"#,
            ],
            "{\"a\":1}\n",
        ),
        (
            "terraform",
            vec!["plan.json#backup", "--task", COPY],
            "\"bucket\":\"backups\"",
        ),
        ("plain", vec![".", "-i", r#"{"name": "Ada"}"#], "Hello, Ada"),
        (
            "mock-config",
            vec!["import.asl.json", "--mocks", "MockConfigFile.json"],
            "{\"rows\":3}\n",
        ),
    ] {
        let ran = asl(
            repository,
            &[&["run"], &arguments[..], &virtual_clock].concat(),
        );
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.stdout.contains(output), "{ran:?}");
    }
}

#[test]
fn what_tests_reach_is_told_by_the_lines_of_templates() {
    let report = asl("sam", &["test", "--coverage", "json"]);
    let json = &report.stdout;
    let value: serde_json::Value =
        serde_json::from_str(json.trim_end()).unwrap_or_else(|error| panic!("{error} {report:?}"));
    let files: Vec<&str> = value["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["path"].as_str().unwrap())
        .collect();
    assert!(
        files[0].ends_with("sam/statemachines/order.asl.json"),
        "{files:?}"
    );
    assert!(
        files[1].ends_with("sam/template.yaml#ApprovalMachine"),
        "{files:?}"
    );
    let ask = &value["files"][1]["points"][0];
    assert_eq!(ask["state"], "Ask");
    assert_eq!(ask["line"], 54, "{ask}");
    let lcov = asl("sam", &["test", "--coverage", "lcov"]);
    assert!(
        lcov.stdout.contains("sam/template.yaml\nFN:54,Ask\n"),
        "{lcov:?}"
    );
}
