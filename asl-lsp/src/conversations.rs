//! Sessions in which a client types anything anywhere and asks anything: the server's text stays the client's, and nothing panics.
use crate::testing::{Session, uri};
use crate::text::{Encoding, Text};
use lsp_types::Range;
use proptest::prelude::*;
use serde_json::{Value, json};

const JSON: &str = r#"{
  "Comment": "größe 😀",
  "StartAt": "Which",
  "States": {
    "Which": {"Type": "Choice", "Choices": [{"And": [{"Variable": "$.n", "NumericGreaterThan": 1}], "Next": "Each"}], "Default": "Wait"},
    "Wait": {"Type": "Wait", "SecondsPath": "$.s", "Assign": {"total.$": "States.MathAdd($.a, $total)"}, "Next": "Call"},
    "Call": {"Type": "Task", "QueryLanguage": "JSONata", "Resource": "arn:aws:states:::lambda:invoke",
      "Arguments": {"Payload": "{% $total + $sum($states.input.items.(price * \"x\")) %}"},
      "Catch": [{"ErrorEquals": ["States.Timeout"], "Next": "Which"}], "End": true},
    "Each": {"Type": "Map", "ItemProcessor": {"StartAt": "One", "States": {"One": {"Type": "Pass", "End": true}}}, "Next": "Wait"}
  }
}
"#;

const YAML: &str = "Resources:
  Order:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition:
        StartAt: 'Größe 😀'
        States:
          'Größe 😀':
            Type: Parallel
            Branches:
            - StartAt: A
              States:
                A: {Type: Pass, Result: [1, x: y], End: true}
            Catch:
            - ErrorEquals: [States.ALL]
              Next: B
            Next: B
          B:
            Type: Pass
            Parameters:
              text.$: States.Format('{}', $.x)
            End: true
  Other:
    Type: AWS::StepFunctions::StateMachine
    Properties:
      DefinitionString: !Sub |
        {
          \"StartAt\": \"${Name}\",
          \"States\": {\"Only\": {\"Type\": \"Succeed\"}}
        }
";

/// Typed texts.
const TYPED: &[&str] = &[
    "",
    "\"",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\n",
    "  ",
    "- ",
    "$",
    "{%",
    "%}",
    "é",
    "😀",
    "Next",
    "\"Next\": \"B\"",
    "$total",
    "States.",
    "|\n",
    "'",
    "\\",
    "#",
    "&a ",
    "*a",
    "!Sub ",
    "\r\n",
];

const ASKED: &[&str] = &[
    "hover",
    "completion",
    "definition",
    "references",
    "documentHighlight",
    "documentSymbol",
    "prepareRename",
    "rename",
    "formatting",
    "codeAction",
    "codeLens",
];

#[derive(Debug, Clone)]
enum Step {
    /// From one place of the text to another, in thousandths.
    Type(u32, u32, usize),
    Ask(usize, u32),
    Work,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..1_000_u32, 0..20_u32, 0..TYPED.len()).prop_map(|(at, more, what)| Step::Type(at, more, what)),
        4 => (0..ASKED.len(), 0..1_000_u32).prop_map(|(what, at)| Step::Ask(what, at)),
        1 => Just(Step::Work),
    ]
}

/// Returns the byte at so many thousandths of a text, at a character.
fn at(text: &str, thousandths: u32) -> usize {
    let mut offset = text.len() * thousandths as usize / 1_000;
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

fn take(session: &mut Session, file: &str, text: &mut String, step: &Step, version: usize) {
    let position =
        |text: &str, offset: usize| Text::new(text.to_owned(), Encoding::Utf16).position(offset);
    let document = json!({"uri": uri(file), "version": version});
    match step {
        Step::Type(from, more, what) => {
            let start = at(text, *from);
            let end = at(text, (from + more).min(1_000)).max(start);
            let range = Range::new(position(text, start), position(text, end));
            let change = json!({"range": range, "text": TYPED[*what]});
            session.notify(
                "textDocument/didChange",
                json!({"textDocument": document, "contentChanges": [change]}),
            );
            // What a client does: its positions are never within the end of a line.
            let places = Text::new(text.clone(), Encoding::Utf16);
            text.replace_range(places.range_of(range), TYPED[*what]);
        }
        Step::Ask(what, place) => {
            let position = position(text, at(text, *place));
            let params = json!({
                "textDocument": document, "position": position, "newName": "renamed",
                "range": {"start": position, "end": position}, "options": {"tabSize": 2, "insertSpaces": true},
                "context": {"includeDeclaration": true, "diagnostics": []},
            });
            let answer = session.request(&format!("textDocument/{}", ASKED[*what]), params);
            for edit in answer["changes"][uri(file)]
                .as_array()
                .into_iter()
                .flatten()
            {
                assert!(edit["newText"].is_string());
            }
        }
        Step::Work => while session.server.work().is_some() {},
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn anything_can_be_typed_and_asked(is_yaml: bool, steps in prop::collection::vec(step(), 1..40)) {
        let (file, begin) = if is_yaml { ("template.yaml", YAML) } else { ("m.asl.json", JSON) };
        let mut session = Session::default();
        session.open(file, begin);
        let mut text = begin.to_owned();
        for (version, step) in steps.iter().enumerate() {
            take(&mut session, file, &mut text, step, version + 2);
        }
        prop_assert_eq!(session.text(file), text);
    }

    #[test]
    fn what_is_renamed_is_renamed_back(state in 0..4_usize) {
        let names = ["Which", "Wait", "Call", "Each"];
        let old = names[state];
        let text = JSON.replacen(&format!("    \"{old}\""), &format!("    \"‸{old}\""), 1);
        let renamed = Session::default().rename_at_caret("m.asl.json", &text, "A \"b\"");
        prop_assert_ne!(&renamed, JSON);
        let caret = renamed.replacen("    \"A ", "    \"‸A ", 1);
        let back = Session::default().rename_at_caret("m.asl.json", &caret, old);
        prop_assert_eq!(back, JSON);
    }
}

#[test]
fn unknown_documents_are_refused() {
    let mut session = Session::default();
    for what in ASKED {
        let params = json!({
            "textDocument": {"uri": "file:///unknown"}, "position": {"line": 0, "character": 0}, "newName": "x",
            "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}},
            "options": {"tabSize": 2, "insertSpaces": true}, "context": {"includeDeclaration": true, "diagnostics": []},
        });
        let answer = session.request(&format!("textDocument/{what}"), params);
        assert_eq!(
            answer, "expected an open document, found file:///unknown",
            "{what}"
        );
        let answer = session.request(&format!("textDocument/{what}"), Value::Null);
        assert!(
            answer
                .as_str()
                .unwrap()
                .starts_with("expected the parameters of the protocol: "),
            "{what}"
        );
    }
}
