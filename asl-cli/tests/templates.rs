//! State machines in the files of deployment tools, and faults at the lines that a person edits.
mod common;

use common::Folder;

const SAM: &str = r#"Transform: AWS::Serverless-2016-10-31
Parameters:
  Delay: {Type: Number, Default: 5}
Resources:
  Charge:
    Type: AWS::Serverless::Function
    Properties: {Handler: charge.handler}
  Order:
    Type: AWS::Serverless::StateMachine
    Properties:
      Type: EXPRESS
      DefinitionSubstitutions:
        Next: Done
      Definition:
        StartAt: Charge it
        States:
          Charge it:
            Type: Task
            Resource: !GetAtt Charge.Arn
            Next: ${Next}
          Done:
            Type: Succeed
"#;

const INLINE: &str = r#"Resources:
  Text:
    Type: AWS::StepFunctions::StateMachine
    Properties:
      DefinitionString: !Sub |
        {
          "StartAt": "Pause",
          "States": {
            "Pause": {"Type": "Wait", "Seconds": 1, "Next": "Nowhere"},
            "Done": {"Type": "Task", "Resource": "${Work.Arn}", "End": true}
          }
        }
  Work:
    Type: AWS::Lambda::Function
  Other:
    Type: AWS::StepFunctions::StateMachine
    Properties:
      DefinitionString:
        Fn::Join:
          - "\n"
          - - '{"StartAt": "A",'
            - '"States": {"A": {"Type": "Pass", "Next": "B"},'
            - '"C": {"Type": "Succeed"}}}'
"#;

#[test]
fn a_template_with_one_machine_is_taken_for_it() {
    let folder = Folder::new();
    folder.write("template.yaml", SAM);
    folder
        .asl(&["validate", "template.yaml"])
        .reported(0, &["1 file checked, no problems"]);
    let run = folder.asl(&[
        "run",
        "template.yaml",
        "--task",
        "Charge=exec:cat",
        "-i",
        "{\"a\": 1}",
    ]);
    assert_eq!(
        (run.stdout.as_str(), run.code),
        ("{\"a\":1}\n", Some(0)),
        "{run:?}"
    );
    let graph = folder.asl(&["graph", "template.yaml#Order"]);
    assert!(graph.stdout.contains("Charge it"), "{graph:?}");
    folder
        .asl(&["run", "template.yaml", "--task", "Charge=exec:false"])
        .reported(1, &[" --> template.yaml:17:11"]);
}

#[test]
fn faults_are_at_the_lines_of_the_template() {
    let folder = Folder::new();
    folder
        .write("template.yaml", INLINE)
        .write("sam.yaml", SAM.replace("Next: Done", "Next: Gone"));
    folder.asl(&["validate", "template.yaml"]).reported(
        2,
        &[
            "Missing 'Next' target: Nowhere",
            " --> template.yaml:9:61",
            "Missing 'Next' target: B",
            " --> template.yaml:22:57",
            "in 2 state machines in 1 file",
        ],
    );
    let report = folder
        .asl(&["validate", "template.yaml", "--format", "json"])
        .json();
    assert_eq!(report[0]["file"], "template.yaml#Text");
    assert_eq!(report[0]["diagnostics"][0]["line"], 9, "{report}");
    assert_eq!(
        (report[1]["stateMachine"].as_str(), &report[1]["result"]),
        (Some("Other"), &"FAIL".into())
    );
    folder
        .asl(&["validate", "sam.yaml"])
        .reported(2, &["Missing 'Next' target: Gone", " --> sam.yaml:20:19"]);
}

#[test]
fn one_of_several_machines_has_to_be_named() {
    let folder = Folder::new();
    folder.write("template.yaml", INLINE);
    folder.asl(&["run", "template.yaml"]).exits_with(
        2,
        &["template.yaml is a CloudFormation template, and contains 2 state machines: select one of template.yaml#Text, template.yaml#Other"],
    );
    folder.asl(&["graph", "template.yaml#Nothing"]).exits_with(
        2,
        &["template.yaml is a CloudFormation template without a state machine 'Nothing'; it contains Text, Other"],
    );
    folder.write(
        "empty.yaml",
        "AWSTemplateFormatVersion: '2010-09-09'\nResources: {}\n",
    );
    folder.asl(&["run", "empty.yaml"]).exits_with(
        2,
        &["empty.yaml is a CloudFormation template without a state machine"],
    );
    folder.asl(&["validate", "empty.yaml"]).exits_with(
        0,
        &["empty.yaml is a CloudFormation template without a state machine"],
    );
}

