//! The guide to one workflow in a service, run as a program.
#![cfg(feature = "runtime")]
use std::process::Command;

/// Returns the example as a program, which `cargo test` has built; with `--test examples` alone, it is built here.
fn service() -> Command {
    let tests = std::env::current_exe().expect("a test has a path");
    let profile = tests.ancestors().nth(2);
    let program = profile
        .expect("it is in target/PROFILE/deps")
        .join("examples/service");
    if !program.exists() {
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--offline", "--example", "service"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status();
        assert!(built.expect("cargo runs").success());
    }
    Command::new(program)
}

#[test]
fn the_service_takes_and_refuses_orders_and_ends() {
    let output = service().output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "Invoice: 2100 cents for order-1");
    assert!(
        lines[1].starts_with("the order is not taken: ") && lines[1].contains("Declined"),
        "{text}"
    );
    assert_eq!(lines[2], "the third client is gone: true");
    assert_eq!(lines.len(), 3, "{text}");
}
