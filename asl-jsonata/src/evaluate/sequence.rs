//! Inputs and results of a step of a path.
use super::{Evaluation, Outcome};
use crate::value::{ArrayKind, Items, Value};
use serde_json::Value as Json;

/// Items, not copied if they exist as an array.
pub(super) enum Sequence<'a> {
    /// One item of any kind.
    One(Value<'a>),
    /// The items of an array; it remains that array if it is the whole result.
    Whole(Value<'a>),
    Many(Vec<Value<'a>>),
}

impl<'a> Sequence<'a> {
    pub(super) const EMPTY: Self = Self::Many(Vec::new());

    /// Creates a sequence from a value: the items of an array, or the value itself.
    pub(super) fn from_value(value: Value<'a>) -> Self {
        if value.is_array() {
            Self::Whole(value)
        } else {
            Self::One(value)
        }
    }

    pub(super) fn items(&self) -> Items<'_, 'a> {
        match self {
            Self::One(value) => Items::Made(std::slice::from_ref(value)),
            Self::Whole(value) => value.as_items().unwrap_or(Items::Made(&[])),
            Self::Many(items) => Items::Made(items),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items().len() == 0
    }

    /// Returns true if its items are tuples, known as such.
    pub(super) fn is_tuples(&self) -> bool {
        matches!(self, Self::Whole(value) if value.array_kind() == Some(ArrayKind::Tuples))
    }

    /// As the one value that an array constructor at the start of a path has as its context.
    pub(super) fn to_context(&self) -> Value<'a> {
        match self {
            Self::Whole(value) => value.clone(),
            _ => Value::sequence(self.items().iter().collect()),
        }
    }

    /// The same, but the array of a constructor is one item.
    pub(super) fn with_array_kept(self) -> Self {
        match self {
            Self::Whole(array) if array.array_kind() == Some(ArrayKind::Constructed) => {
                Self::One(array)
            }
            other => other,
        }
    }

    /// As the value of an expression; with `keep`, one item stays an array.
    pub(super) fn into_value(self, keep: bool) -> Value<'a> {
        match self {
            Self::Whole(value) => value,
            Self::One(value) if keep => to_array(value),
            Self::One(value) => value,
            Self::Many(mut items) => match (items.len(), items.pop()) {
                (1, Some(item)) if keep => to_array(item),
                (1, Some(item)) => item,
                (_, Some(last)) => {
                    items.push(last);
                    Value::sequence(items)
                }
                (_, None) => Value::Undefined,
            },
        }
    }
}

/// Returns one item as an array.
fn to_array(item: Value<'_>) -> Value<'_> {
    Value::array_of(ArrayKind::KeptSequence, vec![item])
}

/// Puts the results for each item of a step together.
pub(super) enum Collector<'a> {
    Empty,
    One(Sequence<'a>),
    Many(Vec<Value<'a>>),
}

impl<'a> Collector<'a> {
    /// Adds a value of a step, if it is one.
    pub(super) fn push(
        &mut self,
        evaluation: &mut Evaluation<'a, '_>,
        value: Value<'a>,
    ) -> Outcome<()> {
        match self {
            _ if value.is_undefined() => Ok(()),
            Self::Many(items) if !value.is_array() => {
                evaluation.charge_memory(size_of::<Value<'a>>())?;
                items.push(value);
                Ok(())
            }
            _ => self.push_sequence(evaluation, Sequence::from_value(value)),
        }
    }

    /// Adds JSON that exists already.
    pub(super) fn push_json(
        &mut self,
        evaluation: &mut Evaluation<'a, '_>,
        json: &'a Json,
    ) -> Outcome<()> {
        match (self, json) {
            (Self::Many(items), Json::Array(more)) => {
                evaluation.charge_items(more.len())?;
                items.extend(more.iter().map(Value::Json));
                Ok(())
            }
            (Self::Many(items), _) => {
                evaluation.charge_memory(size_of::<Value<'a>>())?;
                items.push(Value::Json(json));
                Ok(())
            }
            (results, _) => results.push(evaluation, Value::Json(json)),
        }
    }

    /// Appends the result of a step's stages for a value.
    pub(super) fn push_sequence(
        &mut self,
        evaluation: &mut Evaluation<'a, '_>,
        sequence: Sequence<'a>,
    ) -> Outcome<()> {
        match std::mem::replace(self, Self::Empty) {
            Self::Empty => *self = Self::One(sequence),
            Self::One(first) => {
                let mut items = Vec::new();
                evaluation.flatten_into(&mut items, first)?;
                evaluation.flatten_into(&mut items, sequence)?;
                *self = Self::Many(items);
            }
            Self::Many(mut items) => {
                evaluation.flatten_into(&mut items, sequence)?;
                *self = Self::Many(items);
            }
        }
        Ok(())
    }

    /// Returns the result of the step. If it is the last step, and its only result is an array, returns that array.
    pub(super) fn finish(self, last: bool) -> Sequence<'a> {
        match self {
            Self::Empty => Sequence::EMPTY,
            Self::Many(items) => Sequence::Many(items),
            Self::One(Sequence::Whole(array)) => match array.array_kind() {
                Some(ArrayKind::Constructed) if !last => Sequence::One(array),
                Some(ArrayKind::Constructed | ArrayKind::Plain) if last => Sequence::Whole(array),
                _ => match array.as_items() {
                    Some(items) if items.len() == 0 => Sequence::EMPTY,
                    Some(items) if items.len() == 1 => {
                        Sequence::One(items.get(0).unwrap_or_default())
                    }
                    _ => Sequence::Whole(array),
                },
            },
            Self::One(sequence) => sequence,
        }
    }
}

impl<'a> Evaluation<'a, '_> {
    /// Appends the items of one result; an array constructor of a path stays one item.
    fn flatten_into(&mut self, items: &mut Vec<Value<'a>>, sequence: Sequence<'a>) -> Outcome<()> {
        match sequence {
            Sequence::Whole(value) if value.array_kind() != Some(ArrayKind::Constructed) => {
                self.append(items, value)?;
            }
            Sequence::One(value) | Sequence::Whole(value) => {
                self.charge_memory(size_of::<Value<'a>>())?;
                items.push(value);
            }
            Sequence::Many(more) => {
                self.charge_items(more.len())?;
                items.extend(more);
            }
        }
        Ok(())
    }
}
