//! The example of the README, unchanged there.
use asl_test::{Answer, Bounds, Case, Definition, Expectations};
use serde_json::json;

#[test]
fn a_busy_card_is_charged_an_hour_later() -> Result<(), Box<dyn std::error::Error>> {
    let definition = Definition::parse(
        r#"{"StartAt": "Charge", "States": {"Charge": {
            "Type": "Task", "Resource": "charge-card", "End": true,
            "Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": 3600}]}}}"#,
    )?;
    let busy_at_first = [
        Answer::throws("Busy", "later"),
        Answer::returns(json!({"paid": 21})),
    ];
    let run = Case::new("a busy card", &definition)
        .input(json!({"amount": 21}))
        .mock("Charge", busy_at_first)
        .expect(
            Expectations::default()
                .with_output(json!({"paid": 21}))
                .with_duration(Bounds::from(3600.0)),
        )
        .run()
        .into_result()?;
    assert_eq!(run.calls.len(), 2);
    Ok(())
}

#[test]
fn every_case_of_a_file() -> Result<(), Box<dyn std::error::Error>> {
    for report in asl_test::TestFile::read("tests/order.test.yaml")?.run() {
        report.into_result()?;
    }
    Ok(())
}

#[test]
fn the_readme_shows_what_is_tested_here() {
    let readme = include_str!("../README.md");
    let (_, example) = include_str!("example.rs").split_once('\n').unwrap();
    let (example, _) = example
        .split_once("\n#[test]\nfn the_readme_shows")
        .unwrap();
    assert!(readme.contains(example));
    assert!(readme.contains(include_str!("order.test.yaml")));
}
