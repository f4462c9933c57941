//! Runs asl-intrinsics in WebAssembly.
use asl_intrinsics::{Intrinsic, random::SplitMix64};
use asl_path::Roots;
use serde_json::{Value, json};
use std::error::Error;

struct Documents(Value);

impl Roots for Documents {
    fn input(&self) -> &Value {
        &self.0
    }

    fn context(&self) -> &Value {
        &Value::Null
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let documents = Documents(json!({"done": 2, "items": [1, 2, 3]}));
    let mut random = SplitMix64::new(1);
    for (call, result) in [
        (
            "States.Format('{} of {}', $.done, States.ArrayLength($.items))",
            json!("2 of 3"),
        ),
        (
            "States.Hash('a', 'SHA-1')",
            json!("86f7e437faa5a7fce15d1ddcb9eaeaea377667b8"),
        ),
        ("States.Base64Encode('abc')", json!("YWJj")),
    ] {
        assert_eq!(
            Intrinsic::parse(call)?.evaluate(&documents, &mut random)?,
            result
        );
    }
    for depth in [10, 100, 100_000] {
        let _ = Intrinsic::parse(&("States.Array(".repeat(depth) + &")".repeat(depth)));
    }
    Ok(())
}
