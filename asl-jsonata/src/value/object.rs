//! Objects.
use super::named::{self, NamedEntries};
use super::release::{PendingValues, nests, release};
use super::{Text, Tuple, Value};
use asl_path::field;
use serde_json::{Map, Value as Json};

/// An object that an evaluation made; its fields keep the order in which they were first set.
#[derive(Default)]
pub(crate) struct Object<'a>(NamedEntries<'a, Value<'a>>);

impl<'a> Object<'a> {
    pub(crate) fn with_capacity(fields: usize) -> Self {
        Self(NamedEntries::with_capacity(fields))
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value<'a>> {
        self.0.get(name)
    }

    /// Sets a field, in the place of an earlier one of the same name.
    pub(crate) fn insert(&mut self, name: Text<'a>, value: Value<'a>) {
        self.0.insert(name, value);
    }

    /// Adds a field of a name that it does not have.
    pub(crate) fn push(&mut self, name: Text<'a>, value: Value<'a>) {
        self.0.push(name, value);
    }

    /// Removes the fields of which `keep` says so.
    pub(crate) fn retain(&mut self, keep: impl FnMut(&str) -> bool) {
        self.0.retain(keep);
    }

    pub(crate) fn iter(&self) -> named::Iter<'_, 'a, Value<'a>> {
        self.0.iter()
    }

    pub(super) fn give(&mut self, pending: &mut PendingValues<'a>) {
        let fields = std::mem::take(&mut self.0).into_iter();
        pending.extend(fields.map(|(_, value)| value));
    }
}

impl Drop for Object<'_> {
    fn drop(&mut self) {
        if self.iter().any(|(_, value)| nests(value)) {
            release(|pending| self.give(pending));
        }
    }
}

/// The fields of an object, wherever it lives.
#[derive(Clone, Copy)]
pub(crate) enum Fields<'v, 'a> {
    Json(&'a Map<String, Json>),
    Made(&'v Object<'a>),
    Tuple(&'v Tuple<'a>),
}

impl<'v, 'a> Fields<'v, 'a> {
    pub(crate) fn len(self) -> usize {
        match self {
            Self::Json(fields) => fields.len(),
            Self::Made(object) => object.len(),
            Self::Tuple(tuple) => tuple.fields().count(),
        }
    }

    /// Returns the value of a field; undefined if the field is missing.
    pub(crate) fn get(self, name: &str) -> Value<'a> {
        match self {
            Self::Json(fields) => field(fields, name).map_or(Value::Undefined, Value::Json),
            Self::Made(object) => object.get(name).cloned().unwrap_or_default(),
            Self::Tuple(tuple) => {
                let mut fields = tuple.fields();
                let found = fields.find(|(known, _)| *known == name);
                found.map_or(Value::Undefined, |(_, value)| value)
            }
        }
    }

    pub(crate) fn iter(self) -> FieldsIterator<'v, 'a> {
        match self {
            Self::Json(fields) => FieldsIterator::Json(fields.iter()),
            Self::Made(object) => FieldsIterator::Made(object.iter()),
            Self::Tuple(tuple) => {
                let fields = tuple.fields();
                let owned = fields.map(|(name, value)| (Text::Borrowed(name), value));
                FieldsIterator::Tuple(owned.collect::<Vec<_>>().into_iter())
            }
        }
    }
}

/// Each field, with text and value of its own.
pub(crate) enum FieldsIterator<'v, 'a> {
    Json(serde_json::map::Iter<'a>),
    Made(named::Iter<'v, 'a, Value<'a>>),
    Tuple(std::vec::IntoIter<(Text<'a>, Value<'a>)>),
}

impl<'a> Iterator for FieldsIterator<'_, 'a> {
    type Item = (Text<'a>, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Json(fields) => fields
                .next()
                .map(|(name, value)| (Text::Borrowed(name), Value::Json(value))),
            Self::Made(fields) => fields.next().cloned(),
            Self::Tuple(fields) => fields.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Json(fields) => fields.size_hint(),
            Self::Made(fields) => fields.size_hint(),
            Self::Tuple(fields) => fields.size_hint(),
        }
    }
}

impl ExactSizeIterator for FieldsIterator<'_, '_> {}
