//! Templates of CloudFormation and SAM.
mod common;

use asl_model::{Options, StateMachineType};
use asl_template::{Kind, Places};
use common::{contents, of, place, told, value};
use serde_json::json;

/// Returns a template with one state machine of these properties, indented by six.
fn template(properties: &str) -> String {
    format!(
        "Parameters:\n  Stage: {{Type: String, Default: test}}\n  Open: {{Type: String}}\n  Many: {{Type: CommaDelimitedList, Default: 'a, b'}}\nMappings:\n  Sizes: {{us-east-1: {{Small: 7}}}}\nConditions:\n  IsTest: !Equals [!Ref Stage, test]\n  IsOpen: !Equals [!Ref Open, x]\n  IsLive: !Not [!Condition IsTest]\nResources:\n  Work: {{Type: AWS::Serverless::Function}}\n  Nested: {{Type: AWS::CloudFormation::Stack}}\n  M:\n    Type: AWS::Serverless::StateMachine\n    Properties:\n{properties}"
    )
}

#[test]
fn functions_come_to_what_the_template_says() {
    const ARN: &str = "arn:aws:lambda:us-east-1:000000000000:function:Work";
    for (written, expected) in [
        ("!GetAtt Work.Arn", json!(ARN)),
        ("!GetAtt [Work, Arn]", json!(ARN)),
        ("!Ref Work", json!("Work")),
        ("!Ref Work.Alias", json!(ARN)),
        ("!Ref Stage", json!("test")),
        ("!Ref Many", json!(["a", "b"])),
        ("!Ref AWS::Region", json!("us-east-1")),
        (
            "!Sub '${Work.Arn}:${Stage}:${!Kept}'",
            json!(format!("{ARN}:test:${{Kept}}")),
        ),
        ("!Sub ['${X}-${Stage}', {X: !Ref Work}]", json!("Work-test")),
        ("{Fn::Join: ['-', [a, !Ref Stage]]}", json!("a-test")),
        ("!Join ['', !Ref Many]", json!("ab")),
        ("!Select [1, !Ref Many]", json!("b")),
        ("!Select ['1', !Split ['/', 'x/y/z']]", json!("y")),
        ("!FindInMap [Sizes, !Ref AWS::Region, Small]", json!("7")),
        ("!If [IsTest, 1, 2]", json!(1)),
        (
            "!If [IsLive, {a: 1}, {b: !Ref Stage}]",
            json!({"b": "test"}),
        ),
        ("!If [IsOpen, open, closed]", json!("open")),
        (
            "{Fn::ToJsonString: {a: [1, !Ref Stage]}}",
            json!("{\"a\":[1,\"test\"]}"),
        ),
        ("!ImportValue shared-queue", json!("${shared-queue}")),
        ("!GetAtt Nested.Outputs.Arn", json!("${Nested.Outputs.Arn}")),
        ("!GetAtt WorkRole.Arn", json!("${WorkRole.Arn}")),
        ("!Base64 x", json!("${Fn::Base64}")),
        ("!Ref Open", json!("${Open}")),
        (
            "[1, !Ref AWS::NoValue, 2.5, true, null]",
            json!([1, 2.5, true, null]),
        ),
    ] {
        let text = template(&format!("      Definition: {{a: {written}}}\n"));
        let contents = of("t.yaml", &text);
        assert_eq!(contents.kind(), Kind::Sam);
        let found = contents.machine(None).unwrap();
        assert_eq!(value(found), json!({"a": expected}), "{written}");
        assert!(
            !told(found)
                .iter()
                .any(|it| it.contains("INVALID_REFERENCE")),
            "{:?}",
            told(found)
        );
    }
}

#[test]
fn json_is_as_yaml() {
    let text = r#"{"Resources": {"M": {"Type": "AWS::StepFunctions::StateMachine", "Properties": {"StateMachineType": "EXPRESS",
        "DefinitionString": {"Fn::Join": ["", ["{\"a\": \"", {"Fn::GetAtt": ["F", "Arn"]}, "\"}"]]}}},
        "F": {"Type": "AWS::Lambda::Function"}}}"#;
    let contents = of("t.json", text);
    let found = contents.machine(Some("M")).unwrap();
    assert_eq!(
        value(found),
        json!({"a": "arn:aws:lambda:us-east-1:000000000000:function:F"})
    );
    assert_eq!(found.machine_type(), Some(StateMachineType::Express));
    assert_eq!(
        (contents.kind(), found.reference().as_str()),
        (Kind::CloudFormation, "t.json#M")
    );
}

