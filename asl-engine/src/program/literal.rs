//! JSON of a definition.
use crate::data::{Data, Measure, measure, weigh};
use serde_json::Value;

/// JSON of the definition with its measure.
#[derive(Debug)]
pub(crate) struct Literal {
    pub(crate) value: Value,
    pub(crate) measure: Measure,
    pub(crate) weight: u64,
}

impl Literal {
    /// Returns its value, as data of a state.
    pub(crate) fn data(&self) -> Data {
        Data::new(self.value.clone(), self.measure)
    }

    pub(crate) fn new(value: &Value) -> Self {
        Self {
            value: value.clone(),
            measure: measure(value, true),
            weight: weigh(value),
        }
    }
}
