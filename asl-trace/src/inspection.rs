//! Converts events of the core to findings.
use crate::account::Finding;
use crate::builder::{Builder, Listener, Onward};
use crate::definition::Definition;
use crate::rules::Test;
use asl_engine::{InspectedPlace, InspectionEvent};
use serde_json::Value;
use std::sync::Arc;

/// Applies an event, without its data if no data is retained.
pub(crate) fn apply_event(
    builder: &mut Builder,
    definition: &Definition,
    listener: &mut Option<Listener>,
    keeps_data: bool,
    place: InspectedPlace<'_>,
    inspected: InspectionEvent<'_>,
) {
    let (flow, now) = (place.flow, place.now);
    let copied = |value: &Value| match keeps_data {
        true => Arc::new(value.clone()),
        false => Arc::default(),
    };
    match inspected {
        InspectionEvent::Attempt { input, retry_count } => {
            let parent = place.parent.map(|parent| (parent.flow, parent.index));
            let input = copied(input);
            builder.attempt(flow, parent, place.state, now, input, retry_count);
        }
        InspectionEvent::Left { output, next } => {
            let onward = next.map_or(Onward::End, |next| Onward::To(next.to_owned()));
            builder.record_exit(flow, now, copied(output), onward, listener);
        }
        _ if !keeps_data => {}
        InspectionEvent::Test {
            rule,
            test,
            value,
            other,
            holds,
        } => builder.test(
            flow,
            Test {
                rule,
                test: test.to_owned(),
                value: value.cloned(),
                other: other.cloned(),
                holds,
            },
        ),
        InspectionEvent::Choice { index } => builder.decided(flow, now, Some(index)),
        InspectionEvent::Default => builder.decided(flow, now, None),
        InspectionEvent::Error {
            error,
            cause,
            place: at,
        } => {
            let is_here = at.is_some_and(|at| at.state == *place.state);
            let field = at.and_then(|at| at.field.clone()).filter(|_| is_here);
            let error = Finding::Error {
                error: error.map(str::to_owned),
                cause: cause.map(str::to_owned),
                field,
            };
            builder.failed(flow, now, error);
        }
        InspectionEvent::Field { field, value }
            if !definition.has_field(place.state, field, value) => {}
        other => {
            if let Some(taken) = handler(definition, place.state, &other) {
                builder.record_handler(flow, now, taken);
            } else if let Some(finding) = plain(&other) {
                builder.add_finding(flow, now, finding);
            }
        }
    }
}

/// Returns the retrier or catcher that handles an error.
fn handler(
    definition: &Definition,
    state: &str,
    inspected: &InspectionEvent<'_>,
) -> Option<Finding> {
    match *inspected {
        InspectionEvent::RetriesExhausted { index } => Some(Finding::Exhausted {
            index,
            error_equals: definition.names(state, "Retry", index),
        }),
        InspectionEvent::Retry {
            index,
            delay_seconds,
        } => Some(Finding::Retry {
            index: Some(index),
            error_equals: definition.names(state, "Retry", index),
            max_attempts: definition.max_attempts(state, index),
            delay_seconds,
        }),
        InspectionEvent::Catch { index } => Some(Finding::Catch {
            index: Some(index),
            error_equals: definition.names(state, "Catch", index),
        }),
        _ => None,
    }
}

/// Converts an event that needs no context.
fn plain(inspected: &InspectionEvent<'_>) -> Option<Finding> {
    match *inspected {
        InspectionEvent::Field { field, value } => Some(Finding::Field {
            field: field.to_owned(),
            value: Arc::new(value.clone()),
        }),
        InspectionEvent::Variable { name, value } => Some(Finding::Variable {
            name: name.to_owned(),
            value: Arc::new(value.clone()),
        }),
        InspectionEvent::Iterations { count } => Some(Finding::Iterations { count }),
        _ => None,
    }
}
