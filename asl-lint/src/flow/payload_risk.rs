//! Literal values that exceed the maximum payload size (quotas of the service: 262,144 bytes).
use crate::lint::{Lint, LintFinding};
use crate::subject::{PlacedState, Subject};
use asl_model::{
    Assign, DiagnosticRule, Items, Location, PayloadTemplate, Processing, Severity, StateKind,
    TemplateNode,
};
use serde_json::Value;
use std::io::{self, Write};

pub(crate) const LINT: Lint = Lint {
    rule: DiagnosticRule::lint("payload-risk"),
    severity: Severity::Warning,
    look,
};

/// Bytes of a payload, and of a variable.
const MOST: usize = 262_144;

fn look(subject: &Subject<'_>, found: &mut LintFinding) {
    for (number, placed) in subject.states.iter().enumerate() {
        for (field, name, bytes) in written_out(placed) {
            if bytes > MOST {
                let location = subject.location(number).field(field);
                let location = match name {
                    Some(name) => location.field(name),
                    None => location,
                };
                report(location, bytes, found);
            }
        }
    }
}

fn report(location: Location, bytes: usize, found: &mut LintFinding) {
    found.report(
        &LINT,
        location,
        format!("it has at least {bytes} bytes, and the state fails above {MOST}"),
        "store it in a bucket, and read it from there when needed",
    );
}

/// Returns the literal values of a state: the field, the variable, and the minimum size in bytes.
fn written_out<'m>(placed: &PlacedState<'m>) -> Vec<(&'static str, Option<&'m str>, usize)> {
    let state = placed.state;
    let mut written = Vec::new();
    let mut add = |field, template: Option<&PayloadTemplate>| {
        written.extend(template.map(|template| (field, None, node_bytes(&template.root))));
    };
    match &state.processing {
        Processing::JsonPath(processing) => {
            add("Parameters", processing.parameters.as_ref());
            add("ResultSelector", processing.result_selector.as_ref());
        }
        Processing::Jsonata(processing) => {
            add("Arguments", processing.arguments.as_ref());
            add("Output", processing.output.as_ref());
        }
    }
    match &state.kind {
        StateKind::Map(map) => {
            let selector = match map.spelling.parameters {
                true => "Parameters",
                false => "ItemSelector",
            };
            add(selector, map.item_selector.as_ref());
            if let Some(Items::Template(template)) = &map.items {
                add("Items", Some(template));
            }
        }
        StateKind::Pass(pass) => {
            written.extend(
                pass.result
                    .iter()
                    .map(|value| ("Result", None, bytes(value))),
            );
        }
        _ => {}
    }
    written.extend(assigned(state.assign.as_ref()));
    written
}

fn assigned(assign: Option<&Assign>) -> impl Iterator<Item = (&'static str, Option<&str>, usize)> {
    let variables = assign.into_iter().flat_map(|assign| &assign.variables);
    variables.map(|one| ("Assign", Some(one.name.as_str()), node_bytes(&one.value)))
}

/// Returns the minimum size of a template's value: a replaced value counts as one byte.
fn node_bytes(root: &TemplateNode) -> usize {
    let mut open = vec![root];
    let mut length = 0;
    while let Some(node) = open.pop() {
        length += match node {
            TemplateNode::Literal(value) => bytes(value),
            TemplateNode::Object(fields) => {
                open.extend(fields.iter().map(|field| &field.value));
                // Quotes and a colon.
                let names = fields.iter().map(|field| field.name.len() + 3);
                separators(fields.len()) + names.sum::<usize>()
            }
            TemplateNode::Array(elements) => {
                open.extend(elements);
                separators(elements.len())
            }
            TemplateNode::Path(_) | TemplateNode::Intrinsic(_) | TemplateNode::Expression(_) => 1,
        };
    }
    length
}

/// Brackets, and the commas between.
fn separators(count: usize) -> usize {
    2 + count.saturating_sub(1)
}

fn bytes(value: &Value) -> usize {
    struct Count(usize);
    impl Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // Counting cannot fail, nor can JSON be no JSON.
    let _ = serde_json::to_writer(&mut count, value);
    count.0
}

#[cfg(test)]
mod tests {
    use super::super::testing::{found, jsonata, machine};
    use super::MOST;
    use serde_json::{Value, json};

    fn text(bytes: usize, place: &str) -> String {
        format!(
            "payload-risk: it has at least {bytes} bytes, and the state fails above {MOST} at /States/A/{place}"
        )
    }

    fn pass(field: &str, value: Value) -> Value {
        let mut state = json!({"Type": "Pass", "Next": "B"});
        state[field] = value;
        machine(json!({"A": state}))
    }

    #[test]
    fn a_result_that_is_too_long() {
        let result = |letters: usize| pass("Result", "a".repeat(letters).into());
        assert_eq!(found(&result(MOST - 1)), [text(MOST + 1, "Result")]);
        assert_eq!(found(&result(MOST - 2)), [""; 0]);
    }

    #[test]
    fn a_template_counts_what_it_writes_out() {
        let letters = "a".repeat(MOST / 2);
        let parameters = json!({"a": letters, "b": {"c": [letters], "d.$": "$.d"}});
        // {"a":"…","b":{"c":["…"],"d":1}}
        let bytes = MOST + 29;
        assert_eq!(
            found(&pass("Parameters", parameters)),
            [text(bytes, "Parameters")]
        );
        let one = json!({"a": letters, "b.$": "States.Array($, $, $)"});
        assert_eq!(found(&pass("Parameters", one)), [""; 0]);
    }

    #[test]
    fn variables_and_outputs_are_as_long_at_most() {
        let letters = "a".repeat(MOST);
        let state =
            json!({"Type": "Pass", "Output": letters, "Assign": {"x": letters}, "Next": "B"});
        let mut definition = jsonata(json!({"A": state}));
        definition["States"]["B"] = json!({"Type": "Succeed", "Output": "{% $x %}"});
        assert_eq!(
            found(&definition),
            [text(MOST + 2, "Output"), text(MOST + 2, "Assign/x")]
        );
    }
}
