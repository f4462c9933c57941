//! Wrong use: a clear message, and the right exit code.
mod common;

use common::{Folder, PASS, task};

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = Folder::new();
    folder
        .write("hello.asl.json", PASS)
        .write("latin.json", b"{\"a\":\n\"\xE9\"}");
    std::fs::create_dir(folder.path("nothing")).unwrap();
    let refused = |arguments: &[&str], texts: &[&str]| {
        let ran = folder.asl(arguments);
        ran.exits_with(2, texts);
        assert_eq!(ran.stdout, "");
    };
    refused(
        &["run", "helo.asl.json"],
        &["error: cannot read helo.asl.json: no such file; did you mean `hello.asl.json`?"],
    );
    refused(
        &["validate", "none.json"],
        &["cannot read none.json: no such file"],
    );
    refused(&["validate", "nothing"], &["no state machine in nothing"]);
    refused(&["graph", "nothing"], &["no state machine in nothing"]);
    refused(
        &["run", "hello.asl.json", "-i", "@none.json"],
        &["cannot read none.json"],
    );
    refused(
        &["run", "hello.asl.json", "--mocks", "none.json"],
        &["cannot read none.json"],
    );
    refused(
        &["run", "latin.json"],
        &["latin.json is not UTF-8: invalid byte at offset 7 (line 2)"],
    );
}

#[test]
fn malformed_json_is_shown_where_it_breaks() {
    let folder = Folder::new();
    folder
        .write("pass.json", PASS)
        .write("broken.json", "{\n  \"a\": tru\n}");
    let ran = folder.asl(&["run", "pass.json", "-i", "@broken.json"]);
    ran.exits_with(
        2,
        &[
            "broken.json is not JSON: ",
            "--> broken.json:2:",
            "2 |   \"a\": tru",
            "^",
        ],
    );
    folder
        .asl(&["run", "pass.json", "-i", "{nope"])
        .exits_with(2, &["--input is not JSON: "]);
    let ran = folder.asl(&["run", "broken.json"]);
    ran.exits_with(
        2,
        &[
            "error[unreadable-text]",
            "--> broken.json:2:",
            "broken.json is not a valid definition",
        ],
    );
}

#[test]
fn an_invalid_definition_is_not_run() {
    let folder = Folder::new();
    folder.write("bad.json", PASS.replace("\"End\": true", "\"Next\": \"B\""));
    let ran = folder.asl(&["run", "bad.json"]);
    ran.exits_with(
        2,
        &[
            "error[unknown-target]",
            "--> bad.json:1:",
            "bad.json is not a valid definition",
        ],
    );
    assert_eq!(ran.stdout, "");
}

#[test]
fn a_large_input_is_read() {
    let folder = Folder::new();
    let item = format!("\"{}\",", "x".repeat(98));
    folder
        .write("pass.json", PASS)
        .write("large.json", format!("[{}1]", item.repeat(500_000)));
    let run = ["run", "pass.json", "-i", "@large.json"];
    // The service's limit on data.
    folder
        .asl(&run)
        .exits_with(1, &["States.DataLimitExceeded"]);
    let ran = folder.asl(&[&run[..], &["--profile", "spec"]].concat());
    ran.exits_with(0, &[]);
    assert!(ran.stdout.len() > 50_000_000);
}

#[test]
fn input_that_is_nested_too_deeply_is_refused() {
    let folder = Folder::new();
    folder
        .write("pass.json", PASS)
        .write("deep.json", "[".repeat(100_000));
    folder
        .asl(&["run", "pass.json", "-i", "@deep.json"])
        .exits_with(2, &["deep.json is not JSON: "]);
    folder.asl(&["validate", "deep.json"]).exits_with(2, &[]);
    folder
        .asl(&["eval", "$", "-i", "@deep.json"])
        .exits_with(2, &["deep.json is not JSON: "]);
}

#[test]
fn unknown_names_of_mocks_list_the_known() {
    let folder = Folder::new();
    let mocks = r#"{"StateMachines": {"Machine": {"TestCases": {"HappyPath": {}, "SadPath": {}}}}, "MockedResponses": {}}"#;
    folder
        .write("task.json", task(""))
        .write("mocks.json", mocks)
        .write("bad.json", "{\"StateMachines\": 7}");
    let run = |arguments: &[&str]| {
        folder.asl(&[&["run", "task.json", "--mocks"][..], arguments].concat())
    };
    run(&["mocks.json", "--test-case", "HapyPath"]).exits_with(
        2,
        &[
            "no test case `HapyPath`",
            "did you mean `HappyPath`?",
            "`SadPath`",
        ],
    );
    run(&[
        "mocks.json",
        "--test-case",
        "SadPath",
        "--state-machine",
        "Other",
    ])
    .exits_with(2, &["no state machine `Other`", "`Machine`"]);
    run(&["mocks.json", "--state-machine", "Machin"])
        .exits_with(2, &["no state machine `Machin`", "did you mean `Machine`?"]);
    run(&["bad.json", "--test-case", "x"]).exits_with(2, &["bad.json: expected"]);
    folder
        .asl(&["run", "task.json", "--test-case", "x"])
        .exits_with(2, &["--mocks"]);
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    let folder = Folder::new();
    folder.write("pass.json", PASS);
    let refused = |arguments: &[&str], text: &str| {
        folder
            .asl(&[&["run", "pass.json"][..], arguments].concat())
            .exits_with(2, &[text]);
    };
    refused(
        &["--now", "yesterday"],
        "--now \"yesterday\" is not a timestamp: expected RFC 3339",
    );
    refused(
        &["--seed", "x"],
        "for '--seed <N>': expected a whole number from 0",
    );
    refused(
        &["--max-transitions", "-1"],
        "expected a whole number from 1",
    );
    refused(
        &["--max-transitions", "0"],
        "expected a whole number from 1",
    );
    refused(&["--name", ""], "a value is required for '--name <NAME>'");
    refused(&["--input", ""], "error: --input is empty: expected JSON\n");
    refused(
        &["--input", "@"],
        "--input @ has no file name: expected @FILE",
    );
    refused(&["--task", "work=http://"], "http:// has no host");
    refused(&["--clock", "sun"], "possible values: real, virtual");
    refused(&["--type", "fast"], "possible values: standard, express");
    folder
        .asl(&["rum"])
        .exits_with(2, &["unrecognized subcommand 'rum'"]);
    folder.asl(&[]).exits_with(2, &["Usage: asl"]);
}

