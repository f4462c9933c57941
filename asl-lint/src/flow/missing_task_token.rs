//! A task that waits for a callback, but does not pass its task token (developer guide, integration patterns).
use crate::lint::{Lint, LintFinding};
use crate::subject::Subject;
use asl_jsonata::{JsonataString, Plan, StatesField};
use asl_model::{
    DataPath, DiagnosticRule, Processing, Resource, Severity, State, StateKind, TemplateNode,
};
use asl_path::{Path, Root};
use serde_json::Value;

pub(crate) const LINT: Lint = Lint {
    rule: DiagnosticRule::lint("missing-task-token"),
    severity: Severity::Warning,
    look,
};

/// Path of the token in the Context Object.
const TOKEN: [&str; 2] = ["Task", "Token"];

fn look(subject: &Subject<'_>, found: &mut LintFinding) {
    for (number, placed) in subject.states.iter().enumerate() {
        let StateKind::Task(task) = &placed.state.kind else {
            continue;
        };
        if waits(&task.resource) && !may_hold_token(placed.state) {
            let (message, hint) = match placed.state.processing {
                Processing::JsonPath(_) => (
                    "the task waits for a callback, but its Parameters do not pass the task token",
                    "pass it to the worker: \"TaskToken.$\": \"$$.Task.Token\"",
                ),
                Processing::Jsonata(_) => (
                    "the task waits for a callback, but its Arguments do not pass the task token",
                    "pass it to the worker: \"TaskToken\": \"{% $states.context.Task.Token %}\"",
                ),
            };
            found.report(&LINT, subject.location(number), message, hint);
        }
    }
}

fn waits(resource: &Resource) -> bool {
    resource.waits_for_task_token() && !resource.uri.contains("${")
}

/// Returns true if what the task is requested may have its token in it. Neither the input nor variables can: the token is
/// not there before the state is entered.
fn may_hold_token(state: &State) -> bool {
    let input_may = match &state.processing {
        Processing::JsonPath(processing) => match &processing.input_path {
            DataPath::Path(path) => path_may(path),
            DataPath::Absent | DataPath::Null => false,
        },
        Processing::Jsonata(_) => false,
    };
    let payload = state.processing.payload();
    input_may || payload.is_some_and(|template| node_may(&template.root))
}

fn node_may(root: &TemplateNode) -> bool {
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        let may = match node {
            TemplateNode::Literal(value) => has_placeholder(value),
            TemplateNode::Object(fields) => {
                open.extend(fields.iter().map(|field| &field.value));
                false
            }
            TemplateNode::Array(elements) => {
                open.extend(elements);
                false
            }
            TemplateNode::Path(path) => path_may(path),
            TemplateNode::Intrinsic(intrinsic) => {
                intrinsic.source().contains("${") || intrinsic.paths().any(path_may)
            }
            TemplateNode::Expression(expression) => expression_may(expression),
        };
        if may {
            return true;
        }
    }
    false
}

/// Returns true if a path into the Context Object selects the token, or a value that contains it.
fn path_may(path: &Path) -> bool {
    if path.source().contains("${") {
        return true;
    }
    if *path.root() != Root::Context {
        return false;
    }
    let mut left = path.source().trim_start_matches('$');
    for name in TOKEN {
        left = match left
            .strip_prefix('.')
            .and_then(|rest| rest.strip_prefix(name))
        {
            Some(rest) => rest,
            // What begins otherwise than with another name could be anything.
            None => return !is_other_name(left, name),
        };
    }
    true
}

/// Returns true if a path continues with a name, and with another than this.
fn is_other_name(path: &str, name: &str) -> bool {
    let is_letter = |character: char| character.is_ascii_alphabetic();
    path.strip_prefix('.')
        .is_some_and(|rest| rest.starts_with(is_letter) && !rest.starts_with(name))
}

fn expression_may(expression: &JsonataString) -> bool {
    let expression = expression.expression();
    match expression.plan() {
        Plan::Walk(StatesField::Context, names) => {
            names.iter().zip(TOKEN).all(|(name, token)| name == token)
        }
        _ => {
            expression.source().contains("${")
                || expression.references().reads(StatesField::Context)
        }
    }
}

