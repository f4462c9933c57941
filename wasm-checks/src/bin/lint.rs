//! Runs asl-lint in WebAssembly.
use asl_model::Options;

fn main() {
    let text = r#"{"StartAt": "Which", "States": {
        "Which": {"Type": "Choice", "Choices": [{"Variable": "$.n", "NumericEquals": 1, "Next": "One"}]},
        "One": {"Type": "Succeed"}}}"#;
    let found = asl_lint::check(text, Options::default());
    let rules: Vec<&str> = found.iter().map(|one| one.rule.name()).collect();
    assert_eq!(rules, ["choice-without-default"]);
}