#[test]
fn definitions_in_files_of_their_own_are_read_with_what_the_template_says() {
    let folder = Folder::new();
    let template = "Resources:\n  Order:\n    Type: AWS::Serverless::StateMachine\n    Properties:\n      DefinitionUri: flows/order.asl.json\n      DefinitionSubstitutions:\n        Seconds: 3\n";
    std::fs::create_dir(folder.path("flows")).unwrap();
    folder.write("template.yaml", template).write(
        "flows/order.asl.json",
        "{\"StartAt\": \"W\",\n \"States\": {\n  \"W\": {\"Type\": \"Wait\", \"Seconds\": ${Seconds}, \"Comment\": \"${Other}\", \"Next\": \"X\"},\n },\n}",
    );
    let all = folder.asl(&["validate", "."]);
    all.reported(
        2,
        &["Missing 'Next' target: X", " --> flows/order.asl.json:3:79"],
    );
    all.reported(
        2,
        &[
            "warning[unreplaced-placeholder]: the placeholder '${Other}' has no value",
            " --> flows/order.asl.json:3:60",
        ],
    );
    // The file alone is no definition of its own there, but it is one for itself.
    assert!(all.stdout.contains("in 1 file"), "{all:?}");
    folder
        .asl(&["validate", "flows/order.asl.json"])
        .reported(2, &["an extra comma at line 3 column 83"]);
    let report = folder
        .asl(&[
            "validate",
            "flows/../template.yaml",
            "--format",
            "json",
            "--substitute",
            "Other=x",
        ])
        .json();
    let fault = &report[0]["diagnostics"][0];
    assert!(
        fault["file"]
            .as_str()
            .unwrap()
            .ends_with("flows/order.asl.json"),
        "{report}"
    );
}

#[test]
fn folders_and_patterns_are_gone_through() {
    let folder = Folder::new();
    for name in ["a/node_modules", "a/.hidden", "b"] {
        std::fs::create_dir_all(folder.path(name)).unwrap();
    }
    let machine = r#"{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}"#;
    let broken = machine.replace("Succeed", "Nothing");
    folder
        .write("a/one.asl.json", machine)
        .write("a/package.json", r#"{"name": "x", "Resources": 1}"#)
        .write("a/template.yml", SAM)
        .write("a/node_modules/two.asl.json", &broken)
        .write("a/.hidden/three.asl.json", &broken)
        .write("b/four.asl.yaml", &broken);
    folder
        .asl(&["validate", "a"])
        .reported(0, &["2 files checked, no problems found"]);
    folder
        .asl(&["validate", "."])
        .reported(2, &[" --> b/four.asl.yaml:1:"]);
    folder
        .asl(&["validate", "**/*.asl.json"])
        .reported(0, &["1 file checked"]);
    folder
        .asl(&["validate", "a/{one,t}*.{asl.json,yml}"])
        .reported(0, &["2 files checked"]);
    folder.asl(&["run", "a/*.asl.json"]).reported(0, &[]);
    folder.asl(&["run", "a"]).reported(
        2,
        &["a contains 2 state machines: select one of a/one.asl.json, a/template.yml#Order"],
    );
    std::fs::create_dir(folder.path("c")).unwrap();
    folder
        .asl(&["run", "c"])
        .reported(2, &["no state machine in c"]);
}

#[test]
fn what_is_elsewhere_is_pointed_out() {
    let folder = Folder::new();
    folder.write(
        "template.json",
        r#"{"Resources": {"M": {"Type": "AWS::StepFunctions::StateMachine", "Properties": {
  "DefinitionS3Location": {"Bucket": "b", "Key": {"Fn::Sub": "k-${AWS::Region}.json"}}}}}}"#,
    );
    let text = "warning[definition-elsewhere]: the definition is in s3://b/k-us-east-1.json, which is not on this machine";
    folder
        .asl(&["validate", "template.json"])
        .reported(0, &[text, " --> template.json:2:27"]);
    folder
        .asl(&["run", "template.json"])
        .reported(2, &[text, "the definition of template.json cannot be read"]);
}

#[test]
fn yaml_may_begin_with_a_brace_and_json_is_told_of_its_comma() {
    let folder = Folder::new();
    let text = "{\"StartAt\": \"A\",\n \"States\": {\"A\": {\"Type\": \"Succeed\"},},\n}\n";
    folder
        .write("flow.asl.yaml", text)
        .write("api.asl.json", text);
    folder
        .asl(&["validate", "flow.asl.yaml"])
        .reported(0, &["no problems found"]);
    folder.asl(&["run", "flow.asl.yaml"]).reported(0, &[]);
    folder.asl(&["validate", "api.asl.json"]).reported(
        2,
        &[
            "error[unreadable-text]: an extra comma at line 2 column 37",
            " --> api.asl.json:2:37",
            "hint: remove it: CloudFormation accepts the text, because it reads it as YAML, but the service's API does not",
        ],
    );
}