#[test]
fn substitutions_are_those_of_the_template_and_those_given() {
    let text = template(
        "      DefinitionSubstitutions: {A: !GetAtt Work.Arn, B: 5, C: !Ref Open}\n      DefinitionString: '{\"a\": \"${A}\", \"b\": ${B}, \"c\": \"${C}\", \"d\": \"${D}\"}'\n",
    );
    let found = |values: &[(&str, &str)]| {
        let contents = contents(("t.yaml", &text), &[], values);
        let found = contents.machine(None).unwrap();
        (value(found), told(found))
    };
    let (value, told) = found(&[]);
    let arn = "arn:aws:lambda:us-east-1:000000000000:function:Work";
    assert_eq!(
        value,
        json!({"a": arn, "b": 5, "c": "${Open}", "d": "${D}"})
    );
    assert_eq!(
        told,
        [
            // What a parameter without a default is, the deployment decides.
            format!(
                "t.yaml:{}: UNREPLACED_PLACEHOLDER: the placeholder '${{D}}' has no value",
                place(&text, "${D}")
            ),
        ]
    );
    let (value, told) = found(&[
        ("B", "6"),
        ("Open", "o"),
        ("D", "d"),
        ("AWS::Region", "eu-west-1"),
    ]);
    let arn = "arn:aws:lambda:eu-west-1:000000000000:function:Work";
    assert_eq!(
        (value, told.len()),
        (json!({"a": arn, "b": 6, "c": "o", "d": "d"}), 0)
    );
}

#[test]
fn what_names_nothing_is_refused_where_it_is() {
    for (definition, at, expected) in [
        (
            "!Sub '{\"a\": \"${Nothing}\"}'",
            "${",
            "the template has no parameter, resource or variable of this Fn::Sub 'Nothing'",
        ),
        (
            "!Sub '{\"a\": \"${x: y}\"}'",
            "${",
            "'x: y' is not a name that Fn::Sub can replace",
        ),
        (
            "!Ref Nothing",
            "!Ref N",
            "the template has neither a parameter nor a resource 'Nothing'",
        ),
        (
            "!Join ['', {a: 1}]",
            "{a: 1}",
            "expected an array, or a function that returns an array",
        ),
        (
            "{a: 1}",
            "{a: 1}",
            "expected a string, or a function that returns a string",
        ),
    ] {
        let text = template(&format!("      DefinitionString: {definition}\n"));
        let contents = of("t.yaml", &text);
        let told = told(contents.machine(None).unwrap());
        let at = place(&text, at);
        let expected = format!("t.yaml:{at}: INVALID_REFERENCE: {expected}");
        assert_eq!(told.first(), Some(&expected), "{told:?}");
        assert!(
            told.iter()
                .filter(|it| it.contains(&format!(":{at}:")))
                .count()
                == 1,
            "{told:?}"
        );
    }
    let contents = of("t.yaml", &template("      Role: x\n"));
    assert_eq!(
        told(contents.machine(None).unwrap()),
        [
            "t.yaml:15:5: MISSING_DEFINITION: state machine 'M' has no definition: expected Definition, DefinitionString or DefinitionUri in its Properties"
        ]
    );
    let twice = of(
        "t.yaml",
        &template("      Definition:\n        a: 1\n        a: 2\n"),
    );
    assert_eq!(
        told(twice.machine(None).unwrap()),
        ["t.yaml:19:9: INVALID_JSON_DESCRIPTION: Duplicate field 'a'"]
    );
}