fn has_placeholder(value: &Value) -> bool {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) if text.contains("${") => return true,
            Value::Array(elements) => open.extend(elements),
            Value::Object(fields) => open.extend(fields.values()),
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::testing::{found, found_by, jsonata, machine};
    use asl_model::{Options, ResourceNames};
    use serde_json::{Value, json};

    const RESOURCE: &str = "arn:aws:states:::sqs:sendMessage.waitForTaskToken";

    /// Of a program that performs its tasks itself, which need no Parameters.
    fn embedded() -> Options {
        Options::default().with_resources(ResourceNames::Any)
    }

    fn with_parameters(body: Value) -> Value {
        let parameters = json!({"QueueUrl": "q", "MessageBody": body});
        machine(
            json!({"A": {"Type": "Task", "Resource": RESOURCE, "Parameters": parameters, "End": true}}),
        )
    }

    fn with_arguments(body: Value) -> Value {
        let arguments = json!({"QueueUrl": "q", "MessageBody": body});
        jsonata(
            json!({"A": {"Type": "Task", "Resource": RESOURCE, "Arguments": arguments, "End": true}}),
        )
    }

    #[test]
    fn nobody_gets_the_token() {
        for body in [
            json!({"Input.$": "$"}),
            json!({"Token.$": "$.Task.Token"}),
            json!({"Execution.$": "$$.Execution.Id"}),
            json!({"Text.$": "States.Format('{}', $$.State.Name)"}),
            json!("hello"),
        ] {
            let text = "missing-task-token: the task waits for a callback, but its Parameters do not pass the task token at /States/A";
            assert_eq!(found(&with_parameters(body)), [text]);
        }
        let text = "missing-task-token: the task waits for a callback, but its Arguments do not pass the task token at /States/A";
        for body in [
            "{% $states.input %}",
            "{% $states.context.Execution.Id %}",
            "hello",
        ] {
            assert_eq!(found(&with_arguments(body.into())), [text]);
        }
    }

    #[test]
    fn without_parameters_the_input_is_what_is_asked() {
        let definition = machine(json!({"A": {"Type": "Task", "Resource": RESOURCE, "End": true}}));
        assert_eq!(found_by(&definition, embedded()).len(), 1);
    }

    #[test]
    fn somebody_may_get_it() {
        for body in [
            json!({"Token.$": "$$.Task.Token"}),
            json!({"Token.$": "$$['Task']['Token']"}),
            json!({"All.$": "$$"}),
            json!({"Task.$": "$$.Task"}),
            json!({"Any.$": "$$..Token"}),
            json!({"Text.$": "States.Format('{}', $$.Task.Token)"}),
            json!({"Tokens": [{"Token.$": "$$.Task.Token"}]}),
            json!("${Body}"),
        ] {
            assert_eq!(found(&with_parameters(body.clone())), [""; 0], "{body}");
        }
        for body in [
            "{% $states.context.Task.Token %}",
            "{% {'token': $states.context.Task.Token} %}",
            "{% $string($states.context) %}",
            "{% $states %}",
        ] {
            assert_eq!(found(&with_arguments(body.into())), [""; 0], "{body}");
        }
        let input_path = json!({"A": {"Type": "Task", "Resource": RESOURCE, "InputPath": "$$.Task", "End": true}});
        assert_eq!(found_by(&machine(input_path), embedded()), [""; 0]);
    }

    #[test]
    fn others_do_not_wait_for_it() {
        for resource in [
            "arn:aws:states:us-east-1:123456789012:activity:a",
            "arn:aws:states:::sqs:sendMessage",
            "arn:aws:states:::${Service}.waitForTaskToken",
        ] {
            let state = json!({"Type": "Task", "Resource": resource, "Parameters": {"QueueUrl": "q", "MessageBody": "m"}, "End": true});
            assert_eq!(found(&machine(json!({"A": state}))), [""; 0], "{resource}");
        }
    }
}