#[test]
fn other_commands_take_machines_of_templates() {
    let folder = Folder::new();
    folder.write("template.yaml", INLINE.replace("Nowhere", "Done"));
    let written = folder.asl(&["mocks", "init", "template.yaml#Text", "text.test.yaml"]);
    written.reported(0, &["wrote text.test.yaml"]);
    assert!(
        folder
            .read("text.test.yaml")
            .contains("definition: \"template.yaml#Text\""),
        "{}",
        folder.read("text.test.yaml")
    );
    folder.write(
        "text.test.yaml",
        "version: 1\ndefinition: template.yaml#Text\ncases:\n  it works:\n    mocks: {Work: {return: 1}}\n    expect: {output: 1, duration: 1}\n",
    );
    folder.asl(&["test"]).reported(0, &["1 passed"]);
    let report = folder.asl(&["test", "--coverage", "json"]).stdout;
    folder.write("report.json", report);
    let graph = folder.asl(&[
        "graph",
        "template.yaml#Text",
        "--coverage",
        "report.json",
        "--format",
        "svg",
    ]);
    assert_eq!(graph.code, Some(0), "{graph:?}");
    let state = folder.asl(&[
        "test-state",
        "template.yaml#Text",
        "--state",
        "Done",
        "--mock-result",
        "5",
    ]);
    assert_eq!(state.json()["output"], 5, "{state:?}");
    folder.write(
        "wrong.test.yaml",
        "version: 1\ndefinition: template.yaml\ncases: {a: {}}\n",
    );
    folder.asl(&["test", "wrong.test.yaml"]).reported(
        2,
        &["template.yaml is a CloudFormation template with 2 state machines: select one of"],
    );
}

#[test]
fn expressions_of_terraform_are_pointed_out() {
    let folder = Folder::new();
    folder
        .write(
            "call.asl.json",
            "{\"StartAt\": \"W\", \"States\": {\n \"W\": {\"Type\": \"Wait\", \"Seconds\": ${max(1, 2)}, \"End\": true}}}",
        )
        .write("if.asl.json.tftpl", "{\"StartAt\": \"W\",\n%{ if x ~}\n\"States\": {}}");
    let text = "warning[template-expression]: the Terraform template expression '${max(1, 2)}' cannot be evaluated here";
    folder.asl(&["validate", "call.asl.json"]).reported(
        0,
        &[text, " --> call.asl.json:2:35", "\n1 warning in 1 file"],
    );
    folder.asl(&["run", "call.asl.json"]).reported(
        2,
        &[
            text,
            "the placeholder '${expression}' was not replaced, and decides what happens",
        ],
    );
    folder.asl(&["validate", "."]).reported(
        2,
        &[
            "error[template-expression]: the Terraform template directive '%{ if x ~}'",
            " --> if.asl.json.tftpl:2:1",
        ],
    );
}

/// Reading a pipe would wait for a writer.
#[cfg(unix)]
#[test]
fn pipes_are_no_definitions() {
    let folder = Folder::new();
    let made = std::process::Command::new("mkfifo")
        .arg(folder.path("pipe.asl.json"))
        .status();
    assert!(made.unwrap().success());
    folder.write(
        "template.yaml",
        "Resources:\n  M:\n    Type: AWS::Serverless::StateMachine\n    Properties:\n      DefinitionUri: pipe.asl.json\n",
    );
    let refused = "it is not a regular file, but a pipe, a socket or a device";
    for argument in ["template.yaml", "pipe.asl.json", "."] {
        let ran = folder.asl(&["validate", argument]);
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(
            ran.code == Some(2) && said.contains(refused),
            "{argument}: {said}"
        );
    }
    let ran = folder.asl(&["run", "pipe.asl.json"]);
    assert!(
        ran.code == Some(2) && ran.stderr.contains(refused),
        "{ran:?}"
    );
}

#[test]
fn files_outside_of_the_repository_are_read_only_when_allowed() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("repository/.git")).unwrap();
    folder.write("outside.asl.json", common::PASS).write(
        "repository/template.yaml",
        "Resources:\n  M:\n    Type: AWS::Serverless::StateMachine\n    Properties:\n      DefinitionUri: ../outside.asl.json\n",
    );
    let refused = folder.asl(&["validate", "repository/template.yaml"]);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused
            .stdout
            .contains("is outside the repository, and is not read"),
        "{refused:?}"
    );
    assert!(refused.stdout.contains("--files-anywhere"), "{refused:?}");
    let allowed = ["validate", "--files-anywhere", "repository/template.yaml"];
    assert_eq!(folder.asl(&allowed).code, Some(0));
}

/// Texts within texts, each three hundred times: 2.4 GB if all were written out.
#[test]
fn substitutions_that_multiply_are_refused() {
    let folder = Folder::new();
    let times = |text: &str| text.repeat(300);
    let inner = serde_json::json!({"Fn::Sub": [times("${c}"), {"c": times("x")}]});
    let middle = serde_json::json!({"Fn::Sub": [times("${b}"), {"b": inner}]});
    let outer = serde_json::json!({"Fn::Sub": [times("${a}"), {"a": middle}]});
    let template = serde_json::json!({"Resources": {"M": {"Type": "AWS::Serverless::StateMachine",
        "Properties": {"DefinitionString": outer}}}});
    folder.write("template.json", template.to_string());
    let checked = folder.asl(&["validate", "template.json"]);
    assert_eq!(checked.code, Some(2));
    assert!(checked.stdout.len() < 10_000, "{}", checked.stdout.len());
    assert!(checked.stdout.contains("error["), "{checked:?}");
}
