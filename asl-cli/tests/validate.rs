//! `asl validate` in CI: settings, ignores, formats, fixes and explanations.
mod common;

use common::{Folder, PASS};
use serde_json::{Value, json};

/// A path without its `.$`, and a Choice State without a Default.
const WARNED: &str = r#"{
  "StartAt": "Which",
  "States": {
    "Which": {"Type": "Choice", "Choices": [{"Variable": "$.n", "NumericEquals": 1, "Next": "Send"}]},
    "Send": {"Type": "Pass", "Parameters": {"to": "$.to"}, "End": true}
  }
}
"#;

fn folder() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("flows")).unwrap();
    folder.write("flows/a, b.asl.json", WARNED);
    folder
}

#[test]
fn warnings_are_denied_where_that_is_said() {
    let folder = folder();
    let summary = "2 warnings in 1 file\n";
    folder.asl(&["validate", "flows"]).reported(0, &[summary]);
    let denied = "2 warnings (denied) in 1 file\n";
    folder
        .asl(&["validate", "flows", "--deny-warnings"])
        .reported(2, &[denied]);
    folder.write("asl.toml", "deny-warnings = true\n");
    folder.asl(&["validate", "flows"]).reported(2, &[denied]);
}

#[test]
fn the_nearest_settings_count() {
    let folder = folder();
    folder.write(
        "asl.toml",
        "[rules]\nmissing-dollar = \"error\"\nchoice-without-default = \"ignore\"\n",
    );
    let told = folder.asl(&["validate", "flows/a, b.asl.json"]);
    told.reported(2, &["error[missing-dollar]", "1 error in 1 file"]);
    folder.write(
        "asl.toml",
        "[[overrides]]\nfiles = [\"flows/**\"]\nrules = { missing-dollar = \"ignore\" }\n",
    );
    folder.asl(&["validate", "flows"]).reported(
        0,
        &["warning[choice-without-default]", "1 warning in 1 file"],
    );
    // Nearer, and so the only ones.
    folder.write("flows/asl.toml", "");
    folder
        .asl(&["validate", "flows"])
        .reported(0, &["2 warnings in 1 file"]);
}

#[test]
fn settings_with_a_fault_are_shown() {
    let folder = folder();
    folder.write("asl.toml", "[rules]\nmissing-dolar = \"error\"\n");
    folder.asl(&["validate", "flows"]).exits_with(
        2,
        &[
            "error: asl.toml cannot be read as settings: unknown rule 'missing-dolar'",
            " --> asl.toml:2:1\n  |\n2 | missing-dolar = \"error\"\n  | ^",
        ],
    );
}

#[test]
fn a_comment_ignores_a_rule() {
    let folder = Folder::new();
    let ignoring = WARNED.replace(
        "\"Type\": \"Choice\"",
        "\"Comment\": \"asl:ignore choice-without-default\", \"Type\": \"Choice\"",
    );
    folder.write("a.asl.json", ignoring);
    folder
        .asl(&["validate", "a.asl.json"])
        .reported(0, &["1 warning in 1 file"]);
}

