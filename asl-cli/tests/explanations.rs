//! The examples of rules of templates break just these rules, and are fixed.
mod common;

use common::Folder;
use serde_json::Value;

/// Returns the rules that a template breaks.
fn rules(template: &str) -> Vec<String> {
    let folder = Folder::new();
    folder.write("template.yaml", template);
    let report = folder.asl(&["validate", "--format", "json", "template.yaml"]);
    let report = report.json();
    let machines = report.as_array().unwrap().iter();
    let diagnostics = machines.flat_map(|machine| machine["diagnostics"].as_array().unwrap());
    let rule = |diagnostic: &Value| diagnostic["rule"].as_str().unwrap().to_owned();
    diagnostics.map(rule).collect()
}

#[test]
fn every_template_breaks_its_rule_and_is_mended() {
    let mut checked = 0;
    for explanation in asl_lint::explanations() {
        let parts = explanation.text().split("```").skip(1).step_by(2);
        let templates: Vec<&str> = parts
            .filter_map(|part| part.strip_prefix("yaml\n"))
            .collect();
        let [broken, mended] = templates.as_slice() else {
            assert!(templates.is_empty());
            continue;
        };
        let name = explanation.rule().name();
        assert_eq!(rules(broken), [name], "{name}");
        assert_eq!(rules(mended), [""; 0], "{name}");
        checked += 1;
    }
    assert!(checked >= 4, "{checked} examples of templates");
}
