//! SARIF 2.1.0 (OASIS Standard, 27 March 2020), for code scanning tools.
use crate::{LocatedDiagnostic, explanation};
use asl_model::Severity;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Returns one run of the tool `asl`, with the violated rules.
///
/// ```
/// let report = asl_lint::format::sarif(&[], "1.0.0");
/// assert_eq!(report["runs"][0]["tool"]["driver"]["version"], "1.0.0");
/// ```
pub fn sarif(diagnostics: &[LocatedDiagnostic<'_>], version: &str) -> Value {
    let mut numbers: BTreeMap<&str, usize> =
        diagnostics.iter().map(|it| (it.rule.name(), 0)).collect();
    numbers
        .values_mut()
        .zip(0..)
        .for_each(|(number, index)| *number = index);
    let rules: Vec<Value> = numbers.keys().map(|name| rule(name)).collect();
    let results: Vec<Value> = diagnostics
        .iter()
        .map(|one| result(one, numbers.get(one.rule.name())))
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "asl",
                "version": version,
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn rule(name: &str) -> Value {
    let mut rule = json!({"id": name});
    if let Some(explanation) = explanation(name) {
        rule["shortDescription"] = json!({"text": explanation.summary().replace('\n', " ")});
        rule["help"] = json!({"text": explanation.text(), "markdown": explanation.text()});
        if let Some(code) = explanation.rule().code() {
            rule["properties"] = json!({"tags": [code.as_str()]});
        }
    }
    rule
}

fn result(one: &LocatedDiagnostic<'_>, number: Option<&usize>) -> Value {
    let mut location = json!({
        "logicalLocations": [{"fullyQualifiedName": one.location}],
    });
    if let Some(place) = one.place {
        let at = place.position();
        location["physicalLocation"] = json!({
            "artifactLocation": {"uri": uri(place.file.path())},
            "region": {"startLine": at.line, "startColumn": at.column},
        });
    }
    json!({
        "ruleId": one.rule.name(),
        "ruleIndex": number,
        "level": match one.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "message": {"text": one.message_with_hint()},
        "locations": [location],
    })
}

/// Returns a path as a URI (RFC 3986): a relative one stays relative, to where the command ran.
fn uri(path: &Path) -> String {
    let path = path.display().to_string().replace('\\', "/");
    let mut uri = match path.starts_with('/') {
        true => "file://".to_owned(),
        false => String::new(),
    };
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => uri.push(byte.into()),
            b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(byte.into()),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn a_path_becomes_a_uri() {
        for (path, expected) in [
            ("flows/a b.asl.json", "flows/a%20b.asl.json"),
            ("/tmp/ä#1", "file:///tmp/%C3%A4%231"),
        ] {
            assert_eq!(uri(path.as_ref()), expected);
        }
    }
}
