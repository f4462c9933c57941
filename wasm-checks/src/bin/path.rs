//! Runs asl-path in WebAssembly.
use asl_path::{JsonPath, ReferencePath, json};
use serde_json::json;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let text = r#"{"items": [{"id": 1, "price": 20}, {"id": 2, "price": 80}]}"#;
    let mut order = json::parse(text, json::DEFAULT_MAX_DEPTH)?;
    let expensive = JsonPath::parse("$.items[?(@.price > 50)].id")?;
    assert_eq!(*expensive.evaluate(&order)?, json!([2]));
    ReferencePath::parse("$.result.total")?.write(&mut order, json!(100))?;
    assert_eq!(order["result"], json!({"total": 100}));

    // As deep as the limit, and deeper.
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    let deepest = json::parse(&nested(json::DEFAULT_MAX_DEPTH), json::DEFAULT_MAX_DEPTH)?;
    assert!(JsonPath::parse("$..*")?.evaluate(&deepest).is_ok());
    assert!(json::parse(&nested(1_000_000), json::DEFAULT_MAX_DEPTH).is_err());
    let filters = |depth: usize| "$[?(@".repeat(depth) + &")]".repeat(depth);
    let parentheses = |depth: usize| format!("$[?({}@.a{})]", "(".repeat(depth), ")".repeat(depth));
    for depth in [10, 100, 100_000] {
        let _ = JsonPath::parse(&filters(depth));
        let _ = JsonPath::parse(&parentheses(depth));
    }
    Ok(())
}
