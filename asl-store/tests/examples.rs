//! The example, killed and run again.
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The example as a process of its own, which `cargo test` has built; with `--test examples` alone, it is built here.
fn command(folder: &str) -> Command {
    let tests = std::env::current_exe().expect("a test has a path");
    let profile = tests
        .ancestors()
        .nth(2)
        .expect("it is in target/PROFILE/deps");
    let program = profile.join("examples/durable");
    if !program.exists() {
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--offline", "--example", "durable"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status();
        assert!(built.expect("cargo runs").success());
    }
    let mut command = Command::new(program);
    command.arg(folder);
    command
}

#[test]
fn an_execution_continues_after_a_kill() {
    let folder = format!(
        "{}/durable-{}",
        env!("CARGO_TARGET_TMPDIR"),
        std::process::id()
    );
    let mut killed = command(&folder).stdout(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    let output = killed.stdout.take().unwrap();
    BufReader::new(output).read_line(&mut first).unwrap();
    assert!(first.starts_with("charge-card with "), "{first}");
    // Its result is kept by then, and the execution waits.
    std::thread::sleep(Duration::from_millis(700));
    killed.kill().unwrap();
    killed.wait().unwrap();

    let output = command(&folder).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}{errors}");
    assert!(lines[0].starts_with("ship-parcel with "), "{text}");
    assert_eq!(lines[1], r#"{"done":"ship-parcel"}"#);
    std::fs::remove_dir_all(folder).unwrap();
}
