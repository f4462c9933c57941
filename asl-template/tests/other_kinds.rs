//! Serverless, Terraform, definitions by themselves, and what is none of these.
mod common;

use asl_model::{Options, StateMachineType};
use asl_template::Kind;
use common::{contents, of, place, told, value};
use serde_json::json;

const SERVERLESS: &str = "\
service: shop
provider:
  name: aws
  stage: ${opt:stage, 'dev'}
custom:
  wait: 30
  names: {dev: first}
  flows: ${file(flows.yml)}
functions:
  pay-out: {handler: a.b}
stepFunctions:
  activities: [approve]
  stateMachines:
    order:
      type: EXPRESS
      definition:
        StartAt: A
        States:
          A: {Type: Wait, Seconds: '${self:custom.wait}', Next: B}
          B: {Type: Task, Resource: {Fn::GetAtt: [pay-out, Arn]}, Next: C}
          C: {Type: Task, Resource: !GetAtt PayDashoutLambdaFunction.Arn, Next: D}
          D: {Type: Task, Resource: !Ref approve, Next: E}
          E: {Type: Fail, Error: '${self:service}-${sls:stage}-${self:custom.names.${sls:stage}}', Cause: '${env:CAUSE}'}
    other: ${self:custom.flows.other}
    text:
      definition: ${file(text.asl.json)}
    table:
      definition: {a: !Sub 'arn:${AWS::Region}:${env:NAME}', b: !GetAtt Table.Arn, c: !GetAtt Unknown.Arn}
resources:
  Resources:
    Table: {Type: AWS::DynamoDB::Table}
";

#[test]
fn serverless_machines_are_found_with_their_variables() {
    let beside = [
        (
            "flows.yml",
            "other:\n  definition:\n    StartAt: Z\n    States: {Z: {Type: Pass, Next: Y}}\n",
        ),
        (
            "text.asl.json",
            "{\"StartAt\": \"T\", \"States\": {\"T\": {\"Type\": \"Succeed\"}}}",
        ),
    ];
    let contents = contents(
        ("serverless.yml", SERVERLESS),
        &beside,
        &[("env:NAME", "n")],
    );
    assert_eq!(contents.kind(), Kind::Serverless);
    let order = contents.machine(Some("order")).unwrap();
    let states = &value(order)["States"];
    assert_eq!(states["A"]["Seconds"], 30);
    for state in ["B", "C"] {
        assert_eq!(
            states[state]["Resource"],
            "arn:aws:lambda:us-east-1:000000000000:function:pay-out"
        );
    }
    assert_eq!(
        states["D"]["Resource"],
        "arn:aws:states:us-east-1:000000000000:activity:approve"
    );
    assert_eq!(states["E"]["Error"], "shop-dev-first");
    assert_eq!(order.machine_type(), Some(StateMachineType::Express));
    assert_eq!(
        told(order),
        [format!(
            "serverless.yml:{}: UNREPLACED_PLACEHOLDER: the placeholder '${{env:CAUSE}}' has no value",
            place(SERVERLESS, "${env:CAUSE}")
        )]
    );
    let other = contents.machine(Some("other")).unwrap();
    let faults = other.parse(Options::default()).unwrap().unwrap_err();
    let places = asl_template::Places::new(other.definition().unwrap());
    let fault = faults
        .iter()
        .find(|it| it.location.as_str() == "/States/Z/Next")
        .unwrap();
    assert_eq!(
        places.place_of(fault).unwrap().to_string(),
        "flows.yml:4:36"
    );
    assert_eq!(
        value(contents.machine(Some("text")).unwrap())["StartAt"],
        "T"
    );
    let table = value(contents.machine(Some("table")).unwrap());
    assert_eq!(
        table,
        json!({"a": "arn:us-east-1:n", "b": "arn:aws:dynamodb:us-east-1:000000000000:table/Table", "c": "${Unknown.Arn}"})
    );
}

#[test]
fn what_serverless_cannot_find_is_told() {
    let text = "service: s\nstepFunctions:\n  stateMachines:\n    a:\n      definition: ${file(none.yml)}\n    b: {name: b}\n    c:\n      definition: ${file(broken.yml)}\n";
    let contents = contents(("serverless.yml", text), &[("broken.yml", "a: [\n")], &[]);
    let told = |name| told(contents.machine(Some(name)).unwrap());
    assert!(
        told("a")[0].starts_with(
            "serverless.yml:5:19: MISSING_DEFINITION: cannot read none.yml: no such file"
        ),
        "{:?}",
        told("a")
    );
    assert_eq!(
        told("b"),
        ["serverless.yml:6:8: MISSING_DEFINITION: state machine 'b' has no definition"]
    );
    assert!(told("c")[0].starts_with("broken.yml:"), "{:?}", told("c"));
}

#[test]
fn variables_that_lead_in_a_circle_end() {
    let circle = "service: s\ncustom: {a: '${self:custom.b, self:custom.b}', b: '${self:custom.a, self:custom.a}'}\nstepFunctions: {stateMachines: {m: {definition: {x: '${self:custom.a} ${self:custom.b}'}}}}\n";
    let contents = of("serverless.yml", circle);
    assert!(value(contents.machine(None).unwrap())["x"].is_string());
}

