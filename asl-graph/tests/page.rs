//! The page: what it reports states, and that nothing in a definition becomes a part of it.
use asl_graph::{Outline, Overlay, Visit};
use asl_model::{Options, parse_value};
use serde_json::{Value, json};

const HOSTILE: &str = "</script><script>alert(1)</script><!-- \"' ]]> &amp; </style></title>";

fn page(definition: &Value, title: &str, overlay: Option<&Overlay>) -> String {
    let outline = match parse_value(definition, Options::default()) {
        Ok((machine, _)) => Outline::from_machine(&machine),
        Err(faults) => Outline::of_refused(definition, &faults).unwrap(),
    };
    outline.html(definition, title, overlay)
}

/// Returns the data that the page's script reads.
fn states(page: &str) -> Value {
    let (_, rest) = page
        .split_once("<script type=\"application/json\" id=\"states\">")
        .unwrap();
    let (data, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(data).unwrap()
}

#[test]
fn nothing_of_a_definition_is_taken_for_a_part_of_the_page() {
    let definition = json!({"StartAt": HOSTILE, "States": {
        HOSTILE: {"Type": "Pass", "Comment": HOSTILE, "Next": "B"},
        "B": {"Type": "Fail", "Error": HOSTILE, "Cause": HOSTILE}}});
    let harmless = json!({"StartAt": "A", "States": {
        "A": {"Type": "Pass", "Comment": "A", "Next": "B"},
        "B": {"Type": "Fail", "Error": "A", "Cause": "A"}}});
    let (hostile, plain) = (page(&definition, HOSTILE, None), page(&harmless, "A", None));
    for part in [
        "<script",
        "</script",
        "<style",
        "</style",
        "<title",
        "<!--",
        "alert(1)</script>",
        "<b",
    ] {
        assert_eq!(
            hostile.matches(part).count(),
            plain.matches(part).count(),
            "{part}"
        );
    }
    let told = states(&hostile);
    assert_eq!(
        (&told[0]["name"], &told[0]["comment"]),
        (&json!(HOSTILE), &json!(HOSTILE))
    );
}

#[test]
fn a_page_asks_no_network() {
    let page = page(
        &json!({"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}),
        "a",
        None,
    );
    assert!(page.contains("content=\"default-src 'none'; "));
    for part in [
        " src=", " href=", "@import", "fetch(", "import(", "url(http",
    ] {
        assert!(!page.contains(part), "{part}");
    }
}

#[test]
fn each_state_is_told_by_its_number() {
    let definition = json!({"StartAt": "All", "States": {
        "All": {"Type": "Parallel", "Comment": "at once", "Branches": [
            {"StartAt": "Each", "States": {"Each": {"Type": "Map", "End": true, "ItemProcessor": {
                "StartAt": "Inner", "States": {"Inner": {"Type": "Wait", "Seconds": 90, "End": true}}}}}},
            {"StartAt": "Other", "States": {"Other": {"Type": "Succeed"}}}], "Next": "Last"},
        "Last": {"Type": "Fail", "Error": "Sad"}}});
    let mut overlay = Overlay::new();
    overlay
        .visit("All", Visit::Failed)
        .visit("Inner", Visit::Passed)
        .count("Inner", 3);
    let page = page(&definition, "all.asl.json", Some(&overlay));
    let told = states(&page);
    let names: Vec<&Value> = told
        .as_array()
        .unwrap()
        .iter()
        .map(|state| &state["name"])
        .collect();
    assert_eq!(names, ["All", "Each", "Inner", "Other", "Last"]);
    for (number, name) in names.iter().enumerate() {
        let name = name.as_str().unwrap();
        let (_, card) = page
            .split_once(&format!("data-state=\"{number}\""))
            .unwrap();
        assert!(card.split_once("<title>").unwrap().1.starts_with(name));
    }
    assert_eq!(told[0]["comment"], "at once");
    assert_eq!(
        (&told[0]["visit"], &told[2]["visit"], &told[4]["visit"]),
        (&json!("failed"), &json!("passed"), &Value::Null)
    );
    assert_eq!(
        (&told[2]["count"], &told[2]["detail"]),
        (&json!(3), &json!("1 min 30 s"))
    );
    let all = told[0]["definition"].as_str().unwrap();
    assert!(
        all.contains("\"Each\": \"…\"") && !all.contains("Seconds"),
        "{all}"
    );
    assert!(
        told[2]["definition"]
            .as_str()
            .unwrap()
            .contains("\"Seconds\": 90")
    );
}

#[test]
fn faults_are_told() {
    let told = states(&page(
        &json!({"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "B"}}}),
        "a",
        None,
    ));
    assert_eq!(told[0]["faults"], json!(["Missing 'Next' target: B"]));
    assert_eq!(
        (&told[0]["mark"], &told[1]["mark"], &told[1]["definition"]),
        (&json!("faulty"), &json!("missing"), &Value::Null)
    );
}

/// A state is told with the names alone of those within it: all together take no more than a few times the definition.
#[test]
fn pages_grow_with_the_definition() {
    let mut machine = json!({"StartAt": "S", "States": {"S": {"Type": "Pass", "Result": "x".repeat(10_000), "End": true}}});
    for level in 0..60 {
        let name = format!("P{level}");
        machine = json!({"StartAt": name, "States": {name: {"Type": "Parallel", "Branches": [machine], "End": true}}});
    }
    let page = page(&machine, "deep", None);
    assert!(page.len() < 200_000, "{}", page.len());
}
