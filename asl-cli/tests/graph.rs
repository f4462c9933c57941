//! `asl graph`.
mod common;

use common::Folder;

const BROKEN: &str = r#"{
  "StartAt": "A",
  "States": {
    "A": {"Type": "Pass", "Next": "Nowhere"}
  }
}
"#;

#[test]
fn a_broken_definition_is_drawn_and_its_faults_are_told() {
    let folder = Folder::new();
    folder
        .write("broken.asl.json", BROKEN)
        .write(
            "broken.asl.yaml",
            "StartAt: A\nStates:\n  A: {Type: Pass, Next: Nowhere}\n",
        )
        .write("events.json", r#"{"events": []}"#);
    for (file, place) in [("broken.asl.json", "4:35"), ("broken.asl.yaml", "3:25")] {
        let ran = folder.asl(&["graph", file]);
        ran.told(
            2,
            &[
                "error[unknown-target]: Missing 'Next' target: Nowhere",
                &format!("--> {file}:{place}"),
                &format!("error: {file} is not a valid definition"),
            ],
        );
        assert!(
            ran.stdout
                .contains("s1[\"Nowhere<br/><small>no such state</small>\"]:::missing")
        );
    }
    for (format, part) in [
        ("dot", "no such state"),
        ("svg", "class=\"state unknown missing\""),
    ] {
        let ran = folder.asl(&["graph", "broken.asl.json", "--format", format]);
        assert!(ran.code == Some(2) && ran.stdout.contains(part), "{ran:?}");
    }
    let ran = folder.asl(&["graph", "broken.asl.json", "--history", "events.json"]);
    ran.told(
        2,
        &["warning: the definition is refused, so the way of the history is not drawn"],
    );
    assert!(ran.stdout.starts_with("flowchart TD\n"));
}

#[test]
fn what_cannot_be_read_is_not_drawn() {
    let folder = Folder::new();
    folder
        .write("broken.asl.json", "{\"States\": ")
        .write("nothing.asl.json", "{}");
    for file in ["broken.asl.json", "nothing.asl.json"] {
        let ran = folder.asl(&["graph", file]);
        ran.told(2, &["is not a valid definition"]);
        assert_eq!(ran.stdout, "");
    }
}