#[test]
fn files_are_read_from_where_the_template_lies() {
    let read = |properties: &str| {
        let beside = [("dir/flows/m.asl.json", "{\"a\": ${B}}")];
        let text = template(properties);
        let contents = contents(("dir/t.yaml", &text), &beside, &[]);
        let found = contents.machine(None).unwrap();
        (
            found.definition().map(|it| it.as_str().to_owned()),
            told(found),
        )
    };
    let substitutions = "      DefinitionSubstitutions: {B: 5}\n";
    let read_with = |field: &str| read(&format!("{substitutions}{field}"));
    for field in [
        "      DefinitionUri: ./flows/m.asl.json\n",
        "      DefinitionUri: !Sub flows/m.asl.json\n",
        "      DefinitionS3Location: flows/m.asl.json\n",
        "      Definition:\n        Fn::Transform: {Name: AWS::Include, Parameters: {Location: flows/m.asl.json}}\n",
    ] {
        assert_eq!(
            read_with(field),
            (Some("{\"a\": 5}".to_owned()), vec![]),
            "{field}"
        );
    }
    for (field, expected) in [
        (
            "DefinitionUri: s3://b/k",
            "DEFINITION_ELSEWHERE: the definition is in s3://b/k, which is not on this machine",
        ),
        (
            "DefinitionUri: {Bucket: b, Key: k}",
            "DEFINITION_ELSEWHERE: the definition is in s3://b/k, which is not on this machine",
        ),
        (
            "DefinitionUri: none.json",
            "MISSING_DEFINITION: cannot read dir/none.json: no such file",
        ),
        (
            "DefinitionUri: /etc/passwd",
            "MISSING_DEFINITION: expected a file path relative to the template, found '/etc/passwd'",
        ),
        (
            "DefinitionUri: ''",
            "MISSING_DEFINITION: expected a file path relative to the template, found ''",
        ),
    ] {
        let (text, told) = read_with(&format!("      {field}\n"));
        assert_eq!(text, None);
        assert!(told.len() == 1 && told[0].ends_with(expected), "{told:?}");
    }
}

#[test]
fn assets_of_cdk_are_found_by_their_manifest() {
    let template = r#"{"Resources": {"Stock38709CBC": {"Type": "AWS::StepFunctions::StateMachine", "Properties": {
        "DefinitionS3Location": {"Bucket": {"Fn::Sub": "assets-${AWS::AccountId}"}, "Key": "0a.json"}}}}}"#;
    let manifest = r#"{"files": {"0a": {"source": {"path": "asset.0a.json"}, "destinations": {"x": {"objectKey": "0a.json"}}}}}"#;
    let asset = ("cdk.out/asset.0a.json", "{\"a\": 1}");
    for beside in [
        vec![("cdk.out/S.assets.json", manifest), asset],
        vec![asset],
    ] {
        let contents = contents(("cdk.out/S.template.json", template), &beside, &[]);
        let found = contents.machine(Some("Stock")).unwrap();
        assert_eq!(value(found), json!({"a": 1}));
        assert_eq!(found.referenced().len(), 1);
    }
    let contents = of("cdk.out/S.template.json", template);
    assert!(told(contents.machine(None).unwrap())[0].contains("s3://assets-000000000000/0a.json"));
}

#[test]
fn aliases_are_repeated_where_they_stand() {
    let text = template(
        "      Definition:\n        StartAt: A\n        States:\n          A: &a {Type: Pass, Result: !Ref Stage, Next: B}\n          B:\n            <<: *a\n            Next: C\n",
    );
    let contents = of("t.yaml", &text);
    let found = contents.machine(None).unwrap();
    let states = json!({"A": {"Type": "Pass", "Result": "test", "Next": "B"}, "B": {"Next": "C", "Type": "Pass", "Result": "test"}});
    assert_eq!(value(found)["States"], states);
    let faults = found.parse(Options::default()).unwrap().unwrap_err();
    let places = Places::new(found.definition().unwrap());
    let fault = faults
        .iter()
        .find(|it| it.location.as_str() == "/States/B/Next");
    let at = places.place_of(fault.unwrap()).unwrap();
    assert_eq!(at.to_string(), format!("t.yaml:{}", place(&text, "C\n")));
    // What came from the alias is at the state that has it.
    let at = places.locate("/States/B/Result").unwrap();
    assert_eq!(
        at.position().line,
        at.file.position(text.find("<<").unwrap()).line
    );
}

