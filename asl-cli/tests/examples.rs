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
        shell(command).told(0, &[]);
        count += 1;
    }
    assert!(count >= 8, "{count} commands");
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
    ran.told(
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
    ran.told(0, &["Busy: try again", "retry 1, 5 s skipped"]);
    assert_eq!(ran.json()["receipt"], "R-18");
    checkout("Declined").told(
        1,
        &[
            "$reason := \"the card is expired\"",
            "FAILED CardDeclined: Ada did not pay 130: the card is expired",
        ],
    );
}
