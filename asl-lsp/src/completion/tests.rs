//! Completion while a text is broken, which is when one types.
use super::without_places;
use crate::testing::{Session, edited, without_caret};
use serde_json::{Value, json};

fn items(session: &mut Session, file: &str, text: &str) -> Vec<Value> {
    let answer = session.request_at_caret(file, text, "textDocument/completion");
    let list = answer["items"].as_array().cloned().unwrap_or_default();
    let mut list: Vec<Value> = list;
    list.sort_by_key(|item| item["sortText"].as_str().map(str::to_owned));
    list
}

/// Returns the labels in the order in which an editor shows them.
#[track_caller]
fn labels(file: &str, text: &str) -> Vec<String> {
    let items = items(&mut Session::default(), file, text);
    items
        .iter()
        .map(|item| item["label"].as_str().unwrap().to_owned())
        .collect()
}

/// The text after one of the candidates was taken.
#[track_caller]
fn taken(file: &str, text: &str, label: &str) -> String {
    let items = items(&mut Session::default(), file, text);
    let labels: Vec<&str> = items
        .iter()
        .filter_map(|item| item["label"].as_str())
        .collect();
    let item = items.iter().find(|item| item["label"] == label);
    let item = item.unwrap_or_else(|| panic!("no {label} in {labels:?}"));
    let mut edit = item["textEdit"].clone();
    edit["newText"] = without_places(edit["newText"].as_str().unwrap()).into();
    edited(&without_caret(text).0, &json!([edit]))
}

const STATES: &str = r#""States": {"A": {"Type": "Pass", "Next": "B"}, "B": {"Type": "Succeed"}, "P": {"Type": "Parallel",
  "Branches": [{"StartAt": "‸", "States": {"P1": {"Type": "Succeed"}}}], "End": true}}}"#;

#[test]
fn states_of_the_scope_alone_are_offered() {
    let text = format!("{{\"StartAt\": \"‸\", {}", STATES.replace('‸', ""));
    assert_eq!(labels("m.asl.json", &text), ["A", "B", "P"]);
    let text = format!("{{\"StartAt\": \"A\", {STATES}");
    assert_eq!(labels("m.asl.json", &text), ["P1"]);
    for (text, expected) in [
        (
            "{\"States\": {\"A\": {\"Next\": ‸}}}",
            "{\"States\": {\"A\": {\"Next\": \"A\"}}}",
        ),
        (
            "{\"States\": {\"A\": {\"Next\": \"x‸y\"}}}",
            "{\"States\": {\"A\": {\"Next\": \"A\"}}}",
        ),
        (
            "{\"States\": {\"A\": {\"Next\": \"‸\n}}}",
            "{\"States\": {\"A\": {\"Next\": \"A\n}}}",
        ),
    ] {
        assert_eq!(taken("m.asl.json", text, "A"), expected);
    }
    let yaml = "StartAt: ‸\nStates:\n  It's: {Type: Succeed}\n";
    assert_eq!(
        taken("m.asl.yaml", yaml, "It's"),
        "StartAt: \"It's\"\nStates:\n  It's: {Type: Succeed}\n"
    );
}

#[test]
fn what_was_sound_before_is_remembered() {
    let mut session = Session::default();
    let sound = "{\"StartAt\": \"A\", \"States\": {\"A\": {\"Type\": \"Pass\", \"Next\": \"B\"}, \"B\": {\"Type\": \"Succeed\"}}}";
    session.open("m.asl.json", sound);
    session.request(
        "textDocument/documentSymbol",
        json!({"textDocument": {"uri": crate::testing::uri("m.asl.json")}}),
    );
    let (broken, position) = without_caret("{\"StartAt\": \"‸\"");
    session.replace("m.asl.json", &broken);
    let params =
        json!({"textDocument": {"uri": crate::testing::uri("m.asl.json")}, "position": position});
    let answer = session.request("textDocument/completion", params);
    assert_eq!(
        answer["items"].as_array().map(Vec::len),
        Some(2),
        "{answer}"
    );
}