#[test]
fn nesting_has_a_limit() {
    for (depth, is_read) in [(200, true), (2_000, false), (100_000, false)] {
        let value = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let contents = of(
            "t.yaml",
            &template(&format!("      Definition: {{a: {value}}}\n")),
        );
        assert_eq!(contents.machines().len(), usize::from(is_read), "{depth}");
        assert_eq!(contents.findings().len(), usize::from(!is_read));
    }
}

#[test]
fn hostile_templates_are_bounded() {
    let begun = std::time::Instant::now();
    // Each variable twice as long as the one before.
    let mut value = "'${AWS::Region}'".to_owned();
    for _ in 0..40 {
        value = format!("!Sub ['${{A}}${{A}}', {{A: {value}}}]");
    }
    let contents = of(
        "t.yaml",
        &template(&format!("      DefinitionString: {value}\n")),
    );
    assert!(!told(contents.machine(None).unwrap()).is_empty());
    // Functions within functions.
    let deep = format!(
        "{}x{}",
        "{Fn::Base64: {Fn::Join: ['', [".repeat(60),
        "]]}}".repeat(60)
    );
    drop(of(
        "t.yaml",
        &template(&format!("      DefinitionString: {deep}\n")),
    ));
    // What begins like an expression, and never ends.
    for sign in ["${", "${a(", "%{ if ", "${\""] {
        let text = format!("{{\"a\": \"{}\"}}", sign.repeat(100_000));
        assert!(
            of("x.asl.json", &text)
                .machine(None)
                .unwrap()
                .findings()
                .is_empty()
        );
        let text = template(&format!("      DefinitionString: '{text}'\n"));
        drop(of("t.yaml", &text));
    }
    // Conditions that name each other.
    let text = "Conditions: {A: {Fn::And: [{Condition: B}, {Condition: B}]}, B: {Fn::Or: [{Condition: A}, {Condition: A}]}}\nResources:\n  M:\n    Type: AWS::StepFunctions::StateMachine\n    Properties: {Definition: {a: {Fn::If: [A, 1, 2]}}}\n";
    assert_eq!(
        common::value(of("t.yaml", text).machine(None).unwrap()),
        json!({"a": 1})
    );
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

const YAML_1_1: &str = "Resources:
  M:
    Type: AWS::Serverless::StateMachine
    Properties:
      Role: r
      Definition:
        StartAt: Ask
        States:
          Ask: {Type: Pass, Result: {t: on, o: 010, q: \"on\"}, Next: Yes}
          Yes: {Type: Pass, End: yes}
";

#[test]
fn scalars_of_a_template_are_those_of_yaml_1_1() {
    let contents = of("template.yaml", YAML_1_1);
    let found = contents.machine(None).unwrap();
    let text = found.definition().unwrap().as_str();
    let value: serde_json::Value = serde_json::from_str(text).unwrap();
    let states = &value["States"];
    assert_eq!(
        states["Ask"]["Result"],
        serde_json::json!({"t": true, "o": 8, "q": "on"})
    );
    assert_eq!(states["Ask"]["Next"], true);
    assert_eq!(states["true"]["End"], true);
    assert_eq!(
        told(found),
        [
            "template.yaml:9:41: YAML_1_1_SCALAR: CloudFormation reads YAML 1.1, in which on is true, not a text",
            "template.yaml:9:48: YAML_1_1_SCALAR: CloudFormation reads YAML 1.1, in which 010 is 8, not 10",
            "template.yaml:9:69: YAML_1_1_SCALAR: CloudFormation reads YAML 1.1, in which Yes is true, not a text",
            "template.yaml:10:11: YAML_1_1_SCALAR: CloudFormation reads YAML 1.1, in which Yes is true, not a text",
        ]
    );
}

#[test]
fn fields_that_occur_twice_in_a_template_are_pointed_out() {
    let template = YAML_1_1.replace("      Role: r\n", "      Role: r\n      Role: s\n");
    let contents = of("template.yaml", &template);
    let findings: Vec<String> = contents
        .findings()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        findings,
        ["template.yaml:6:7: INVALID_JSON_DESCRIPTION: Duplicate field 'Role'"]
    );
}
