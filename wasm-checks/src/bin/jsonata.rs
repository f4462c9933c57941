//! Runs asl-jsonata in WebAssembly.
use asl_jsonata::{Environment, Expression};
use serde_json::{Value, json};
use std::error::Error;

fn evaluate(text: &str, input: &Value) -> Result<Option<Value>, Box<dyn Error>> {
    Ok(Expression::parse(text)?.evaluate(&mut Environment::from_input(input))?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let orders = json!([{"status": "paid", "total": 20}, {"status": "open", "total": 5}, {"status": "paid", "total": 22}]);
    let input = json!({ "orders": orders });
    assert_eq!(
        evaluate("$sum(orders[status = 'paid'].total)", &input)?,
        Some(json!(42))
    );
    assert_eq!(evaluate("$now() ~> $length", &input)?, Some(json!(24)));

    // What recurs without end is refused; a call in tail position does not nest.
    for endless in [
        "($f := function($n) { 1 + $f($n + 1) }; $f(1))",
        "($f := function($n) { [$f($n)] }; $f(1))",
    ] {
        assert!(evaluate(endless, &input).is_err());
    }
    let tail = "($f := function($n) { $n = 0 ? 'end' : $f($n - 1) }; $f(100000))";
    assert_eq!(evaluate(tail, &input)?, Some(json!("end")));
    for depth in [10, 150, 100_000] {
        for (open, close) in [
            ("(", ")"),
            ("[", "]"),
            ("{'a': ", "}"),
            ("-", ""),
            ("$not(", ")"),
        ] {
            let _ = evaluate(&(open.repeat(depth) + "1" + &close.repeat(depth)), &input);
        }
    }
    Ok(())
}
