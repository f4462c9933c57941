//! `asl fmt` and `asl convert`.
mod common;

use common::{Folder, PASS};

const MESSY: &str = r#"{"StartAt": "A", "States": {"A": {"End": true, "Type": "Pass", "Result": [1.0, "\u00e9", ${X}]}}}"#;
const NEAT: &str = r#"{
  "StartAt": "A",
  "States": {
    "A": {
      "Type": "Pass",
      "Result": [1.0, "\u00e9", ${X}],
      "End": true
    }
  }
}
"#;
const TEMPLATE: &str = "Transform: AWS::Serverless-2016-10-31\nResources: {}\n";

#[test]
fn files_are_formatted_in_place() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("flows")).unwrap();
    folder
        .write("flows/a.asl.json", MESSY)
        .write("flows/b.asl.json", NEAT)
        .write(
            "flows/c.asl.yaml",
            "States:\n  # Why.\n  A:\n    End: true\n    Type: Pass\nStartAt: A\n",
        )
        .write("flows/package.json", "{\"b\":1}");
    let ran = folder.asl(&["fmt", "flows"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
    assert_eq!(ran.stderr, "2 files formatted, 1 file in order\n");
    assert_eq!(folder.read("flows/a.asl.json"), NEAT);
    assert_eq!(
        folder.read("flows/c.asl.yaml"),
        "StartAt: A\nStates:\n  # Why.\n  A:\n    Type: Pass\n    End: true\n"
    );
    assert_eq!(folder.read("flows/package.json"), "{\"b\":1}");
    let names = std::fs::read_dir(folder.path("flows")).unwrap().count();
    assert_eq!(names, 4, "nothing is left beside them");
    let again = folder.asl(&["fmt", "flows/*.asl.*"]);
    assert_eq!(again.stderr, "0 files formatted, 3 files in order\n");
}

#[test]
fn a_check_changes_nothing_and_names_what_would_change() {
    let folder = Folder::new();
    folder.write("a.asl.json", MESSY).write("b.asl.json", NEAT);
    let ran = folder.asl(&["fmt", "--check", "a.asl.json", "b.asl.json"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), "a.asl.json\n"));
    assert_eq!(ran.stderr, "1 file to format, 1 file in order\n");
    assert_eq!(folder.read("a.asl.json"), MESSY);
    folder
        .asl(&["fmt", "--check", "b.asl.json"])
        .exits_with(0, &[]);
}

#[test]
fn a_difference_can_be_shown() {
    let folder = Folder::new();
    folder.write(
        "a.asl.json",
        NEAT.replace("\"Type\": \"Pass\",\n      ", "")
            .replace("true", "true, \"Type\": \"Pass\""),
    );
    let ran = folder.asl(&["fmt", "--diff", "a.asl.json"]);
    let expected = r#"--- a.asl.json
+++ a.asl.json (formatted)
@@ -2,8 +2,9 @@
   "StartAt": "A",
   "States": {
     "A": {
+      "Type": "Pass",
       "Result": [1.0, "\u00e9", ${X}],
-      "End": true, "Type": "Pass"
+      "End": true
     }
   }
 }
"#;
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), expected));
}

#[test]
fn stdin_is_written_to_stdout() {
    let folder = Folder::new();
    for (text, formatted) in [
        (MESSY, NEAT),
        (NEAT, NEAT),
        (TEMPLATE, TEMPLATE),
        ("{\"a\":1}", "{\"a\":1}"),
        (
            "\u{feff}{\r\n\"StartAt\":\"A\"}",
            "\u{feff}{\r\n  \"StartAt\": \"A\"\r\n}\r\n",
        ),
    ] {
        let ran = folder.asl_with_stdin(&["fmt", "-"], text);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), formatted));
    }
    let wide = folder.asl_with_stdin(&["fmt", "-", "--indent", "4", "--width", "10"], MESSY);
    assert!(
        wide.stdout
            .contains("\n            \"Result\": [\n                1.0,\n"),
        "{}",
        wide.stdout
    );
    let ran = folder.asl_with_stdin(&["fmt", "-"], "{\"StartAt\": }");
    ran.exits_with(
        2,
        &[
            "expected a value, found '}' at line 1 column 13",
            "--> stdin:1:13",
        ],
    );
    assert_eq!(ran.stdout, "");
}

