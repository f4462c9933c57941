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
    client.notify("textDocument/didOpen", json!({"textDocument": document}));
}

fn change(client: &mut LanguageClient, uri: &str, version: i32, range: Value, text: &str) {
    let change = json!({"range": range, "text": text});
    let document = json!({"uri": uri, "version": version});
    client.notify(
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
    let published = client.notification("textDocument/publishDiagnostics");
    assert_eq!(
        (&published["version"], shown(&published)),
        (&json!(1), vec![])
    );
    change(&mut client, uri, 2, range(3, 40, 44), "Shop");
    let published = client.notification("textDocument/publishDiagnostics");
    assert_eq!(published["version"], 2);
    assert_eq!(
        shown(&published),
        [
            "3:39-45 Missing 'Next' target: Shop\nhint: did you mean `Ship`?",
            "4:4-10 State \"Ship\" is not reachable.\nhint: follows from the missing target `Shop`",
        ]
    );
    change(&mut client, uri, 3, range(3, 42, 43), "i");
    assert_eq!(
        shown(&client.notification("textDocument/publishDiagnostics")).len(),
        0
    );
    client.notify(
        "textDocument/didClose",
        json!({"textDocument": {"uri": uri}}),
    );
    let published = client.notification("textDocument/publishDiagnostics");
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
    let published = client.notification("textDocument/publishDiagnostics");
    assert_eq!(
        shown(&published),
        [
            "5:8-15 Workflow has no terminal state\nhint: add \"End\": true to a state, or add a Succeed or Fail state",
            "7:32-33 Missing 'Next' target: B\nhint: the only state of this scope is `A`",
        ]
    );
    let of_file = client.notification("textDocument/publishDiagnostics");
    assert!(
        of_file["uri"]
            .as_str()
            .unwrap()
            .ends_with("/order.asl.json")
    );
    assert!(
        shown(&of_file)[0].contains("Missing 'Next' target: Nowhere\n"),
        "{of_file}"
    );
    client.notify(
        "textDocument/didClose",
        json!({"textDocument": {"uri": uri}}),
    );
    for _ in 0..2 {
        assert_eq!(
            shown(&client.notification("textDocument/publishDiagnostics")).len(),
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
    client.notify("textDocument/didOpen", json!({"textDocument": 1}));
    client.notify("textDocument/didChange", json!([]));
    client.notify("workspace/unheardOf", json!(null));
    let code = |answer: Value| answer["error"]["code"].clone();
    assert_eq!(
        code(client.request("workspace/unheardOf", json!({}))),
        -32601
    );
    assert_eq!(
        code(client.request("initialize", json!({"capabilities": {}}))),
        -32600
    );
    open(
        &mut client,
        "untitled:Untitled-1",
        "version: 3\nservices: {}\n",
    );
    assert_eq!(
        shown(&client.notification("textDocument/publishDiagnostics")).len(),
        0
    );
    assert_eq!(client.vanish(), Some(1));
}

/// The messages of editor and server, in order.
#[test]
fn a_conversation() {
    let (mut client, answer) = LanguageClient::start(json!({}));
    let mut said = vec![format!("initialize: {}", answer["serverInfo"]["name"])];
    let uri = "file:///nowhere/order.asl.json";
    let document = json!({"uri": uri});
    let at = |line: u32, character: u32| json!({"line": line, "character": character});
    open(&mut client, uri, ORDER);
    let mut told = |client: &mut LanguageClient, what: &str| {
        let published = client.notification("textDocument/publishDiagnostics");
        said.push(format!("{what}: {}", shown(&published).join("; ")));
    };
    told(&mut client, "open");
    change(
        &mut client,
        uri,
        2,
        range(3, 15, 15),
        "\"Parameters\": {\"n\": \"$.n\"}, ",
    );
    told(&mut client, "break");
    let params = json!({"textDocument": document, "range": range(3, 37, 37), "context": {"diagnostics": []}});
    let actions = client.request("textDocument/codeAction", params);
    let edit = &actions[0]["edit"]["changes"][uri][0];
    said.push(format!(
        "fix: {} by {}",
        actions[0]["title"], edit["newText"]
    ));
    let text = edit["newText"].as_str().unwrap_or_default().to_owned();
    change(&mut client, uri, 3, edit["range"].clone(), &text);
    let published = client.notification("textDocument/publishDiagnostics");
    said.push(format!("mend: {}", shown(&published).join("; ")));
    let params = json!({"textDocument": document, "position": at(4, 6), "newName": "Send"});
    let renamed = client.request("textDocument/rename", params);
    for edit in renamed["changes"][uri].as_array().unwrap() {
        let start = &edit["range"]["start"];
        said.push(format!(
            "rename: {}:{} {}",
            start["line"], start["character"], edit["newText"]
        ));
    }
    let params = json!({"textDocument": document, "position": at(3, 72)});
    let completed = client.request("textDocument/completion", params.clone());
    let labels = completed["items"].as_array().unwrap().iter();
    let labels: Vec<&str> = labels.filter_map(|item| item["label"].as_str()).collect();
    said.push(format!("complete: {}", labels.join(", ")));
    let hover = client.request("textDocument/hover", params);
    said.push(format!("hover: {}", hover["contents"]["value"]));
    let argument = json!({"textDocument": document, "position": at(0, 0)});
    let graph = client.request(
        "workspace/executeCommand",
        json!({"command": "asl.graph", "arguments": [argument]}),
    );
    said.push(format!("graph: {:.4}", graph["svg"].as_str().unwrap()));
    let unknown = client.request(
        "textDocument/hover",
        json!({"textDocument": {"uri": "file:///x"}, "position": at(0, 0)}),
    );
    said.push(format!("unknown: {}", unknown["error"]["message"]));
    said.push(format!("exit: {:?}", client.end()));
    assert_eq!(said.join("\n"), CONVERSATION.trim());
}

const CONVERSATION: &str = r#"
initialize: "asl"
open: 
break: 3:35-40 the value of 'n' looks like a path or an intrinsic function, but is passed as a literal string
hint: rename the field to 'n.$' to evaluate the path
fix: "Rename the field to 'n.$'" by "\"n.$\""
mend: 
rename: 3:70 "Send"
rename: 4:5 "Send"
complete: Charge, Ship
hover: "**Ship**: Succeed State\n\nComes after Charge."
graph: <svg
unknown: "expected an open document, found file:///x"
exit: Some(0)
"#;