#[test]
fn github_gets_annotations() {
    let ran = folder().asl(&["validate", "flows", "--format", "github"]);
    ran.exits_with(0, &[]);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{ran:?}");
    assert!(lines[0].starts_with(
        "::warning file=flows/a%2C b.asl.json,line=4,col=14,title=choice-without-default::the"
    ));
    assert!(lines[1].ends_with("%0Ahint: rename the field to 'to.$' to evaluate the path"));
    // Nothing to say is no line.
    let clean = Folder::new();
    clean.write("a.asl.json", PASS);
    let ran = clean.asl(&["validate", "a.asl.json", "--format", "github"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
}

#[test]
fn code_scanning_gets_sarif() {
    let folder = folder();
    let wrong = PASS.replace("\"End\": true", "\"Next\": \"B\"");
    folder.write("wrong.asl.json", wrong);
    let ran = folder.asl(&["validate", ".", "--format", "sarif"]);
    ran.exits_with(2, &[]);
    let report = ran.json();
    assert_eq!(report["version"], "2.1.0");
    let run = &report["runs"][0];
    let results = run["results"].as_array().unwrap();
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in results {
        let number = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[number]["id"], result["ruleId"]);
    }
    let missing = results.iter().find(|it| it["ruleId"] == "unknown-target");
    let missing = missing.unwrap();
    assert_eq!(missing["level"], "error");
    assert_eq!(
        missing["locations"][0]["physicalLocation"],
        json!({"artifactLocation": {"uri": "wrong.asl.json"}, "region": {"startLine": 1, "startColumn": 59}})
    );
    let uris = results
        .iter()
        .map(|it| &it["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]);
    let uris: Vec<&Value> = uris.collect();
    assert!(
        uris.contains(&&json!("flows/a%2C%20b.asl.json")),
        "{uris:?}"
    );
}

#[test]
fn what_can_only_be_meant_in_one_way_is_mended() {
    let folder = folder();
    folder.asl(&["validate", "flows", "--fix"]).reported(
        0,
        &[
            "fixed 1 problem in flows/a, b.asl.json: rename the field to 'to.$'\n",
            "1 warning in 1 file\n",
        ],
    );
    let mended = WARNED.replace("\"to\":", "\"to.$\":");
    assert_eq!(folder.read("flows/a, b.asl.json"), mended);
    // Nothing is left to be fixed, so nothing is written.
    let again = folder.asl(&["validate", "flows", "--fix"]);
    assert!(!again.reported(0, &[]).stderr.contains("mended"));
    folder
        .asl(&["validate", "-", "--fix"])
        .reported(2, &["--fix changes files, and cannot fix stdin"]);
}

#[test]
fn what_is_ignored_is_not_mended() {
    let folder = folder();
    folder.write("asl.toml", "rules.missing-dollar = 'ignore'\n");
    folder
        .asl(&["validate", "flows", "--fix"])
        .exits_with(0, &[]);
    assert_eq!(folder.read("flows/a, b.asl.json"), WARNED);
}

#[test]
fn two_machines_of_one_template_are_mended() {
    let machine = |name: &str, field: &str| {
        format!(
            "  {name}:\n    Type: AWS::Serverless::StateMachine\n    Properties:\n      Definition:\n        StartAt: A\n        States:\n          A: {{Type: Pass, Parameters: {{{field}: $.n}}, End: true}}\n"
        )
    };
    let template = |field: &str| {
        format!(
            "Transform: AWS::Serverless-2016-10-31\nResources:\n{}{}",
            machine("One", field),
            machine("Two", field)
        )
    };
    let folder = Folder::new();
    folder.write("template.yaml", template("n"));
    folder
        .asl(&["validate", "template.yaml", "--fix"])
        .exits_with(0, &["fixed 2 problems in template.yaml"]);
    assert_eq!(folder.read("template.yaml"), template("n.$"));
}

#[test]
fn a_pattern_leaves_out_what_is_no_definition() {
    let folder = Folder::new();
    folder
        .write("package.json", "{\"name\": \"flows\"}")
        .write("order.json", PASS)
        .write("broken.json", "{\"States\": {");
    folder
        .asl(&["validate", "*.json"])
        .reported(2, &["broken.json:1:", "1 error in 2 files"]);
    folder
        .asl(&["validate", "pack*.json"])
        .reported(2, &["no state machine in pack*.json"]);
}

#[test]
fn a_rule_is_explained_by_its_name_and_by_the_code() {
    let folder = Folder::new();
    let one = folder.asl(&["validate", "--explain", "unknown-target"]);
    assert_eq!(one.code, Some(0));
    assert!(one.stdout.starts_with("# unknown-target\n"));
    assert!(
        one.stdout
            .ends_with("The service's code: MISSING_TRANSITION_TARGET\n")
    );
    let both = folder.asl(&["validate", "--explain", "MISSING_TRANSITION_TARGET"]);
    assert!(both.stdout.contains("# unknown-target\n"));
    let all = folder.asl(&["validate", "--explain"]);
    assert!(
        all.stdout
            .lines()
            .any(|line| line.starts_with("unknown-target "))
    );
    folder
        .asl(&["validate", "--explain", "unknown-targt"])
        .exits_with(
            2,
            &["no rule or code 'unknown-targt'; did you mean `unknown-target`?"],
        );
}

const PASS_YAML: &str = "StartAt: A\nStates:\n  A: {Type: Pass, Nxt: B, End: true}\n";

/// A file with `StartAt` and `States` is a definition under any name.
#[test]
fn definitions_of_a_folder_are_known_by_what_they_say() {
    let folder = Folder::new();
    folder
        .write("data/flow.yaml", PASS_YAML)
        .write("data/values.yaml", "StartAt: [1]\nStates: 2\n")
        .write(
            "machine.json",
            r#"{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}"#,
        );
    folder
        .asl(&["validate", "."])
        .reported(2, &["'Nxt'", "--> data/flow.yaml:3:19", "in 2 files"]);
}

#[test]
fn sources_of_other_tools_are_named_with_what_to_do() {
    let folder = Folder::new();
    folder
        .write("cdk.json", "{}")
        .write("infra/main.tf", "resource {}")
        .write("Pulumi.yaml", "name: x");
    folder.asl(&["validate", "."]).exits_with(
        2,
        &[
            "error: no state machine in .: expected ",
            "hint: cdk.json: run `cdk synth`",
            "hint: infra/main.tf: run `terraform plan -out plan`",
            "hint: Pulumi.yaml: ",
        ],
    );
    folder.asl(&["validate", "infra/main.tf"]).exits_with(
        2,
        &["error: infra/main.tf is neither a definition nor a template: run `terraform plan"],
    );
}

const LOOP: &str = "AWSTemplateFormatVersion: '2010-09-09'\nTransform: AWS::LanguageExtensions\nResources:\n  'Fn::ForEach::All':\n    - Name\n    - !FindInMap [Names, all, list]\n    - 'M${Name}':\n        Type: AWS::StepFunctions::StateMachine\n";

#[test]
fn state_machines_of_loops_are_not_left_out_silently() {
    let folder = Folder::new();
    folder.write("template.yaml", LOOP);
    folder.asl(&["validate", "."]).reported(
        0,
        &[
            "warning[definition-elsewhere]: the state machines that 'Fn::ForEach::All' generates are not checked",
            "--> template.yaml:4:3",
        ],
    );
}

#[test]
fn settings_count_for_templates_that_cannot_be_read() {
    let folder = Folder::new();
    folder
        .write(
            "cookie/template.yaml",
            "Type: AWS::StepFunctions::StateMachine\nResources: {{ x\n",
        )
        .write(
            "pass.asl.json",
            r#"{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}"#,
        );
    folder
        .asl(&["validate", "."])
        .reported(2, &["error[unreadable-template]"]);
    folder.write(
        "asl.toml",
        "[[overrides]]\nfiles = [\"cookie/**\"]\nrules = { unreadable-template = \"ignore\" }\n",
    );
    folder
        .asl(&["validate", "."])
        .reported(0, &["1 file checked, no problems found"]);
}

#[test]
fn without_arguments_the_folder_is_checked() {
    let folder = Folder::new();
    folder.write("done.asl.json", PASS);
    folder
        .asl(&["validate"])
        .reported(0, &["1 file checked, no problems found"]);
}

#[test]
fn a_file_whose_name_differs_in_case_is_named() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("flows")).unwrap();
    folder.write("flows/order.asl.json", PASS).write(
        "template.yaml",
        "Resources:\n  Order:\n    Type: AWS::Serverless::StateMachine\n    Properties:\n      DefinitionUri: flows/Order.asl.json\n",
    );
    let checked = folder.asl(&["validate", "template.yaml"]);
    let line = "error[missing-definition]: cannot read flows/Order.asl.json: no such file; the folder has `order.asl.json`, whose name differs in case";
    assert!(checked.stdout.contains(line), "{}", checked.stdout);
    let caret = format!(
        "\n  |                      {}\n",
        "^".repeat("flows/Order.asl.json".len())
    );
    assert!(checked.stdout.contains(&caret), "{}", checked.stdout);
}

#[test]
fn long_names_are_shortened_for_people() {
    let folder = Folder::new();
    let name = "x".repeat(100_000);
    let machine = format!(
        r#"{{"StartAt": "A", "States": {{"A": {{"Type": "Pass", "{name}": 1, "End": true}}}}}}"#
    );
    folder.write("long.asl.json", machine);
    let checked = folder.asl(&["validate", "long.asl.json"]);
    assert_eq!(checked.code, Some(2));
    assert!(checked.stdout.len() < 10_000, "{}", checked.stdout.len());
    let report = folder.asl(&["validate", "long.asl.json", "--format", "json"]);
    assert!(report.stdout.contains(&name));
}
