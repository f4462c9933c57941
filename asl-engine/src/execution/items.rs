//! The items of a Map State: found, and not copied before their iterations start.
use super::data::Data;
use super::evaluation::{Documents, Evaluation};
use super::fault::EvaluationFault;
use super::jsonata::unexpected_type;
use super::measure::{Measure, measure};
use crate::program::{self, CompiledNode, CompiledTemplate, MapState};
use asl_model::ProcessorMode;
use asl_path::Step;
use serde_json::{Value, json};
use std::sync::Arc;

/// An array within a document, or made of an object.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(super) struct Items {
    document: Arc<Value>,
    /// From the document to the array.
    steps: Vec<Place>,
    pub(super) length: u32,
    /// What bounds the document bounds each item.
    pub(super) measure: Measure,
    /// Whether the items are the pairs of an object: `{"Key": …, "Value": …}`.
    pairs: bool,
}

/// An item as the Context Object shows it.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(crate) struct MapItem {
    index: u64,
    /// Of a pair of an object.
    key: Option<Value>,
    value: Value,
}

impl MapItem {
    /// What stands for the item of a child that gets a batch.
    pub(super) fn of_batch(index: u64) -> Self {
        Self {
            index,
            key: None,
            value: Value::Null,
        }
    }

    /// "Map.Item" of the Context Object.
    pub(super) fn into_context(self) -> Value {
        let mut item = serde_json::Map::new();
        item.insert("Index".to_owned(), self.index.into());
        if let Some(key) = self.key {
            item.insert("Key".to_owned(), key);
        }
        item.insert("Value".to_owned(), self.value);
        Value::Object(item)
    }
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
            pairs: false,
        }
    }

    /// The pairs of an object, which a distributed Map of the service takes for an array (its guide, ItemsPath).
    fn of_object(object: &serde_json::Map<String, Value>, count_bytes: bool) -> Self {
        let pairs = object
            .iter()
            .map(|(key, value)| json!({ "Key": key, "Value": value }));
        Self {
            pairs: true,
            ..Self::of_array(pairs.collect(), count_bytes)
        }
    }

    /// What "ItemsPath" selects of the effective input, or what "Items" gives; the whole of it where there is neither.
    pub(super) fn of_state(
        evaluation: &mut Evaluation<'_>,
        map: &MapState,
        effective_input: &Arc<Value>,
        input_measure: Measure,
    ) -> Result<Self, EvaluationFault> {
        let count_bytes = evaluation.limits.max_payload_bytes.is_some();
        match &map.items {
            Some(program::Items::Template(template)) => {
                let mut input = Data::of_shared(Arc::clone(effective_input), input_measure);
                Self::of_template(evaluation, map, template, &mut input)
            }
            Some(program::Items::Path(path, reference)) => {
                let found = evaluation.find(path, effective_input)?;
                if let Some(object) = taken_object(evaluation, map, &found) {
                    return Ok(Self::of_object(object, count_bytes));
                }
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
                        pairs: false,
                    },
                    // Gathered, or of another document: an array of its own.
                    None => Self {
                        measure: measure(&found, count_bytes),
                        document: Arc::new(found.into_owned()),
                        steps: Vec::new(),
                        length,
                        pairs: false,
                    },
                })
            }
            None => match taken_object(evaluation, map, effective_input) {
                Some(object) => Ok(Self::of_object(object, count_bytes)),
                None => Ok(Self {
                    length: array_length(effective_input, "$")?,
                    document: Arc::clone(effective_input),
                    steps: Vec::new(),
                    measure: input_measure,
                    pairs: false,
                }),
            },
        }
    }

    fn of_template(
        evaluation: &mut Evaluation<'_>,
        map: &MapState,
        template: &CompiledTemplate,
        input: &mut Data,
    ) -> Result<Self, EvaluationFault> {
        let mut documents = Documents::of_input(input);
        let items = evaluation
            .shared(&template.root, "", &mut documents)
            .map_err(|fault| fault.at("Items"))?;
        if let Some(object) = taken_object(evaluation, map, &items) {
            let count_bytes = evaluation.limits.max_payload_bytes.is_some();
            return Ok(Self::of_object(object, count_bytes));
        }
        match (&*items, &template.root) {
            (Value::Array(array), _) => Ok(Self {
                length: u32::try_from(array.len()).unwrap_or(u32::MAX),
                measure: items.measure,
                document: items.into_shared(),
                steps: Vec::new(),
                pairs: false,
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

    /// An item for the Context Object.
    pub(super) fn item(&self, index: u32) -> MapItem {
        let value = self.get(index).clone();
        let (key, value) = match value {
            Value::Object(mut pair) if self.pairs => (
                pair.shift_remove("Key"),
                pair.shift_remove("Value").unwrap_or_default(),
            ),
            value => (None, value),
        };
        MapItem {
            index: u64::from(index),
            key,
            value,
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

/// The object whose pairs are items, where the Map State takes one.
fn taken_object<'v>(
    evaluation: &Evaluation<'_>,
    map: &MapState,
    value: &'v Value,
) -> Option<&'v serde_json::Map<String, Value>> {
    let takes =
        map.mode == ProcessorMode::Distributed && evaluation.profile.takes_objects_as_items();
    value.as_object().filter(|_| takes)
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
