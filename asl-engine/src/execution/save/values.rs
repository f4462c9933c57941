//! The table of values: what several parts of an execution share is written once, and shared again after reading.
use super::damage::{Damage, DamageContext as _, Read};
use crate::data::{Data, Measure, measure};
use crate::execution::evaluate::Variable;
use crate::saved;
use asl_path::json::printed;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// Names a value of the table by its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct ValueIndex(u32);

/// Values on their way into a save.
#[derive(Default)]
pub(super) struct ValueTable {
    texts: Vec<String>,
    /// Indexes of shared values, by address.
    known: HashMap<*const Value, ValueIndex>,
}

impl ValueTable {
    /// Returns a value that others may have too.
    pub(super) fn shared(&mut self, value: &Arc<Value>) -> ValueIndex {
        let address = Arc::as_ptr(value);
        if let Some(index) = self.known.get(&address) {
            return *index;
        }
        let index = self.put(value);
        self.known.insert(address, index);
        index
    }

    pub(super) fn data(&mut self, data: &Data) -> ValueIndex {
        match data.as_shared() {
            Some(value) => self.shared(value),
            None => self.put(data),
        }
    }

    fn put(&mut self, value: &Value) -> ValueIndex {
        let index = ValueIndex(self.texts.len() as u32);
        self.texts.push(printed(value));
        index
    }

    pub(super) fn into_texts(self) -> Vec<String> {
        self.texts
    }
}

/// Values of a save, each measured at most once.
pub(super) struct Values {
    values: Vec<(Arc<Value>, Option<Measure>)>,
}

impl Values {
    pub(super) fn new(texts: &[String]) -> Read<Self> {
        let values = texts.iter().enumerate().map(|(index, text)| {
            let value = parsed(text).within(format_args!("values[{index}]"))?;
            Ok((Arc::new(value), None))
        });
        Ok(Self {
            values: values.collect::<Read<_>>()?,
        })
    }

    fn entry(&mut self, index: ValueIndex) -> Read<&mut (Arc<Value>, Option<Measure>)> {
        let length = self.values.len();
        let entry = self.values.get_mut(index.0 as usize);
        entry.ok_or_else(|| {
            Damage::unexpected(format_args!("an index of one of {length} values"), index.0)
        })
    }

    pub(super) fn shared(&mut self, index: ValueIndex) -> Read<Arc<Value>> {
        self.entry(index).map(|(value, _)| Arc::clone(value))
    }

    /// With its measure, which is not taken from the save.
    pub(super) fn measured(&mut self, index: ValueIndex) -> Read<(Arc<Value>, Measure)> {
        let (value, known) = self.entry(index)?;
        let measure = *known.get_or_insert_with(|| measure(value, true));
        Ok((Arc::clone(value), measure))
    }

    pub(super) fn data(&mut self, index: ValueIndex) -> Read<Data> {
        let (value, measure) = self.measured(index)?;
        Ok(Data::shared(value, measure))
    }

    pub(super) fn variable(&mut self, index: ValueIndex) -> Read<Variable> {
        let (value, measure) = self.measured(index)?;
        Ok(Variable { value, measure })
    }
}

/// JSON that one place alone has, as its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct JsonText(String);

impl JsonText {
    pub(super) fn new(value: &Value) -> Self {
        Self(printed(value))
    }

    /// Of an object; none of an empty one.
    pub(super) fn from_object(fields: &Map<String, Value>) -> Option<Self> {
        let text = serde_json::to_string(fields).unwrap_or_default();
        (!fields.is_empty()).then_some(Self(text))
    }

    pub(super) fn value(&self) -> Read<Value> {
        parsed(&self.0)
    }

    pub(super) fn object(text: Option<&Self>) -> Read<Map<String, Value>> {
        match text.map(Self::value).transpose()? {
            None => Ok(Map::new()),
            Some(Value::Object(fields)) => Ok(fields),
            Some(_) => Err(Damage::unexpected("an object", "another value")),
        }
    }
}

fn parsed(text: &str) -> Read<Value> {
    saved::value(text).map_err(|error| Damage::new(error.to_string()))
}
