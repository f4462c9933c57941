//! `asl graph`.
mod common;

use common::{Folder, PASS};

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
        ran.exits_with(
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
    ran.exits_with(
        2,
        &["warning: the definition is invalid, so the path of the history is not drawn"],
    );
    assert!(ran.stdout.starts_with("flowchart TD\n"));
}

#[test]
fn a_page_holds_the_picture_and_what_states_say() {
    let folder = Folder::new();
    folder
        .write(
            "a.asl.yaml",
            "StartAt: A\nStates:\n  A: {Type: Succeed, Comment: the end}\n",
        )
        .write("broken.asl.json", BROKEN);
    let ran = folder.asl(&["graph", "a.asl.yaml", "--format", "html"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    for part in [
        "<!doctype html>",
        "<title>a.asl.yaml</title>",
        "data-state=\"0\"",
        "\"comment\":\"the end\"",
    ] {
        assert!(ran.stdout.contains(part), "no {part} in {}", ran.stdout);
    }
    folder
        .asl(&["run", "a.asl.yaml", "--history", "events.json"])
        .exits_with(0, &[]);
    let ran = folder.asl(&[
        "graph",
        "a.asl.yaml",
        "--format",
        "html",
        "--history",
        "events.json",
    ]);
    assert!(
        ran.stdout.contains("\"visit\":\"passed\""),
        "{}",
        ran.stdout
    );
    let ran = folder.asl(&["graph", "broken.asl.json", "--format", "html"]);
    ran.exits_with(2, &["Missing 'Next' target: Nowhere"]);
    assert!(ran.stdout.contains("\"mark\":\"missing\""));
}

#[cfg(not(feature = "png"))]
#[test]
fn pixels_are_drawn_by_a_program_that_was_built_so() {
    let folder = Folder::new();
    folder.write("a.asl.json", PASS);
    let ran = folder.asl(&["graph", "a.asl.json", "--format", "png"]);
    ran.exits_with(2, &["error: this build has no PNG support: install one with 'cargo install --path asl-cli --features png'"]);
    assert_eq!(ran.stdout, "");
}

#[cfg(feature = "png")]
#[test]
fn pixels_are_written_to_stdout() {
    let folder = Folder::new();
    folder
        .write("a.asl.json", PASS)
        .write("broken.asl.json", BROKEN);
    for (file, code) in [("a.asl.json", 0), ("broken.asl.json", 2)] {
        let output = folder
            .command(&["graph", file, "--format", "png"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(code));
        assert!(output.stdout.starts_with(b"\x89PNG\r\n\x1a\n"));
    }
}

#[test]
fn what_cannot_be_read_is_not_drawn() {
    let folder = Folder::new();
    folder
        .write("broken.asl.json", "{\"States\": ")
        .write("nothing.asl.json", "{}");
    for file in ["broken.asl.json", "nothing.asl.json"] {
        let ran = folder.asl(&["graph", file]);
        ran.exits_with(2, &["is not a valid definition"]);
        assert_eq!(ran.stdout, "");
    }
}
