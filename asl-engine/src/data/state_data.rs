//! A state's data: owned while one flow has it, shared where two need it.
use super::items::{Item, Items};
use super::measure::{Excess, Measure, measure};
use super::weight::WEIGHT_OF_A_BYTE;
use crate::Limits;
use asl_path::json::Size;
use serde_json::Value;
use std::ops::Deref;
use std::sync::Arc;

/// JSON with an upper bound of its measure.
#[derive(Debug, Clone)]
pub(crate) struct Data {
    value: Ownership,
    pub(crate) measure: Measure,
}

/// Sharing costs an allocation, so data is shared only when a second owner appears.
#[derive(Debug, Clone)]
enum Ownership {
    Owned(Value),
    Shared(Arc<Value>),
    Item(Item),
}

impl Ownership {
    #[inline]
    fn value(&self) -> &Value {
        match self {
            Self::Owned(value) => value,
            Self::Shared(value) => value,
            Self::Item(item) => item.value(),
        }
    }
}

impl Default for Data {
    fn default() -> Self {
        Self {
            value: Ownership::Owned(Value::Null),
            measure: Measure::default(),
        }
    }
}

impl Deref for Data {
    type Target = Value;

    #[inline]
    fn deref(&self) -> &Value {
        self.value.value()
    }
}

impl Data {
    /// Data whose measure is known.
    pub(crate) fn new(value: Value, measure: Measure) -> Self {
        Self {
            value: Ownership::Owned(value),
            measure,
        }
    }

    /// Data from outside or just built.
    pub(crate) fn measured(value: Value, limits: &Limits) -> Self {
        let measure = measure(&value, limits.max_payload_bytes.is_some());
        Self::new(value, measure)
    }

    /// Returns data from outside and its approximate weight, of one walk.
    pub(crate) fn received(value: Arc<Value>, limits: &Limits) -> (Self, u64) {
        let (measure, weight) = measure_and_weigh(&value, limits);
        (Self::shared(value, measure), weight)
    }

    /// Data that others have too, whose measure is known.
    pub(crate) fn shared(value: Arc<Value>, measure: Measure) -> Self {
        Self {
            value: Ownership::Shared(value),
            measure,
        }
    }

    /// One of the items of a Map State.
    pub(crate) fn item(items: &Arc<Items>, index: u32) -> Self {
        Self {
            value: Ownership::Item(Item::new(Arc::clone(items), index)),
            measure: items.measure,
        }
    }

    pub(crate) fn empty_object() -> Self {
        Self::new(
            Value::Object(serde_json::Map::new()),
            Measure { depth: 1, bytes: 2 },
        )
    }

    /// Returns a second owner of the same data.
    pub(crate) fn share(&mut self) -> Arc<Value> {
        let value = match &mut self.value {
            Ownership::Shared(value) => return Arc::clone(value),
            Ownership::Owned(value) => std::mem::take(value),
            Ownership::Item(item) => item.take(),
        };
        let value = Arc::new(value);
        self.value = Ownership::Shared(Arc::clone(&value));
        value
    }

    /// Returns a copy that costs nothing: both share the data from now on.
    pub(crate) fn duplicate(&mut self) -> Self {
        Self {
            value: Ownership::Shared(self.share()),
            measure: self.measure,
        }
    }

    /// Returns the value, where others have it too or may.
    pub(crate) fn as_shared(&self) -> Option<&Arc<Value>> {
        match &self.value {
            Ownership::Shared(value) => Some(value),
            Ownership::Owned(_) | Ownership::Item(_) => None,
        }
    }

    /// Returns the value itself: moved out where this is the only owner, else copied.
    pub(crate) fn into_value(self) -> Value {
        match self.value {
            Ownership::Owned(value) => value,
            Ownership::Shared(value) => Arc::unwrap_or_clone(value),
            Ownership::Item(mut item) => item.take(),
        }
    }

    pub(crate) fn into_shared(mut self) -> Arc<Value> {
        self.share()
    }

    /// Returns the value for writing in place: copied first where others have it too.
    pub(crate) fn make_mut(&mut self) -> &mut Value {
        match &mut self.value {
            Ownership::Owned(value) => value,
            Ownership::Shared(value) => Arc::make_mut(value),
            Ownership::Item(item) => item.make_mut(),
        }
    }

    /// Returns the value for writing in place, unless others have it too.
    pub(crate) fn get_mut(&mut self) -> Option<&mut Value> {
        match &mut self.value {
            Ownership::Owned(value) => Some(value),
            Ownership::Shared(value) => Arc::get_mut(value),
            Ownership::Item(item) => item.get_mut(),
        }
    }

    /// Returns a part of this data, copied; what bounds the whole bounds the part.
    pub(crate) fn part(&self, part: Value) -> Self {
        Self::new(part, self.measure)
    }

    /// The limit that it is over. Measures anew only if the bound says that it may be.
    #[inline]
    pub(crate) fn excess(&mut self, limits: &Limits) -> Option<Excess> {
        self.measure.excess(limits)?;
        self.measure_anew(limits);
        self.measure.excess(limits)
    }

    /// Makes the bound exact.
    pub(crate) fn measure_anew(&mut self, limits: &Limits) {
        self.measure = measure(self, limits.max_payload_bytes.is_some());
    }
}

/// Returns the measure of a value and its approximate weight, of one walk: where bytes count, the weight follows from them.
pub(super) fn measure_and_weigh(value: &Value, limits: &Limits) -> (Measure, u64) {
    if limits.max_payload_bytes.is_some() {
        let measure = measure(value, true);
        return (measure, measure.bytes.saturating_mul(WEIGHT_OF_A_BYTE));
    }
    let size = Size::from_value(value);
    (Measure::from_size(size), size.weight() as u64)
}

/// Data that is passed on, in a few words: the value is always shared.
#[derive(Debug, Clone)]
pub(crate) struct SharedData {
    pub(crate) value: Arc<Value>,
    pub(crate) measure: Measure,
}

impl From<Data> for SharedData {
    fn from(data: Data) -> Self {
        Self {
            measure: data.measure,
            value: data.into_shared(),
        }
    }
}

impl From<SharedData> for Data {
    fn from(SharedData { value, measure }: SharedData) -> Self {
        Self::shared(value, measure)
    }
}
