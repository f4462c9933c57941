//! The items of a Map State, not copied before their iterations start.
use super::measure::{Measure, measure};
use super::weight::weigh;
use asl_path::Step;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// An array within a document, or made of an object.
#[derive(Debug, Clone)]
pub(crate) struct Items {
    pub(crate) document: Arc<Value>,
    /// From the document to the array.
    pub(crate) steps: Vec<ItemStep>,
    pub(crate) length: u32,
    /// Index of the first item that is in the array: of a large dataset, only those that are about to start are.
    pub(crate) first: u32,
    /// Upper bound of each item: the measure of the document.
    pub(crate) measure: Measure,
    /// True if the items are the pairs of an object: `{"Key": …, "Value": …}`.
    pub(crate) pairs: bool,
}

/// An item as the data of a state: copied only when it is written or passed on.
#[derive(Debug, Clone)]
pub(super) struct Item {
    items: Arc<Items>,
    index: u32,
    /// Once it was written.
    copy: Option<Box<Value>>,
}

impl Item {
    pub(super) fn new(items: Arc<Items>, index: u32) -> Self {
        let copy = None;
        Self { items, index, copy }
    }

    pub(super) fn value(&self) -> &Value {
        match &self.copy {
            Some(copy) => copy,
            None => self.items.get(self.index),
        }
    }

    /// Returns the value, consuming the item.
    pub(super) fn take(&mut self) -> Value {
        match self.copy.take() {
            Some(copy) => *copy,
            None => self.items.get(self.index).clone(),
        }
    }

    /// Returns its copy, if there is one.
    pub(super) fn get_mut(&mut self) -> Option<&mut Value> {
        self.copy.as_deref_mut()
    }

    pub(super) fn make_mut(&mut self) -> &mut Value {
        let (items, index) = (&self.items, self.index);
        self.copy
            .get_or_insert_with(|| Box::new(items.get(index).clone()))
    }
}

/// One step towards the array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ItemStep {
    Field(String),
    Element(usize),
}

/// An item as the Context Object shows it.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(crate) struct MapItem {
    index: u64,
    /// Of a pair of an object.
    #[serde(with = "crate::saved::optional_text")]
    key: Option<Value>,
    #[serde(with = "crate::saved::text")]
    value: Value,
}

impl MapItem {
    /// Creates an item, or a pair if there is a key.
    pub(crate) fn new(index: u64, key: Option<Value>, value: Value) -> Self {
        Self { index, key, value }
    }

    /// Returns its index, key and value.
    pub(crate) fn parts(&self) -> (u64, Option<&Value>, &Value) {
        (self.index, self.key.as_ref(), &self.value)
    }

    /// Creates the item of a child that gets a batch.
    pub(crate) fn from_batch(index: u64) -> Self {
        Self {
            index,
            key: None,
            value: Value::Null,
        }
    }

    /// "Map.Item" of the Context Object.
    pub(crate) fn into_context(self) -> Value {
        let mut item = Map::new();
        item.insert("Index".to_owned(), self.index.into());
        if let Some(key) = self.key {
            item.insert("Key".to_owned(), key);
        }
        item.insert("Value".to_owned(), self.value);
        Value::Object(item)
    }
}

impl Items {
    /// The elements of an array that is a document of its own, `length` of them.
    pub(crate) fn from_document(document: Arc<Value>, length: u32, measure: Measure) -> Self {
        Self {
            document,
            steps: Vec::new(),
            length,
            first: 0,
            measure,
            pairs: false,
        }
    }

    /// Creates all elements of an array.
    pub(crate) fn from_array(items: Vec<Value>, count_bytes: bool) -> Self {
        let length = u32::try_from(items.len()).unwrap_or(u32::MAX);
        let document = Value::Array(items);
        let measure = measure(&document, count_bytes);
        Self::from_document(Arc::new(document), length, measure)
    }

    /// Returns items with those at `first` and after it alone, of `length` in all.
    pub(crate) fn window(items: Vec<Value>, first: u32, length: u32, count_bytes: bool) -> Self {
        Self {
            first,
            length,
            ..Self::from_array(items, count_bytes)
        }
    }

    /// Returns the end of the items that are in the array.
    pub(crate) fn window_end(&self) -> u32 {
        let array = Self::find(&self.document, &self.steps).and_then(Value::as_array);
        let held = array.map_or(0, Vec::len);
        let end = u32::try_from(held)
            .unwrap_or(u32::MAX)
            .saturating_add(self.first);
        end.min(self.length)
    }

    /// Returns the fields of an object as items: a distributed Map of the service accepts an object (its guide, ItemsPath).
    pub(crate) fn from_object(object: &Map<String, Value>, count_bytes: bool) -> Self {
        let pairs = object
            .iter()
            .map(|(key, value)| json!({ "Key": key, "Value": value }));
        Self {
            pairs: true,
            ..Self::from_array(pairs.collect(), count_bytes)
        }
    }

    /// Returns the average weight of an item.
    pub(crate) fn item_weight(&self) -> u64 {
        let array = Self::find(&self.document, &self.steps);
        let held = self.window_end().saturating_sub(self.first);
        array.map_or(0, weigh) / u64::from(held).max(1)
    }

    /// Returns an item for the Context Object.
    pub(crate) fn item(&self, index: u32) -> MapItem {
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

    /// Returns one item; null for those that are not in the array.
    pub(crate) fn get(&self, index: u32) -> &Value {
        let place = index.checked_sub(self.first);
        Self::find(&self.document, &self.steps)
            .and_then(|array| array.get(place? as usize))
            .unwrap_or(&Value::Null)
    }

    /// Returns the value at the end of the steps.
    pub(crate) fn find<'d>(document: &'d Value, steps: &[ItemStep]) -> Option<&'d Value> {
        steps
            .iter()
            .try_fold(document, |value, step| step.within(value))
    }
}

impl ItemStep {
    /// Returns the value at this step in a value.
    fn within<'d>(&self, value: &'d Value) -> Option<&'d Value> {
        match self {
            Self::Field(name) => asl_path::field(value.as_object()?, name),
            Self::Element(index) => value.get(*index),
        }
    }
}

/// Returns the steps of a reference path within a document, negative indexes resolved.
pub(crate) fn item_steps(steps: &[Step], document: &Value) -> Option<Vec<ItemStep>> {
    let mut value = document;
    let mut resolved = Vec::with_capacity(steps.len());
    for step in steps {
        let step = match step {
            Step::Field(name) => ItemStep::Field(name.clone()),
            Step::Index(index) => {
                let length = i64::try_from(value.as_array()?.len()).ok()?;
                let index = if *index < 0 { length + index } else { *index };
                ItemStep::Element(usize::try_from(index).ok()?)
            }
        };
        value = step.within(value)?;
        resolved.push(step);
    }
    Some(resolved)
}
