//! `asl lsp`, spoken to as editors do.
#![cfg(feature = "lsp")]
mod common;

use common::Folder;
use common::language_client::LanguageClient;
use serde_json::{Value, json};

const ORDER: &str = r#"{
  "StartAt": "Charge",
  "States": {
    "Charge": {"Type": "Pass", "Next": "Ship"},
    "Ship": {"Type": "Succeed"}
  }
}
"#;

fn open(client: &mut LanguageClient, uri: &str, text: &str) {
    let document = json!({"uri": uri, "languageId": "json", "version": 1, "text": text});
    client.tell("textDocument/didOpen", json!({"textDocument": document}));
}

fn change(client: &mut LanguageClient, uri: &str, version: i32, range: Value, text: &str) {
    let change = json!({"range": range, "text": text});
    let document = json!({"uri": uri, "version": version});
    client.tell(
        "textDocument/didChange",
        json!({"textDocument": document, "contentChanges": [change]}),
    );
}

fn range(line: u32, start: u32, end: u32) -> Value {
    json!({"start": {"line": line, "character": start}, "end": {"line": line, "character": end}})
}

/// `LINE:COLUMN-COLUMN message` of each.
fn shown(published: &Value) -> Vec<String> {
    let list = published["diagnostics"].as_array().unwrap().iter();
    list.map(|one| {
        let (start, end) = (&one["range"]["start"], &one["range"]["end"]);
        let message = one["message"].as_str().unwrap();
        format!(
            "{}:{}-{} {message}",
            start["line"], start["character"], end["character"]
        )
    })
    .collect()
}

#[test]
fn what_is_wrong_is_told_while_one_types() {
    let (mut client, answer) = LanguageClient::start(json!({}));
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
    let uri = "file:///nowhere/order.asl.json";
    open(&mut client, uri, ORDER);
    let published = client.told("textDocument/publishDiagnostics");
    assert_eq!(
        (&published["version"], shown(&published)),
        (&json!(1), vec![])
    );
    change(&mut client, uri, 2, range(3, 40, 44), "Shop");
    let published = client.told("textDocument/publishDiagnostics");
    assert_eq!(published["version"], 2);
    assert_eq!(
        shown(&published),
        [
            "3:39-45 Missing 'Next' target: Shop",
            "4:12-13 State \"Ship\" is not reachable.",
        ]
    );
    change(&mut client, uri, 3, range(3, 42, 43), "i");
    assert_eq!(
        shown(&client.told("textDocument/publishDiagnostics")).len(),
        0
    );
    client.tell(
        "textDocument/didClose",
        json!({"textDocument": {"uri": uri}}),
    );
    let published = client.told("textDocument/publishDiagnostics");
    assert_eq!(
        (shown(&published).len(), published.get("version")),
        (0, None)
    );
    assert_eq!(client.end(), Some(0));
}

#[test]
fn a_template_is_told_of_at_its_own_lines_and_in_the_files_that_it_names() {
    let folder = Folder::new();
    folder.write(
        "order.asl.json",
        ORDER.replace("\"Ship\"}", "\"${Target}\"}"),
    );
    let template = "Resources:
  Inline:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition:
        StartAt: A
        States:
          A: {Type: Pass, Next: B}
  Named:
    Type: AWS::Serverless::StateMachine
    Properties:
      DefinitionUri: order.asl.json
      DefinitionSubstitutions: {Target: Nowhere}
";
    let (mut client, _) =
        LanguageClient::start(json!({"general": {"positionEncodings": ["utf-8"]}}));
    let uri = format!("file://{}", folder.path("template.yaml").display());
    open(&mut client, &uri, template);
    let published = client.told("textDocument/publishDiagnostics");
    assert_eq!(
        shown(&published),
        [
            "5:8-18 Workflow has no terminal state",
            "7:32-33 Missing 'Next' target: B",
        ]
    );
    let of_file = client.told("textDocument/publishDiagnostics");
    assert!(
        of_file["uri"]
            .as_str()
            .unwrap()
            .ends_with("/order.asl.json")
    );
    assert!(
        shown(&of_file)[0].ends_with("Missing 'Next' target: Nowhere"),
        "{of_file}"
    );
    client.tell(
        "textDocument/didClose",
        json!({"textDocument": {"uri": uri}}),
    );
    for _ in 0..2 {
        assert_eq!(
            shown(&client.told("textDocument/publishDiagnostics")).len(),
            0
        );
    }
    assert_eq!(client.end(), Some(0));
}

#[test]
fn nothing_strange_ends_the_session() {
    let (mut client, _) = LanguageClient::start(json!({}));
    client.send("no JSON");
    client.send("{\"id\": 77}");
    client.tell("textDocument/didOpen", json!({"textDocument": 1}));
    client.tell("textDocument/didChange", json!([]));
    client.tell("workspace/unheardOf", json!(null));
    let code = |answer: Value| answer["error"]["code"].clone();
    assert_eq!(code(client.ask("workspace/unheardOf", json!({}))), -32601);
    assert_eq!(
        code(client.ask("initialize", json!({"capabilities": {}}))),
        -32600
    );
    open(
        &mut client,
        "untitled:Untitled-1",
        "version: 3\nservices: {}\n",
    );
    assert_eq!(
        shown(&client.told("textDocument/publishDiagnostics")).len(),
        0
    );
    assert_eq!(client.vanish(), Some(1));
}