#[test]
fn stdin_is_read_once() {
    let folder = Folder::new();
    folder.write("pass.json", PASS);
    let refused = |arguments: &[&str], text: &str| {
        folder.asl(arguments).exits_with(2, &[text]);
    };
    refused(
        &["run", "-", "-i", "-"],
        "stdin cannot be both the definition and the input: give one as a file",
    );
    refused(
        &["run", "pass.json", "-i", "-", "--mocks", "-"],
        "both the input and the mocks",
    );
    refused(
        &["eval", "$", "-i", "-", "--context", "-"],
        "both the input and the context",
    );
    refused(
        &["graph", "-", "--history", "-"],
        "both the definition and the history",
    );
    refused(&["validate", "-", "-"], "stdin is given twice");
}

#[test]
fn validate_goes_on_after_a_file_that_cannot_be_read() {
    let folder = Folder::new();
    folder
        .write("pass.json", PASS)
        .write("empty.json", "")
        .write("notes/notes.json", "{}");
    let ran = folder.asl(&["validate", "none.json", "notes", "empty.json", "pass.json"]);
    ran.reported(
        2,
        &[
            "cannot read none.json: no such file\n",
            "no state machine in notes: ",
            "the definition is empty\n --> empty.json\n",
            "1 error in 2 files; 2 files not read\n",
        ],
    );
    let ran = folder.asl(&["validate", "none.json", "pass.json", "--format", "json"]);
    ran.reported(2, &["cannot read none.json"]);
    assert_eq!(ran.json()[0]["result"], "OK");
}

#[test]
fn a_history_that_cannot_be_written_is_refused_before_the_run() {
    let folder = Folder::new();
    folder.write("pass.json", PASS);
    let refused = |history: &str, text: &str| {
        let ran = folder.asl(&["run", "pass.json", "--history", history]);
        ran.exits_with(2, &[text]);
        assert_eq!(ran.stdout, "");
    };
    refused(
        "none/history.json",
        "cannot write none/history.json: no such directory: none",
    );
    refused(".", "cannot write .: it is a directory, not a file");
}

#[test]
fn errors_show_no_insides() {
    let folder = Folder::new();
    folder.write("pass.json", PASS).write("broken.json", "{");
    for arguments in [
        &["run", "none.json"][..],
        &["run", "broken.json"],
        &["run", "pass.json", "-i", "["],
        &["eval", "$["],
    ] {
        let ran = folder.asl(arguments);
        for inside in ["Error {", "Os {", "Some(", "Err(", "panicked"] {
            assert!(!ran.stderr.contains(inside), "{ran:?}");
        }
    }
}

#[test]
fn of_two_byte_order_marks_one_is_too_many() {
    let folder = Folder::new();
    folder
        .write("one.json", format!("\u{feff}{PASS}"))
        .write("two.json", format!("\u{feff}\u{feff}{PASS}"));
    folder.asl(&["validate", "one.json"]).exits_with(0, &[]);
    let why = "two.json starts with two byte order marks";
    folder.asl(&["validate", "two.json"]).exits_with(2, &[why]);
    folder
        .asl(&["eval", "$", "-i", "@two.json"])
        .exits_with(2, &[why]);
}

#[test]
fn a_definition_is_read_up_to_a_limit() {
    let folder = Folder::new();
    folder.write("long.json", " ".repeat(17 << 20));
    let limit = "long.json is larger than the limit of 16 MiB";
    folder
        .asl(&["validate", "long.json"])
        .exits_with(2, &[limit]);
    folder.asl(&["run", "long.json"]).exits_with(2, &[limit]);
}

/// Behind the fault nothing is read: it takes neither time nor memory.
#[cfg(target_os = "linux")]
#[test]
fn a_text_that_nests_too_deep_is_not_read_on() {
    let folder = Folder::new();
    for (name, part, limit) in [
        (
            "a.json",
            "{\"a\":",
            "nested deeper than the limit of 1000 levels",
        ),
        ("a.yaml", "[", "recursion limit exceeded"),
        (
            "b.yaml",
            "- ",
            "nested deeper than the limit of 1000 levels",
        ),
    ] {
        folder.write(name, part.repeat(1_000_000));
        let limited = format!(
            "ulimit -v 300000; exec {} validate {name}",
            env!("CARGO_BIN_EXE_asl")
        );
        let mut command = std::process::Command::new("sh");
        command.args(["-c", &limited]).current_dir(folder.path(""));
        let ran = common::ran(command.output().unwrap());
        ran.reported(2, &[limit]);
    }
}

#[cfg(all(feature = "serve", not(feature = "restate")))]
#[test]
fn an_engine_that_this_build_lacks_is_named() {
    let folder = Folder::new();
    folder.asl(&["serve", "--engine", "restate"]).exits_with(
        2,
        &["this build of asl has no engine 'restate': build it with `cargo install --path asl-cli --features restate`"],
    );
}
