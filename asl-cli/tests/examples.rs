//! The examples run as their README says.
#![cfg(unix)]
mod common;

use common::{Ran, ran};
use serde_json::json;
use std::path::Path;
use std::process::Command;

/// Runs a command of a shell in the repository's root.
fn shell(command: &str) -> Ran {
    let binaries = Path::new(env!("CARGO_BIN_EXE_asl")).parent().unwrap();
    let path = format!("{}:{}", binaries.display(), std::env::var("PATH").unwrap());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(root)
        .env("PATH", path)
        .output();
    ran(output.unwrap())
}

#[test]
fn every_command_of_the_readme_succeeds() {
    let readme = include_str!("../../examples/README.md").replace("\\\n", " ");
    let blocks = readme.split("```sh\n").skip(1);
    let blocks = blocks.map(|rest| rest.split("```").next().unwrap());
    let mut count = 0;
    for command in blocks.flat_map(str::lines) {
        let needs_python = command.contains("python3");
        if needs_python && shell("command -v python3").code != Some(0) {
            continue;
        }
        shell(command).exits_with(0, &[]);
        count += 1;
    }
    assert!(count >= 8, "{count} commands");
}

#[test]
fn what_the_orders_explain_is_as_the_readme_shows() {
    let readme = include_str!("../../examples/README.md").replace("\\\n", " ");
    let (before, rest) = readme.split_once("```text\n").unwrap();
    let command = before.rsplit("```sh\n").next().unwrap();
    let shown = rest.split("```").next().unwrap();
    let explained = shell(command.split("```").next().unwrap());
    explained.exits_with(0, &[shown]);
}

fn checkout(test_case: &str) -> Ran {
    shell(&format!(
        "asl run examples/checkout/checkout.asl.yaml -i @examples/checkout/cart.json --trace \
         --mocks examples/checkout/MockConfigFile.json --test-case {test_case}"
    ))
}

#[test]
fn the_checkout_keeps_in_variables_what_several_states_need() {
    let ran = checkout("Paid");
    ran.exits_with(
        0,
        &[
            "$subtotal := 130",
            "$discount := 0.1",
            "$receipt := \"R-17\"",
        ],
    );
    assert_eq!(ran.json()["paid"].as_f64(), Some(117.0));
    assert_eq!(
        ran.json()["parcels"],
        json!([
            {"sku": "book", "parcel": "R-17-2", "arrives": "Monday"},
            {"sku": "lamp", "parcel": "R-17-1", "arrives": "Thursday"}])
    );
    let ran = checkout("BusyAtFirst");
    ran.exits_with(0, &["Busy: try again", "retry 1, 5 s skipped"]);
    assert_eq!(ran.json()["receipt"], "R-18");
    checkout("Declined").exits_with(
        1,
        &[
            "$reason := \"the card is expired\"",
            "FAILED CardDeclined: Ada did not pay 130: the card is expired",
        ],
    );
}

/// Returns the commands of a file, each with the output that follows it.
fn transcripts(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let blocks = text.split("```console\n$ ").skip(1);
    blocks.map(|rest| rest.split("```").next().unwrap().split_once('\n').unwrap())
}

/// The tests of all examples pass and reach all of them, and the READMEs show what is printed.
#[test]
fn the_tests_of_the_examples_print_what_the_readmes_show() {
    let readmes = [
        include_str!("../../README.md"),
        include_str!("../../examples/README.md"),
    ];
    // It took another time.
    let without_time = |text: &str| -> Vec<String> {
        let lines = text
            .lines()
            .map(|line| line.split(" passed in ").next().unwrap().to_owned());
        lines.collect()
    };
    let mut count = 0;
    for (command, expected) in readmes.into_iter().flat_map(transcripts) {
        let ran = shell(command);
        ran.reported(0, &[]);
        assert_eq!(
            without_time(&ran.stdout),
            without_time(expected),
            "{command}"
        );
        count += 1;
    }
    assert!(count >= 2, "{count} transcripts");
}

/// The piece of a test file that the README shows.
#[test]
fn the_readme_shows_a_case_of_an_example() {
    let (_, rest) = include_str!("../../README.md")
        .split_once("```yaml\n")
        .unwrap();
    let case = rest.split("```").next().unwrap();
    assert!(include_str!("../../examples/import/import.test.yaml").contains(case));
}