#[test]
fn fields_that_are_allowed_and_not_there_yet_are_offered() {
    let wait = r#"{"States": {"A": {"Type": "Wait", "Comment": "x", "Seconds": 1, ‸}}}"#;
    assert_eq!(
        labels("m.asl.json", wait),
        [
            "End",
            "Next",
            "Assign",
            "InputPath",
            "OutputPath",
            "QueryLanguage"
        ]
    );
    let jsonata = wait.replace("{\"States\"", "{\"QueryLanguage\": \"JSONata\", \"States\"");
    assert_eq!(
        labels("m.asl.json", &jsonata),
        ["End", "Next", "Output", "Assign", "QueryLanguage"]
    );
    let retrier = r#"{"States": {"A": {"Type": "Task", "Retry": [{"MaxAttempts": 2, "‸"}]}}}"#;
    assert_eq!(
        labels("m.asl.json", retrier),
        [
            "ErrorEquals",
            "BackoffRate",
            "IntervalSeconds",
            "Comment",
            "JitterStrategy",
            "MaxDelaySeconds"
        ]
    );
    assert_eq!(labels("m.asl.json", r#"{"States": {"A": {‸}}}"#)[0], "Type");
    let rule = r#"{"States": {"A": {"Type": "Choice", "Choices": [{"Variable": "$.a", ‸}]}}}"#;
    let labels = labels("m.asl.json", rule);
    assert!(labels.contains(&"NumericLessThan".to_owned()) && !labels.contains(&"And".to_owned()));
}

#[test]
fn a_field_comes_with_a_value_that_fits() {
    for (file, text, label, expected) in [
        (
            "m.asl.json",
            r#"{"States": {"A": {"Type": "Pass", ‸}}}"#,
            "Next",
            r#"{"States": {"A": {"Type": "Pass", "Next": ""}}}"#,
        ),
        (
            "m.asl.json",
            "{\"States\": {\"A\": {\"‸\"\n \"Type\": \"Wait\"}}}",
            "Seconds",
            "{\"States\": {\"A\": {\"Seconds\": 10,\n \"Type\": \"Wait\"}}}",
        ),
        (
            "m.asl.json",
            r#"{"States": {"A": {"Type": "Pass", "N‸": "B"}}}"#,
            "Next",
            r#"{"States": {"A": {"Type": "Pass", "Next": "B"}}}"#,
        ),
        (
            "m.asl.yaml",
            "States:\n  A:\n    Type: Task\n    Re‸\n",
            "Retry",
            "States:\n  A:\n    Type: Task\n    Retry:\n  - \n",
        ),
        (
            "m.asl.yaml",
            "States:\n  A:\n    ‸\n",
            "Type",
            "States:\n  A:\n    Type: \n",
        ),
        (
            "m.asl.yaml",
            "States:\n  A:\n    Type: Task\n    Retry:\n      - ‸\n",
            "ErrorEquals",
            "States:\n  A:\n    Type: Task\n    Retry:\n      - ErrorEquals: []\n",
        ),
    ] {
        assert_eq!(taken(file, text, label), expected);
    }
}

#[test]
fn values_that_are_a_few_words_are_offered() {
    for (text, expected) in [
        (
            r#"{"States": {"A": {"Type": "‸"}}}"#,
            "Choice Fail Map Parallel Pass Succeed Task Wait",
        ),
        (r#"{"QueryLanguage": ‸}"#, "JSONPath JSONata"),
        (
            r#"{"States": {"A": {"Type": "Map", "ItemProcessor": {"ProcessorConfig": {"Mode": "‸"}}}}}"#,
            "DISTRIBUTED INLINE",
        ),
        (
            r#"{"States": {"A": {"Type": "Pass", "End": ‸}}}"#,
            "false true",
        ),
    ] {
        assert_eq!(labels("m.asl.json", text).join(" "), expected);
    }
    let errors = labels(
        "m.asl.json",
        r#"{"States": {"A": {"Type": "Task", "Catch": [{"ErrorEquals": ["States.ALL", "‸"]}]}}}"#,
    );
    assert!(
        errors.contains(&"States.Timeout".to_owned()) && !errors.contains(&"States.ALL".to_owned())
    );
    let arns = labels(
        "m.asl.json",
        r#"{"States": {"A": {"Type": "Task", "Resource": "arn:‸"}}}"#,
    );
    assert!(
        arns.contains(&"arn:aws:states:::ecs:runTask.sync".to_owned()),
        "{arns:?}"
    );
}

#[test]
fn of_very_many_states_those_are_offered_that_are_typed() {
    let states: Vec<String> = (0..3_000).map(|it| format!("\"S{it}\": {{}}")).collect();
    let text = |typed: &str| {
        format!(
            "{{\"StartAt\": \"{typed}‸\", \"States\": {{{}}}}}",
            states.join(", ")
        )
    };
    let mut session = Session::default();
    let answer = session.request_at_caret("m.asl.json", &text(""), "textDocument/completion");
    assert_eq!(
        (
            answer["items"].as_array().unwrap().len(),
            &answer["isIncomplete"]
        ),
        (1_000, &json!(true))
    );
    assert_eq!(labels("m.asl.json", &text("s299")).len(), 11);
}

const QUERIES: &str = r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "Assign": {"total": 1}, "Next": "B"},
  "B": {"Type": "Pass", HERE, "End": true}}}"#;

