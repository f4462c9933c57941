//! Expectations in a test file.
use super::mock::predicate;
use super::reader::Node;
use crate::{Bounds, Case, Definition, Expectations, ExpectedCalls};
use asl_model::did_you_mean;
use serde_json::Value;

const STATUSES: [&str; 4] = ["SUCCEEDED", "FAILED", "TIMED_OUT", "ABORTED"];

/// Reads `expect`.
pub(super) fn read(node: &Node<'_>, case: &Case, recorded: Option<&Value>) -> Expectations {
    let definition = &case.definition;
    let Some(fields) = node.fields() else {
        return Expectations::default();
    };
    let text = |name| {
        fields
            .get(name)
            .and_then(|node| node.text())
            .map(str::to_owned)
    };
    let or_none = |name| {
        let node = fields.get(name)?;
        match node.value {
            Value::Null => Some(None),
            _ => node.text().map(|text| Some(text.to_owned())),
        }
    };
    let states = |name| {
        fields
            .get(name)
            .and_then(|node| state_names(&node, definition))
    };
    let predicates = fields.get("outputWhere").map(|node| node.one_or_more());
    let expectations = Expectations::default()
        .with_status(fields.get("status").and_then(|node| status(&node)))
        .with_output(
            fields
                .get("output")
                .map(|node| node.value)
                .or(recorded)
                .cloned(),
        )
        .with_output_contains(fields.get("outputContains").map(|node| node.value.clone()))
        .with_output_where(predicates.iter().flatten().filter_map(predicate).collect())
        .with_error(or_none("error"))
        .with_cause(or_none("cause"))
        .with_cause_contains(text("causeContains"))
        .with_path(states("path"))
        .with_path_contains(states("pathContains"))
        .with_visits(
            fields
                .get("visits")
                .map(|node| visits(&node, definition))
                .unwrap_or_default(),
        )
        .with_calls(
            fields
                .get("calls")
                .map(|node| calls(&node, case))
                .unwrap_or_default(),
        )
        .with_duration(fields.get("duration").and_then(|node| bounds(&node)))
        .with_variables(super::settings::object(fields.get("variables").as_ref()));
    // Read before, with the case.
    fields.get("outputFile");
    fields.finish();
    expectations
}

fn status(node: &Node<'_>) -> Option<String> {
    let status = node.text()?;
    if !STATUSES.contains(&status) {
        node.fault(format!(
            "expected one of {}, found {status:?}",
            STATUSES.join(", ")
        ));
    }
    Some(status.to_owned())
}

fn state_names(node: &Node<'_>, definition: &Definition) -> Option<Vec<String>> {
    let names = node.elements()?;
    let name = |node: &Node<'_>| {
        let text = node.text()?;
        if definition.find_state(text).is_none() {
            node.fault(unknown_state(definition, text));
        }
        Some(text.to_owned())
    };
    Some(names.iter().filter_map(name).collect())
}

fn visits(node: &Node<'_>, definition: &Definition) -> Vec<(String, Bounds)> {
    let visit = |(state, node): (&str, Node<'_>)| {
        if definition.find_state(state).is_none() {
            node.fault_of_name(unknown_state(definition, state));
        }
        Some((state.to_owned(), bounds(&node)?))
    };
    node.entries().filter_map(visit).collect()
}

fn calls(node: &Node<'_>, case: &Case) -> Vec<ExpectedCalls> {
    let of_target = |(target, node): (&str, Node<'_>)| {
        if !case.has_task(target) {
            node.fault_of_name(case.definition.no_task(target));
        }
        let mut calls = match node.value {
            Value::Array(payloads) => ExpectedCalls::new("").with_payloads(payloads.clone()),
            Value::Object(object) if !object.contains_key("min") && !object.contains_key("max") => {
                call_fields(&node)?
            }
            _ => ExpectedCalls::new("").with_times(bounds(&node)),
        };
        target.clone_into(&mut calls.target);
        Some(calls)
    };
    node.entries().filter_map(of_target).collect()
}

fn call_fields(node: &Node<'_>) -> Option<ExpectedCalls> {
    let fields = node.fields()?;
    let values = |name| {
        fields.get(name).and_then(|node| {
            node.value
                .as_array()
                .cloned()
                .or_else(|| node.elements().map(|_| Vec::new()))
        })
    };
    let calls = ExpectedCalls::new("")
        .with_times(fields.get("times").and_then(|node| bounds(&node)))
        .with_payloads(values("with"))
        .with_some(values("withSome").unwrap_or_default());
    fields.finish();
    Some(calls)
}

/// Returns a number, or `{min: …, max: …}`.
fn bounds(node: &Node<'_>) -> Option<Bounds> {
    if !node.value.is_object() {
        return node.seconds_or_count().map(Bounds::from);
    }
    let fields = node.fields()?;
    let number = |name| fields.get(name).and_then(|node| node.seconds_or_count());
    let bounds = Bounds {
        least: number("min").unwrap_or_default(),
        most: number("max").unwrap_or(f64::INFINITY),
    };
    fields.finish();
    Some(bounds)
}

/// Returns the message for a state that does not exist.
pub(super) fn unknown_state(definition: &Definition, state: &str) -> String {
    let name = definition.name();
    let hint = did_you_mean(state, definition.state_names());
    format!("no state `{state}` in {name}{hint}")
}
