//! The items of a Map State: found, and not copied before their iterations start.
use super::error::EvaluationFault;
use super::input_output::Evaluation;
use super::measure::{Measure, measure};
use crate::program::MapState;
use asl_path::Step;
use serde_json::Value;
use std::borrow::Cow;
use std::sync::Arc;

/// An array within a document.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(super) struct Items {
    document: Arc<Value>,
    /// From the document to the array.
    steps: Vec<Place>,
    pub(super) length: u32,
    /// What bounds the document bounds each item.
    pub(super) measure: Measure,
}

#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
enum Place {
    Field(String),
    Element(usize),
}

impl Items {
    /// All elements of an array.
    pub(super) fn of_array(items: Vec<Value>, count_bytes: bool) -> Self {
        let length = u32::try_from(items.len()).unwrap_or(u32::MAX);
        let document = Value::Array(items);
        let measure = measure(&document, count_bytes);
        Self {
            document: Arc::new(document),
            steps: Vec::new(),
            length,
            measure,
        }
    }

    /// What "ItemsPath" selects of the effective input; the whole of it where there is none.
    pub(super) fn of_path(
        evaluation: &Evaluation<'_>,
        map: &MapState,
        effective_input: &Arc<Value>,
        input_measure: Measure,
    ) -> Result<Self, EvaluationFault> {
        let count_bytes = evaluation.limits.max_payload_bytes.is_some();
        let (found, source) = match &map.items_path {
            None => (Cow::Borrowed(&**effective_input), "$"),
            Some(path) => (evaluation.find(path, effective_input)?, path.source()),
        };
        let Some(length) = found.as_array().map(Vec::len) else {
            return Err(EvaluationFault::runtime(format!(
                "Reference path \"{source}\" must point to array."
            )));
        };
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        let steps = match (&map.items_path, &map.items_reference) {
            (None, _) => Some(Vec::new()),
            (Some(_), Some(reference)) => places(reference.steps(), effective_input),
            (Some(_), None) => None,
        };
        Ok(match steps {
            Some(steps) => Self {
                document: Arc::clone(effective_input),
                steps,
                length,
                measure: input_measure,
            },
            // Gathered, or of the Context Object: an array of its own.
            None => Self {
                measure: measure(&found, count_bytes),
                document: Arc::new(found.into_owned()),
                steps: Vec::new(),
                length,
            },
        })
    }

    /// One item; null beyond the last.
    pub(super) fn get(&self, index: u32) -> &Value {
        let mut value = &*self.document;
        for step in &self.steps {
            let below = match step {
                Place::Field(name) => value.get(name),
                Place::Element(index) => value.get(*index),
            };
            let Some(below) = below else {
                return &Value::Null;
            };
            value = below;
        }
        value.get(index as usize).unwrap_or(&Value::Null)
    }
}

/// The steps of a reference path within a document, negative indexes resolved.
fn places(steps: &[Step], document: &Value) -> Option<Vec<Place>> {
    let mut value = document;
    let mut places = Vec::with_capacity(steps.len());
    for step in steps {
        let place = match step {
            Step::Field(name) => Place::Field(name.clone()),
            Step::Index(index) => {
                let length = i64::try_from(value.as_array()?.len()).ok()?;
                let index = if *index < 0 { length + index } else { *index };
                Place::Element(usize::try_from(index).ok()?)
            }
        };
        value = match &place {
            Place::Field(name) => value.get(name)?,
            Place::Element(index) => value.get(*index)?,
        };
        places.push(place);
    }
    Some(places)
}
