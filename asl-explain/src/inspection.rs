//! What the core tells, as findings.
use crate::account::Finding;
use crate::builder::{Builder, Listener, Onward};
use crate::definition::Definition;
use crate::rules::Test;
use asl_engine::{Inspected, InspectedPlace};
use serde_json::Value;
use std::sync::Arc;

/// Of what is told, the parts that hold no data where none is kept.
pub(crate) fn hear(
    builder: &mut Builder,
    definition: &Definition,
    listener: &mut Option<Listener>,
    keeps_data: bool,
    (place, inspected): (InspectedPlace<'_>, Inspected<'_>),
) {
    let (flow, now) = (place.flow, place.now);
    let copied = |value: &Value| match keeps_data {
        true => Arc::new(value.clone()),
        false => Arc::default(),
    };
    match inspected {
        Inspected::Attempt { input, retry_count } => {
            let parent = place.parent.map(|parent| (parent.flow, parent.index));
            let named = (&**place.state, now);
            builder.attempt((flow, parent), named, copied(input), retry_count);
        }
        Inspected::Left { output, next } => {
            let onward = next.map_or(Onward::End, |next| Onward::To(next.to_owned()));
            let left = (copied(output), onward);
            builder.left(flow, now, left, listener);
        }
        _ if !keeps_data => {}
        Inspected::Test {
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
        Inspected::Choice { index } => builder.decided(flow, now, Some(index)),
        Inspected::Default => builder.decided(flow, now, None),
        Inspected::Error {
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
        Inspected::Field { field, value } if !definition.has_field(place.state, field, value) => {}
        other => {
            if let Some(taken) = handler(definition, place.state, &other) {
                builder.taken(flow, now, taken);
            } else if let Some(finding) = plain(&other) {
                builder.found(flow, now, finding);
            }
        }
    }
}

/// The retrier or catcher that takes an error.
fn handler(definition: &Definition, state: &str, inspected: &Inspected<'_>) -> Option<Finding> {
    match *inspected {
        Inspected::RetriesExhausted { index } => Some(Finding::Exhausted {
            index,
            error_equals: definition.names(state, "Retry", index),
        }),
        Inspected::Retry {
            index,
            delay_seconds,
        } => Some(Finding::Retry {
            index: Some(index),
            error_equals: definition.names(state, "Retry", index),
            max_attempts: definition.max_attempts(state, index),
            delay_seconds,
        }),
        Inspected::Catch { index } => Some(Finding::Catch {
            index: Some(index),
            error_equals: definition.names(state, "Catch", index),
        }),
        _ => None,
    }
}

/// What is told as it is.
fn plain(inspected: &Inspected<'_>) -> Option<Finding> {
    match *inspected {
        Inspected::Field { field, value } => Some(Finding::Field {
            field: field.to_owned(),
            value: Arc::new(value.clone()),
        }),
        Inspected::Variable { name, value } => Some(Finding::Variable {
            name: name.to_owned(),
            value: Arc::new(value.clone()),
        }),
        Inspected::Iterations { count } => Some(Finding::Iterations { count }),
        _ => None,
    }
}