#[test]
fn variables_and_functions_are_offered_in_queries() {
    let labels = |here: &str| labels("m.asl.json", &QUERIES.replace("HERE", here));
    let path = labels(r#""InputPath": "$‸""#);
    assert_eq!(path, ["$total", "$", "$$"]);
    assert_eq!(
        labels(r#""Parameters": {"x.$": "$$.State.‸"}"#),
        ["EnteredTime", "Name", "RetryCount"]
    );
    let functions = labels(r#""Parameters": {"x.$": "States.For‸"}"#);
    assert!(functions.contains(&"States.Format".to_owned()));
    let jsonata = r#""QueryLanguage": "JSONata", "Output": "{% $sum($‸"#;
    assert_eq!(labels(jsonata)[..3], ["$states", "$total", "$abs"]);
    let states = r#""QueryLanguage": "JSONata", "Output": "{% $states.‸ %}""#;
    assert_eq!(labels(states), ["context", "errorOutput", "input"]);
    assert!(labels(r#""Comment": "‸""#).is_empty());
    let text = QUERIES.replace("HERE", r#""Parameters": {"x.$": "States.For‸"}"#);
    let expected = QUERIES.replace("HERE", r#""Parameters": {"x.$": "States.Format('')"}"#);
    assert_eq!(taken("m.asl.json", &text, "States.Format"), expected);
}

#[test]
fn states_that_are_missing_are_offered_where_states_are() {
    let text =
        "{\"StartAt\": \"A\", \"States\": {\"A\": {\"Type\": \"Pass\", \"Next\": \"B\"}, ‸}}";
    assert_eq!(
        taken("m.asl.json", text, "B"),
        "{\"StartAt\": \"A\", \"States\": {\"A\": {\"Type\": \"Pass\", \"Next\": \"B\"}, \"B\": {\n\t\"Type\": \"\"\n}}}"
    );
}

#[test]
fn templates_are_completed_too() {
    let text = "Resources:
  Order:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition:
        StartAt: ‸
        States:
          First:
            Type: Succeed
";
    assert_eq!(labels("template.yaml", text), ["First"]);
    let text = "Resources:
  Order:
    Properties:
      DefinitionString: !Sub |
        {\"StartAt\": \"First\", \"States\": {\"First\": {\"Type\": \"‸
";
    assert_eq!(labels("template.yaml", text).len(), 8);
    assert!(labels("docker-compose.yaml", "services:\n  a:\n    ‸\n").is_empty());
}

fn task(resource: &str, fields: &str) -> String {
    format!(
        r#"{{"StartAt": "A", "States": {{"A": {{"Type": "Task", "Resource": "{resource}", {fields} "End": true}}}}}}"#
    )
}

#[test]
fn services_and_actions_of_the_sdk_are_offered() {
    let services = labels("m.asl.json", &task("arn:aws:states:::aws-sdk:‸", ""));
    for expected in [
        "arn:aws:states:::aws-sdk:s3:",
        "arn:aws:states:::sqs:sendMessage",
    ] {
        assert!(services.iter().any(|label| label == expected), "{expected}");
    }
    let actions = labels("m.asl.json", &task("arn:aws:states:::aws-sdk:sqs:‸", ""));
    let expected = "arn:aws:states:::aws-sdk:sqs:sendMessageBatch";
    assert!(actions.iter().any(|label| label == expected), "{actions:?}");
}

#[test]
fn arguments_of_the_action_are_offered() {
    let resource = "arn:aws:states:::sqs:sendMessage";
    let text = task(resource, r#""Parameters": {"QueueUrl": "q", "‸"},"#);
    let offered = labels("m.asl.json", &text);
    assert_eq!(offered[0], "MessageBody");
    assert!(offered.contains(&"DelaySeconds".to_owned()), "{offered:?}");
    assert!(!offered.contains(&"QueueUrl".to_owned()), "{offered:?}");
    let expected = text.replace("\"‸\"", "\"DelaySeconds\": 1");
    assert_eq!(taken("m.asl.json", &text, "DelaySeconds"), expected);
    let nested = task(
        "arn:aws:states:::events:putEvents",
        r#""Parameters": {"Entries": [{"Source.$": "$.s", "‸"}]},"#,
    );
    let offered = labels("m.asl.json", &nested);
    assert!(offered.contains(&"DetailType".to_owned()), "{offered:?}");
    assert!(!offered.contains(&"Source".to_owned()), "{offered:?}");
    let none = task(
        "arn:aws:lambda:us-east-1:1:function:f",
        r#""Parameters": {"‸"},"#,
    );
    assert_eq!(labels("m.asl.json", &none), Vec::<String>::new());
}

#[test]
fn fields_of_results_and_of_data_are_offered() {
    let text = task(
        "arn:aws:states:::sqs:sendMessage",
        r#""ResultSelector": {"id.$": "$.‸"},"#,
    );
    assert!(labels("m.asl.json", &text).contains(&"MessageId".to_owned()));
    let jsonata = task(
        "arn:aws:states:::dynamodb:getItem",
        r#""QueryLanguage": "JSONata", "Output": "{% $states.result.‸ %}","#,
    );
    assert!(labels("m.asl.json", &jsonata).contains(&"Item".to_owned()));
    let data = r#"{"StartAt": "A", "States": {
        "A": {"Type": "Pass", "Result": {"rate": 1, "deep": {"x": 2}}, "ResultPath": "$.abc", "Next": "B"},
        "B": {"Type": "Pass", "InputPath": "$.abc.total", "Next": "C"},
        "C": {"Type": "Pass", "InputPath": "$.abc.‸", "End": true}}}"#;
    assert_eq!(labels("m.asl.json", data), ["deep", "rate", "total"]);
    assert_eq!(
        labels("m.asl.json", &data.replace("$.abc.‸", "$.abc.deep.‸")),
        ["x"]
    );
}

#[test]
fn a_result_is_offered_where_there_is_one() {
    let of_type = |state_type: &str| {
        let text = format!(
            r#"{{"StartAt": "A", "States": {{"A": {{"Type": "{state_type}", "QueryLanguage": "JSONata", "Output": "{{% $states.‸ %}}", "End": true}}}}}}"#
        );
        labels("m.asl.json", &text).contains(&"result".to_owned())
    };
    assert_eq!(
        ["Task", "Map", "Parallel", "Pass", "Succeed"].map(of_type),
        [true, true, true, false, false]
    );
}

#[test]
fn an_empty_file_is_offered_a_state_machine() {
    for file in ["m.asl.json", "m.asl.yaml"] {
        let offered = labels(file, "‸\n");
        assert_eq!(
            offered,
            ["state machine, JSONPath", "state machine, JSONata"]
        );
        let text = taken(file, "‸", "state machine, JSONata");
        let value = asl_model::value_from_text(&text, asl_model::Options::default());
        assert!(
            value.is_ok_and(|value| value["StartAt"] == "First"),
            "{text}"
        );
    }
}
