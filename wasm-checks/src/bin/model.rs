//! Runs asl-model in WebAssembly.
use asl_model::build::json_path::{ParallelState, PassState, StateMachineBuilder, States};
use asl_model::{Options, parse};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let (machine, warnings) = parse(
        "StartAt: A\nStates:\n  A: {Type: Wait, Seconds: 5, End: true}\n",
        Options::default(),
    )?;
    assert_eq!(
        (
            machine.to_json()["States"]["A"]["Seconds"].as_u64(),
            warnings.len()
        ),
        (Some(5), 0)
    );
    let faults = parse(
        r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "B"}}}"#,
        Options::default(),
    );
    assert!(faults.is_err());

    for depth in [10, 99, 1_000] {
        let mut states = States::start_at("A0").state("A0", PassState::new().end());
        for level in 1..depth {
            let name = format!("A{level}");
            states =
                States::start_at(&name).state(&name, ParallelState::new().branch(states).end());
        }
        let _ = StateMachineBuilder::from(states).build(Options::default().with_max_depth(1_000));
    }
    for text in [
        "[".repeat(100_000),
        "{\"a\":".repeat(100_000),
        "- ".repeat(10_000),
    ] {
        assert!(parse(&text, Options::default()).is_err());
    }
    Ok(())
}
