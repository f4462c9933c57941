//! Diagrams of invalid definitions.
use asl_graph::{Outline, Overlay, Visit, dot, mermaid, svg};
use asl_model::{Diagnostics, Options, parse_value, strategies, validate};
use proptest::prelude::*;
use serde_json::{Value, json};

fn broken() -> Value {
    json!({"StartAt": "Charge", "States": {
        "Charge": {
            "Type": "Task",
            "Resource": "arn:aws:lambda:us-east-1:123456789012:function:charge",
            "Catch": [{"ErrorEquals": ["Declined"], "Next": "Ask \"again\""}],
            "Next": "Enough?"
        },
        "Enough?": {"Type": "Choice", "Choices": [
            {"Variable": "$.n", "NumericGreaterThan": 5, "Next": "Each"},
            {"Variable": "$.n", "Nonsense": 5, "Next": "Nowhere"}
        ], "Default": "Nowhere"},
        "Each": {"Type": "Map", "ItemsPath": "$.all", "MaxConcurrency": "many", "Next": "Typo", "ItemProcessor": {
            "StartAt": "Lost", "States": {"Inner": {"End": true}}}},
        "Typo": {"Type": "Sucess"},
        "Alone": {"Type": "Wait", "Seconds": 90, "End": true},
        "Nothing": 1
    }})
}

fn outline(definition: &Value) -> Outline {
    let faults = parse_value(definition, Options::default()).unwrap_err();
    Outline::of_refused(definition, &faults).unwrap()
}

#[track_caller]
fn check(text: &str, lines: &[&str]) {
    let all: Vec<&str> = text.lines().map(str::trim).collect();
    for line in lines {
        assert!(all.contains(line), "no {line} in\n{text}");
    }
}

#[test]
fn mermaid_shows_what_is_missing() {
    let text = outline(&broken()).mermaid(None);
    check(
        &text,
        &[
            r#"s0["Charge<br/><small>Lambda charge</small>"]:::task"#,
            "class s0 faulty",
            r#"s1{"Enough?"}:::choice"#,
            "class s1 faulty",
            r#"s3["Inner<br/><small>no type</small>"]:::faulty"#,
            r#"s4["Lost<br/><small>no such state</small>"]:::missing"#,
            r#"s5["Typo<br/><small>unknown type Sucess</small>"]:::faulty"#,
            r#"s6(["Alone<br/><small>1 min 30 s, not reached</small>"]):::wait"#,
            "class s6 unreachable",
            r#"s7["Nothing<br/><small>no type, not reached</small>"]:::faulty"#,
            r##"s8["Ask #34;again#34;<br/><small>no such state</small>"]:::missing"##,
            r#"s0 -.->|"Declined"| s8"#,
            r##"s1 -->|"#36;.n #62; 5"| s2"##,
            r##"s1 -->|"#36;.n<br/>default"| s9"##,
            "s2 --> s5",
            "start --> s0",
            "linkStyle 1,3 stroke:#d12f2f,stroke-width:2px",
        ],
    );
}

#[test]
fn dot_shows_what_is_missing() {
    let text = outline(&broken()).dot(None);
    check(
        &text,
        &[
            r##"s0 [label="Charge\nLambda charge" fillcolor="#fdf0e3" color="#d12f2f" penwidth=2.5];"##,
            r##"s6 [label="Alone\n1 min 30 s, not reached" fillcolor="#fcf6dc" color="#b8930f" style="rounded,filled,dashed"];"##,
            r##"s9 [label="Nowhere\nno such state" fillcolor="#fdeaea" color="#d12f2f" style="rounded,filled,dashed" fontcolor="#a01d1d" penwidth=2];"##,
            r##"s0 -> s8 [label="Declined" style=dashed color="#d12f2f" penwidth=2];"##,
            "s0 -> s1;",
        ],
    );
}