#[test]
fn what_is_not_formatted_stays_and_is_told() {
    let folder = Folder::new();
    let twice = "StartAt: A\nStates:\n  A: {Type: Succeed}\n  A: {Type: Succeed}\n";
    let kept = "# Why.\nStates: {}\nStartAt: A\n";
    let braces = "{StartAt: A, States: {A: {Type: Succeed}}}\n";
    for (name, text, code, told) in [
        (
            "template.yaml",
            TEMPLATE,
            0,
            "template.yaml is unchanged: it is a SAM template\n0 files formatted, 1 file skipped",
        ),
        (
            "package.json",
            "{}",
            0,
            "package.json is unchanged: it has neither 'StartAt' nor 'States'",
        ),
        (
            "a.asl.yaml",
            braces,
            0,
            "a.asl.yaml is unchanged: it cannot be read as JSON: expected a field name in double quotes",
        ),
        (
            "b.asl.yaml",
            kept,
            0,
            "b.asl.yaml: the order of these fields is unchanged: the fields of the state machine: a comment above the first field would move above another field\n",
        ),
        (
            "c.asl.yaml",
            twice,
            2,
            "error: the field 'A' occurs twice in its object: remove one\n --> c.asl.yaml:4:3\n",
        ),
        (
            "d.asl.json",
            "{\"StartAt\": \"A\",}",
            2,
            "an extra comma at line 1 column 16\n --> d.asl.json:1:16\n",
        ),
        ("e.asl.yaml", "a: [", 2, "--> e.asl.yaml:"),
    ] {
        folder.write(name, text);
        folder.asl(&["fmt", name]).exits_with(code, &[told]);
        assert_eq!(folder.read(name), text);
    }
    folder
        .asl(&["fmt", "none.json"])
        .exits_with(2, &["cannot read none.json: no such file"]);
    folder
        .asl(&["fmt", "-", "-"])
        .exits_with(2, &["stdin is given twice"]);
    std::fs::create_dir(folder.path("empty")).unwrap();
    folder
        .asl(&["fmt", "empty"])
        .exits_with(2, &["no definition in empty"]);
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = Folder::new();
    folder.write("a.asl.json", MESSY).write("b.asl.json", MESSY);
    let set = |name: &str, mode| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(folder.path(name), permissions).unwrap();
    };
    set("a.asl.json", 0o640);
    symlink("a.asl.json", folder.path("link.asl.json")).unwrap();
    folder
        .asl(&["fmt", "link.asl.json"])
        .exits_with(0, &["1 file formatted"]);
    assert_eq!(folder.read("a.asl.json"), NEAT);
    let metadata = |name| std::fs::symlink_metadata(folder.path(name)).unwrap();
    assert!(metadata("link.asl.json").is_symlink());
    assert_eq!(metadata("a.asl.json").permissions().mode() & 0o777, 0o640);
    set("b.asl.json", 0o444);
    folder
        .asl(&["fmt", "b.asl.json"])
        .exits_with(2, &["cannot write b.asl.json: it is read-only"]);
    assert_eq!(folder.read("b.asl.json"), MESSY);
}

#[test]
fn definitions_are_converted() {
    let folder = Folder::new();
    folder.write("a.asl.json", PASS);
    let yaml = "StartAt: A\nStates:\n  A:\n    Type: Pass\n    End: true\n";
    let ran = folder.asl(&["convert", "a.asl.json"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
        (Some(0), yaml, "")
    );
    folder.write(
        "b.asl.yaml",
        format!("# Why.\n{yaml}    Comment: !Sub 'x ${{Y}}' # How.\n"),
    );
    let ran = folder.asl(&["convert", "b.asl.yaml", "-o", "b.asl.json"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
    assert_eq!(
        ran.stderr,
        "warning: 2 comments are lost: JSON has none\nwarning: 1 tag is lost: in JSON they become text with placeholders\n"
    );
    assert_eq!(
        folder.read("b.asl.json"),
        "{\n  \"StartAt\": \"A\",\n  \"States\": {\n    \"A\": {\n      \"Type\": \"Pass\",\n      \"End\": true,\n      \"Comment\": \"x ${Y}\"\n    }\n  }\n}\n"
    );
}

#[test]
fn what_cannot_be_converted_is_told() {
    let folder = Folder::new();
    folder
        .write("a.asl.json", PASS)
        .write("b.asl.json", "kept")
        .write("t.yaml", TEMPLATE)
        .write("twice.asl.json", "{\"a\":\n{\"b\": 1, \"b\": 2}}")
        .write("broken.asl.json", "{\"a\": 1,}");
    let refused = |arguments: &[&str], texts: &[&str]| {
        let ran = folder.asl(arguments);
        ran.exits_with(2, texts);
        assert_eq!(ran.stdout, "");
    };
    refused(
        &["convert", "a.asl.json", "--to", "json"],
        &["error: a.asl.json is already JSON: use asl fmt to format it"],
    );
    refused(
        &["convert", "a.asl.json", "-o", "b.asl.json"],
        &["error: b.asl.json already exists: use --force to overwrite it"],
    );
    assert_eq!(folder.read("b.asl.json"), "kept");
    folder
        .asl(&["convert", "a.asl.json", "-o", "b.asl.json", "--force"])
        .exits_with(0, &[]);
    assert!(folder.read("b.asl.json").starts_with("StartAt: A\n"));
    refused(
        &["convert", "t.yaml"],
        &["error: t.yaml is a SAM template: expected a plain definition"],
    );
    refused(
        &["convert", "twice.asl.json"],
        &[
            "the field 'b' occurs twice in its object",
            "--> twice.asl.json:2:10",
        ],
    );
    refused(
        &["convert", "broken.asl.json"],
        &["an extra comma", "error: broken.asl.json cannot be read"],
    );
}
