//! The examples, run as processes of their own.
#![cfg(feature = "runtime")]

use std::path::PathBuf;
use std::process::{Command, Output};

/// Runs an example in this crate's folder.
fn run(example: &str, argument: &str) -> Output {
    run_with(example, &[argument])
}

fn run_with(example: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--offline", "--example", example, "--"])
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs")
}

fn stdout(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A file of this process that is not there yet.
fn file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    folder.join(format!("{}-{name}", std::process::id()))
}

#[test]
fn a_definition_from_a_file_runs() {
    let output = run("two_closures", "examples/greeting.asl.json");
    assert_eq!(stdout(&output), "[42,\"hello \\\"you\\\"\"]\n");
}

#[test]
fn the_faults_of_a_definition_can_be_read_where_they_leave_main() {
    let faulty = file("faulty.asl.json");
    let definition = r#"{
  "StartAt": "A",
  "States": {
    "A": {"Type": "Task", "Resource": "Double", "Next": "Nowhere"},
    "B": {"Type": "Task", "Resource": "Greet", "timeoutSeconds": 5, "End": true}
  }
}"#;
    std::fs::write(&faulty, definition).unwrap();
    let output = run("two_closures", &faulty.to_string_lossy());
    std::fs::remove_file(faulty).unwrap();
    assert!(!output.status.success());
    let errors = String::from_utf8(output.stderr).unwrap();
    let lines: Vec<&str> = errors.lines().collect();
    assert_eq!(lines[0], "Error: the definition is not valid");
    let missing = "  line 4, column 57: error: Missing 'Next' target: Nowhere (at /States/A/Next)";
    assert!(lines.contains(&missing), "{errors}");
    assert!(
        lines.contains(&"    hint: did you mean `TimeoutSeconds`?"),
        "{errors}"
    );
}

#[test]
fn an_order_goes_on_in_another_process() {
    let save = file("order.save.json");
    let path = save.to_string_lossy();
    let begun = run("order", &path);
    let ended = run("order", &path);
    std::fs::remove_file(&save).unwrap();
    assert_eq!(
        stdout(&begun),
        "charging, attempt 1\ncharging, attempt 2\nsaved\n"
    );
    assert_eq!(
        stdout(&ended),
        "shipping\n{\"shipped\":\"order-7\",\"receipt\":{\"charged\":21}}\n"
    );
}

#[test]
fn a_host_that_crashes_again_and_again_repeats_tasks_with_their_keys() {
    let save = file("host.save.json");
    let path = save.to_string_lossy().into_owned();
    let mut performed = Vec::new();
    // Each run does one thing that is kept, and one that is not.
    for _ in 0..20 {
        let output = run_with("host", &[&path, "--crash-before", "2"]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let tasks = text.lines().filter(|line| line.contains(" with "));
        performed.extend(tasks.map(str::to_owned));
        if output.status.success() {
            let outcome = r#"[{"done":"ship-parcel"},{"done":"send-mail"}]"#;
            assert_eq!(text.lines().last(), Some(outcome));
            std::fs::remove_file(&save).unwrap();
            assert!(performed.len() > 3, "{performed:?}");
            performed.sort();
            performed.dedup();
            let names: Vec<&str> = performed
                .iter()
                .filter_map(|it| it.split(' ').next())
                .collect();
            assert_eq!(names, ["charge-card", "send-mail", "ship-parcel"]);
            return;
        }
        assert_eq!(
            output.status.code(),
            Some(3),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    panic!("the execution does not end");
}
