//! The mocks of a test file.
use super::reader::{Fields, Node};
use crate::Definition;
use crate::mock::Action;
use crate::{Answer, Mock, Predicate, Range};
use asl_path::json::described;
use serde_json::Value;

/// Reads the definition that a node names.
pub(super) type Machines<'m> = &'m dyn Fn(&Node<'_>) -> Option<Definition>;

/// Returns one answer, several, or answers and a default.
pub(super) fn read(target: &str, node: &Node<'_>, machines: Machines<'_>) -> Option<Mock> {
    let is_whole = |fields: &serde_json::Map<String, Value>| {
        fields.contains_key("answers") || fields.contains_key("default")
    };
    let mock = match node.value.as_object() {
        Some(object) if is_whole(object) => {
            let fields = node.fields()?;
            let answers = fields.get("answers").and_then(|node| node.elements());
            let default = fields
                .get("default")
                .and_then(|node| answer(&node, machines));
            fields.finish();
            let mut mock = Mock::new(target, []);
            mock.answers = answers
                .iter()
                .flatten()
                .filter_map(|node| answer(node, machines))
                .collect();
            mock.default = default;
            mock
        }
        _ => match node.value {
            // A list of one is used up by one call, as a longer one is.
            Value::Array(_) => {
                let mut mock = Mock::new(target, []);
                mock.answers = node
                    .one_or_more()
                    .iter()
                    .filter_map(|node| answer(node, machines))
                    .collect();
                mock
            }
            _ => Mock::new(target, answer(node, machines)),
        },
    };
    Some(Mock {
        pointer: Some(node.pointer.clone()),
        ..mock
    })
}

fn answer(node: &Node<'_>, machines: Machines<'_>) -> Option<Answer> {
    let fields = node.fields()?;
    let action = action(&fields, machines);
    let delay = fields.get("delay").and_then(|node| node.seconds());
    let mut answer = Answer::new(action?).after_seconds(delay.unwrap_or_default());
    answer.attempt = fields.get("attempt").and_then(|node| range(&node));
    answer.item = fields.get("item").and_then(|node| range(&node));
    answer.when = fields.get("when").and_then(|node| predicate(&node));
    answer.times = fields.get("times").and_then(|node| node.whole_number());
    fields.finish();
    Some(answer)
}

/// Returns the one thing that an answer does.
fn action(fields: &Fields<'_>, machines: Machines<'_>) -> Option<Action> {
    let returned = fields
        .get("return")
        .map(|node| Action::Return(node.value.clone()));
    let thrown = fields.get("throw").map(|node| throw(&node));
    let never = fields
        .get("never")
        .map(|node| node.yes().map(|()| Action::Never));
    let external = |name, start: &str| {
        let node = fields.get(name)?;
        Some(
            node.text()
                .map(|text| Action::External(format!("{start}{text}"))),
        )
    };
    let machine = fields
        .get("machine")
        .map(|node| machines(&node).map(Action::Machine));
    let (exec, http) = (external("exec", "exec:"), external("http", ""));
    let mut given = returned
        .map(Some)
        .into_iter()
        .chain([thrown, never, exec, http, machine].into_iter().flatten());
    match (given.next(), given.next()) {
        (Some(action), None) => action,
        _ => {
            fields
                .node
                .fault("expected exactly one of return, throw, never, exec, http, machine");
            None
        }
    }
}

/// Returns an Error Name, or both parts.
fn throw(node: &Node<'_>) -> Option<Action> {
    if let Some(error) = node.value.as_str() {
        return Some(Action::Throw {
            error: Some(error.to_owned()),
            cause: None,
        });
    }
    let fields = node.fields()?;
    let text = |name| {
        fields
            .get(name)
            .and_then(|node| node.text())
            .map(str::to_owned)
    };
    let thrown = Action::Throw {
        error: text("error"),
        cause: text("cause"),
    };
    fields.finish();
    Some(thrown)
}

/// `2`, or `"1-3"`.
fn range(node: &Node<'_>) -> Option<Range> {
    let range = match node.value {
        Value::String(text) => Range::parse(text),
        value => value.as_u64().map(Range::from),
    };
    if range.is_none() {
        node.fault(format!(
            "expected a number from 0, or a range (\"1-3\", \"2-\"), found {}",
            described(node.value)
        ));
    }
    range
}

pub(super) fn predicate(node: &Node<'_>) -> Option<Predicate> {
    Predicate::parse(node.text()?)
        .map_err(|error| node.fault(error))
        .ok()
}