#[test]
fn svg_shows_what_is_missing_and_says_why() {
    let text = outline(&broken()).svg(None);
    for part in [
        "<g class=\"state unknown missing\"",
        "<g class=\"state wait unreachable\"",
        "<g class=\"state task faulty\"",
        "<title>Charge (Task) — Missing 'Next' target: Ask &quot;again&quot;</title>",
        "<title>Nowhere (no such state)</title>",
        "class=\"way broken\"",
        "marker id=\"arrow-broken\"",
        ".way.broken {",
    ] {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
    let mut overlay = Overlay::new();
    overlay.visit("Charge", Visit::Failed);
    assert!(
        outline(&broken())
            .svg(Some(&overlay))
            .contains("<g class=\"state task failed faulty\"")
    );
}

#[test]
fn a_start_that_is_missing_is_shown() {
    let text =
        outline(&json!({"StartAt": "Lost", "States": {"A": {"Type": "Succeed"}}})).mermaid(None);
    check(
        &text,
        &[
            "start --> s1",
            "linkStyle 0 stroke:#d12f2f,stroke-width:2px",
            "s0(((\"A\"))):::succeed",
        ],
    );
    let text = outline(&json!({"States": {"A": {"Type": "Succeed"}}})).mermaid(None);
    assert!(
        !text.contains("start -->") && !text.contains("not reached"),
        "{text}"
    );
}

#[test]
fn what_has_no_states_is_not_drawn() {
    for definition in [
        json!({}),
        json!([]),
        json!({"States": []}),
        json!({"StartAt": 1, "States": {}}),
    ] {
        assert!(Outline::of_refused(&definition, &Diagnostics::default()).is_none());
    }
}

#[test]
fn scopes_are_drawn_to_a_depth() {
    let mut machine = json!({"StartAt": "S", "States": {"S": {"Type": "Succeed"}}});
    for _ in 0..300 {
        machine =
            json!({"StartAt": "S", "States": {"S": {"Type": "Parallel", "Branches": [machine]}}});
    }
    let faults = validate(
        &machine.to_string(),
        Options::default().with_max_depth(2_000),
    );
    let text = Outline::of_refused(&machine, &faults).unwrap().svg(None);
    assert_eq!(text.matches("<g class=\"state ").count(), 100);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// There is one picture of a definition, whether what it says is known by its types or by its text.
    #[test]
    fn what_is_accepted_looks_the_same_as_what_is_refused(definition in strategies::definition()) {
        let Ok((machine, _)) = parse_value(&definition, Options::default()) else {
            return Ok(());
        };
        let outline = Outline::of_refused(&definition, &Diagnostics::default()).unwrap();
        prop_assert_eq!(outline.mermaid(None), mermaid(&machine, None));
        prop_assert_eq!(outline.dot(None), dot(&machine, None));
        prop_assert_eq!(outline.svg(None), svg(&machine, None));
    }

    /// If a part of a definition is removed or replaced, the rest is still drawn.
    #[test]
    fn what_is_left_of_a_definition_is_drawn(definition in strategies::definition(), at in any::<prop::sample::Index>(), by in 0..3_usize) {
        let text = definition.to_string();
        let names: Vec<&str> = ["StartAt", "Next", "Type", "End", "Choices", "Default", "Branches", "Retry", "States"].into();
        let name = names[at.index(names.len())];
        let with = ["\"X\"".to_owned(), format!("{name:?} : 1, \"X\""), "\"Next\" : \"Lost\", \"X\"".to_owned()];
        let broken = text.replacen(&format!("{name:?}:"), &format!("{}:", with[by]), 1);
        let broken: Value = serde_json::from_str(&broken).unwrap();
        let faults = validate(&broken.to_string(), Options::default());
        if let Some(outline) = Outline::of_refused(&broken, &faults) {
            let svg = outline.svg(None);
            prop_assert!(svg.ends_with("</svg>") && !svg.contains("NaN"));
            prop_assert!(outline.mermaid(None).starts_with("flowchart TD\n"));
            prop_assert!(outline.dot(None).ends_with('}'), "the end");
        }
    }
}
