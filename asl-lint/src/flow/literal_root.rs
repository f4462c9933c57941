//! A field of a payload template that is the text `$`, where the whole input is hardly not meant. The service says nothing of it.
use crate::lint::{Lint, LintFinding};
use crate::subject::Subject;
use asl_model::{DiagnosticRule, Processing, Severity, TemplateNode};
use serde_json::Value;

pub(crate) const LINT: Lint = Lint {
    rule: DiagnosticRule::lint("literal-root"),
    severity: Severity::Warning,
    look,
};

fn look(subject: &Subject<'_>, found: &mut LintFinding) {
    for (number, placed) in subject.states.iter().enumerate() {
        if !matches!(placed.state.processing, Processing::JsonPath(_)) {
            continue;
        }
        let payload = placed.state.processing.payload();
        for (name, root) in payload.map(|it| roots_of(&it.root)).unwrap_or_default() {
            let place = subject.location(number).field("Parameters").field(name);
            found.report(
                &LINT,
                place,
                format!(
                    "the value of '{name}' is the literal string \"{root}\", not {}",
                    describe_root(root)
                ),
                format!("rename the field to '{name}.$' to evaluate the path"),
            );
        }
    }
}

/// The fields of an object that are texts of a root, with these.
fn roots_of(payload: &TemplateNode) -> Vec<(&str, &str)> {
    let is_root = |(_, text): &(&str, &str)| matches!(*text, "$" | "$$");
    match payload {
        TemplateNode::Object(fields) => {
            let texts = fields.iter().filter_map(|field| match &field.value {
                TemplateNode::Literal(Value::String(text)) => {
                    Some((field.name.as_str(), text.as_str()))
                }
                _ => None,
            });
            texts.filter(is_root).collect()
        }
        TemplateNode::Literal(Value::Object(fields)) => {
            let texts = fields
                .iter()
                .filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)));
            texts.filter(is_root).collect()
        }
        _ => Vec::new(),
    }
}

fn describe_root(root: &str) -> &'static str {
    match root {
        "$" => "the input",
        _ => "the Context Object",
    }
}

#[cfg(test)]
mod tests {
    use crate::flow::testing::found;
    use serde_json::json;

    #[test]
    fn the_text_of_a_root_is_pointed_out() {
        let state = |parameters| json!({"StartAt": "A", "States": {"A": {"Type": "Pass", "Parameters": parameters, "End": true}}});
        assert_eq!(
            found(&state(json!({"Payload": "$", "a.$": "$", "b": "$5"}))),
            [
                "literal-root: the value of 'Payload' is the literal string \"$\", not the input at /States/A/Parameters/Payload"
            ]
        );
        assert_eq!(
            found(&state(json!({"c": "$$"}))),
            [
                "literal-root: the value of 'c' is the literal string \"$$\", not the Context Object at /States/A/Parameters/c"
            ]
        );
    }
}
