//! The reference implementation, in a process of Node.js.
use crate::measure::Budget;
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Seconds of one evaluation, as medians.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Seconds {
    pub(super) evaluate: f64,
    /// With `JSON.parse` of the document before.
    pub(super) parse_and_evaluate: f64,
}

/// The response of the process.
#[derive(Debug, Deserialize)]
pub(super) struct Answer {
    pub(super) result: Option<Value>,
    pub(super) seconds: Seconds,
}

/// Returns the folder of the npm package `jsonata`, as Node.js can import it.
pub(super) fn module(path: &Path) -> Result<PathBuf, String> {
    let main = path.join("jsonata.js");
    if main.is_file() {
        return main.canonicalize().map_err(|error| error.to_string());
    }
    Err(format!(
        "{} is not the npm package jsonata: install it with npm install jsonata@2.0.6 and name node_modules/jsonata",
        path.display()
    ))
}

/// Evaluates again and again.
pub(super) fn measure(
    module: &Path,
    expression: &str,
    input: &Value,
    budget: Budget,
) -> Result<Answer, String> {
    let request = json!({"module": module, "expression": expression, "text": input.to_string(),
        "seconds": budget.0.as_secs_f64()});
    let fault = |error: std::io::Error| format!("node: {error}");
    let mut child = Command::new("node")
        .args(["--input-type=module", "--eval", include_str!("node.mjs")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(fault)?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin
            .write_all(request.to_string().as_bytes())
            .map_err(fault)?;
    }
    let output = child.wait_with_output().map_err(fault)?;
    serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("node answered to {expression}: {error}"))
}