const PLAN: &str = r#"{
  "format_version": "1.2",
  "planned_values": {"root_module": {
    "resources": [
      {"address": "aws_sfn_state_machine.order", "mode": "managed", "type": "aws_sfn_state_machine", "values": {
        "type": "EXPRESS",
        "definition": "{\"StartAt\":\"A\",\"States\":{\"A\":{\"Type\":\"Pass\",\"Next\":\"Gone\"}}}"}},
      {"address": "aws_sfn_state_machine.open", "type": "aws_sfn_state_machine", "values": {"name": "x"}},
      {"address": "aws_sqs_queue.q", "type": "aws_sqs_queue", "values": {}}
    ],
    "child_modules": [{"resources": [
      {"address": "module.m.aws_sfn_state_machine.inner[\"a\"]", "type": "aws_sfn_state_machine", "values": {"definition": "{}"}}
    ]}]
  }},
  "resource_changes": [{"address": "aws_sfn_state_machine.open", "change": {"after_unknown": {"definition": true}}}]
}"#;

#[test]
fn plans_and_states_of_terraform_are_read() {
    let contents = of("plan.json", PLAN);
    let names: Vec<_> = contents
        .machines()
        .iter()
        .filter_map(|it| it.name())
        .collect();
    assert_eq!(
        names,
        [
            "aws_sfn_state_machine.order",
            "aws_sfn_state_machine.open",
            "module.m.aws_sfn_state_machine.inner[\"a\"]"
        ]
    );
    let order = contents.machine(Some("order")).unwrap();
    assert_eq!(order.machine_type(), Some(StateMachineType::Express));
    let faults = order.parse(Options::default()).unwrap().unwrap_err();
    let at: Vec<_> = faults.located().map(|(_, at)| at.unwrap()).collect();
    // `"Gone"`, behind its backslash.
    assert_eq!(
        format!("{}:{}", at[1].line, at[1].column),
        place(PLAN, "\\\"Gone")
    );
    let open = contents.machine(Some("open")).unwrap();
    assert_eq!(
        told(open),
        [
            "plan.json:8:7: DEFINITION_ELSEWHERE: the definition of aws_sfn_state_machine.open is known only after apply"
        ]
    );
    let state = PLAN
        .replace("planned_values", "values")
        .replace("resource_changes", "x");
    let contents = of("state.json", &state);
    assert_eq!(
        (contents.kind(), contents.machines().len()),
        (Kind::TerraformState, 3)
    );
    assert!(told(contents.machine(Some("open")).unwrap())[0].contains("MISSING_DEFINITION"));
}

#[test]
fn a_source_of_templatefile_is_a_definition() {
    let text = "{\"StartAt\": \"W\", \"States\": {\"W\": {\"Type\": \"Wait\", \"Seconds\": ${seconds}, \"Comment\": \"${upper(\"x\")}\", \"End\": true}}}";
    let contents = contents(("w.asl.json.tftpl", text), &[], &[("seconds", "3")]);
    let found = contents.machine(None).unwrap();
    assert!(found.parse(Options::default()).unwrap().is_ok());
    assert_eq!(told(found).len(), 1);
    let directive = of(
        "w.asl.json",
        "{\"StartAt\": \"W\",\n%{ if x }\n\"States\": {}}",
    );
    let found = directive.machine(None).unwrap();
    assert!(found.definition().is_none());
    assert!(told(found)[0].starts_with("w.asl.json:2:1: TEMPLATE_EXPRESSION"));
}

#[test]
fn anything_else_is_taken_for_a_definition() {
    for text in [
        "",
        "{",
        "{\"Resources\": 1}",
        "Resources: [",
        "[1]",
        "\u{feff}{}",
        "a: &a [*a]",
        "stepFunctions: {}",
    ] {
        let contents = of("x.yaml", text);
        let found = contents.machine(None).unwrap();
        assert_eq!(
            (contents.kind(), found.name()),
            (Kind::Definition, None),
            "{text}"
        );
        assert!(found.parse(Options::default()).unwrap().is_err());
    }
    let broken = of(
        "t.yaml",
        "Resources:\n  M: {Type: AWS::Serverless::StateMachine\nx: [",
    );
    assert!(
        broken.machines().is_empty()
            && broken.findings()[0]
                .to_string()
                .contains("UNREADABLE_TEMPLATE")
    );
}

/// A variable may stand for what it is part of, once or often.
#[test]
fn a_definition_that_holds_itself_is_refused() {
    let itself = "'${self:stepFunctions}'";
    for value in [itself.to_owned(), format!("[{itself}, {itself}]")] {
        let text = format!(
            "service: shop\nstepFunctions:\n  stateMachines:\n    order:\n      definition: {{StartAt: A, States: {value}}}\n"
        );
        let contents = of("serverless.yml", &text);
        let order = contents.machine(Some("order")).unwrap();
        let told = told(order);
        assert!(
            told.iter().any(|it| it.contains("nested too deep")),
            "{told:?}"
        );
    }
}
