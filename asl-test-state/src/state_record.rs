//! Events of the core while the state runs.
use asl_engine::{ErrorOutput, InspectionEvent};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Record of the events of the state.
#[derive(Debug, Default)]
pub(crate) struct StateRecord {
    /// Data after each field, by name.
    fields: BTreeMap<&'static str, Value>,
    /// Items after "ItemSelector".
    pub(crate) selected_items: Vec<Value>,
    pub(crate) variables: Map<String, Value>,
    pub(crate) error: Option<ErrorOutput>,
    /// The retrier that matches.
    pub(crate) retrier: Option<usize>,
    /// Seconds until the next attempt.
    pub(crate) retry_delay: Option<f64>,
    pub(crate) catcher: Option<usize>,
    /// The iterations that a Map State is about to make.
    pub(crate) iterations: Option<u64>,
    /// The state that follows.
    pub(crate) next: Option<String>,
    /// True if the state was left with an output.
    pub(crate) is_left: bool,
}

impl StateRecord {
    pub(crate) fn record(&mut self, inspected: InspectionEvent<'_>) {
        match inspected {
            InspectionEvent::Field { field, value } => self.record_field(field, value),
            InspectionEvent::Variable { name, value } => {
                self.variables.insert(name.to_owned(), value.clone());
            }
            InspectionEvent::Error { error, cause, .. } => {
                self.error = Some(ErrorOutput {
                    error: error.map(str::to_owned),
                    cause: cause.map(str::to_owned),
                });
            }
            InspectionEvent::Retry {
                index,
                delay_seconds,
            } => {
                self.retrier = Some(index);
                self.retry_delay = Some(delay_seconds);
            }
            InspectionEvent::RetriesExhausted { index } => self.retrier = Some(index),
            InspectionEvent::Catch { index } => self.catcher = Some(index),
            InspectionEvent::Iterations { count } => self.iterations = Some(count),
            InspectionEvent::Left { next, .. } => {
                self.is_left = true;
                self.next = next.map(str::to_owned);
            }
            _ => {}
        }
    }

    fn record_field(&mut self, field: &'static str, value: &Value) {
        if field == "ItemSelector" {
            self.selected_items.push(value.clone());
        } else {
            self.fields.insert(field, value.clone());
        }
    }

    /// Returns the data after a field, if it was evaluated.
    pub(crate) fn field(&self, name: &str) -> Option<&Value> {
        self.fields.get(name)
    }
}
