//! Runs asl-graph in WebAssembly.
use asl_graph::{dot, mermaid, svg};
use asl_model::{Options, parse};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Parallel", "Next": "B", "Branches": [
        {"StartAt": "C", "States": {"C": {"Type": "Pass", "End": true}}}]}, "B": {"Type": "Succeed"}}}"#;
    let (machine, _) = parse(text, Options::default())?;
    assert!(mermaid(&machine, None).starts_with("flowchart TD"));
    assert!(dot(&machine, None).starts_with("digraph {"));
    assert!(svg(&machine, None).contains("<svg"));
    Ok(())
}
