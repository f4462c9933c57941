//! The items of a Map State: found, and not copied before their iterations start.
use super::data::Data;
use super::evaluation::{Documents, Evaluation};
use super::fault::EvaluationFault;
use super::jsonata::unexpected_type;
use super::measure::{Measure, measure};
use crate::program::{self, CompiledNode, CompiledTemplate, MapState};
use asl_path::Step;
use serde_json::Value;
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

    /// What "ItemsPath" selects of the effective input, or what "Items" gives; the whole of it where there is neither.
    pub(super) fn of_state(
        evaluation: &mut Evaluation<'_>,
        map: &MapState,
        effective_input: &Arc<Value>,
        input_measure: Measure,
    ) -> Result<Self, EvaluationFault> {
        match &map.items {
            Some(program::Items::Template(template)) => {
                let mut input = Data::of_shared(Arc::clone(effective_input), input_measure);
                Self::of_template(evaluation, template, &mut input)
            }
            Some(program::Items::Path(path, reference)) => {
                let found = evaluation.find(path, effective_input)?;
                let length = array_length(&found, path.source())?;
                let steps = reference
                    .as_ref()
                    .and_then(|reference| places(reference.steps(), effective_input));
                Ok(match steps {
                    Some(steps) => Self {
                        document: Arc::clone(effective_input),
                        steps,
                        length,
                        measure: input_measure,
                    },
                    // Gathered, or of another document: an array of its own.
                    None => Self {
                        measure: measure(&found, evaluation.limits.max_payload_bytes.is_some()),
                        document: Arc::new(found.into_owned()),
                        steps: Vec::new(),
                        length,
                    },
                })
            }
            None => Ok(Self {
                length: array_length(effective_input, "$")?,
                document: Arc::clone(effective_input),
                steps: Vec::new(),
                measure: input_measure,
            }),
        }
    }

    fn of_template(
        evaluation: &mut Evaluation<'_>,
        template: &CompiledTemplate,
        input: &mut Data,
    ) -> Result<Self, EvaluationFault> {
        let mut documents = Documents::of_input(input);
        let items = evaluation
            .shared(&template.root, "", &mut documents)
            .map_err(|fault| fault.at("Items"))?;
        match (&*items, &template.root) {
            (Value::Array(array), _) => Ok(Self {
                length: u32::try_from(array.len()).unwrap_or(u32::MAX),
                measure: items.measure,
                document: items.into_shared(),
                steps: Vec::new(),
            }),
            (value, CompiledNode::Expression(expression)) => {
                Err(unexpected_type(&expression.string, "array", value).at("Items"))
            }
            (value, _) => {
                let detail = format!("The Items field must be an array, but was {value}");
                Err(EvaluationFault::of_field("Items", detail))
            }
        }
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

fn array_length(value: &Value, source: &str) -> Result<u32, EvaluationFault> {
    let Some(array) = value.as_array() else {
        return Err(EvaluationFault::runtime(format!(
            "Reference path \"{source}\" must point to array."
        )));
    };
    Ok(u32::try_from(array.len()).unwrap_or(u32::MAX))
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
