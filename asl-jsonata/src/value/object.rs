//! Objects.
use super::{Text, Value, release};
use serde_json::{Map, Value as Json};
use std::collections::HashMap;

/// An object that an evaluation made; its fields keep the order in which they were first set.
#[derive(Default)]
pub(crate) struct Object<'a> {
    fields: Vec<(Text<'a>, Value<'a>)>,
    /// Where each field is, once there are so many that looking through them all would be slow.
    index: HashMap<Text<'a>, usize>,
}

impl<'a> Object<'a> {
    /// Up to here a look through all the fields is as fast as hashing.
    const INDEXED_FROM: usize = 9;

    pub(crate) fn with_capacity(fields: usize) -> Self {
        Self {
            fields: Vec::with_capacity(fields),
            index: HashMap::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.fields.len()
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value<'a>> {
        Some(&self.fields.get(self.position(name)?)?.1)
    }

    /// Sets a field, in the place of an earlier one of the same name.
    pub(crate) fn insert(&mut self, name: Text<'a>, value: Value<'a>) {
        if let Some(field) = self
            .position(&name)
            .and_then(|position| self.fields.get_mut(position))
        {
            field.1 = value;
            return;
        }
        let position = self.fields.len();
        if position >= Self::INDEXED_FROM {
            if self.index.is_empty() {
                let known = self.fields.iter().enumerate();
                self.index = known.map(|(at, (name, _))| (name.clone(), at)).collect();
            }
            self.index.insert(name.clone(), position);
        }
        self.fields.push((name, value));
    }

    /// Removes the fields of which `keep` says so.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&str) -> bool) {
        self.fields.retain(|(name, _)| keep(name));
        self.index.clear();
        if self.fields.len() > Self::INDEXED_FROM {
            let known = self.fields.iter().enumerate();
            self.index = known.map(|(at, (name, _))| (name.clone(), at)).collect();
        }
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, (Text<'a>, Value<'a>)> {
        self.fields.iter()
    }

    fn position(&self, name: &str) -> Option<usize> {
        if self.index.is_empty() {
            self.fields.iter().position(|(known, _)| **known == *name)
        } else {
            self.index.get(name).copied()
        }
    }

    pub(super) fn take_values(&mut self) -> Vec<Value<'a>> {
        self.index.clear();
        let fields = std::mem::take(&mut self.fields);
        fields.into_iter().map(|(_, value)| value).collect()
    }
}

impl Drop for Object<'_> {
    fn drop(&mut self) {
        if self.fields.iter().any(|(_, value)| release::nests(value)) {
            release::release(self.take_values());
        }
    }
}

/// The fields of an object, wherever it lives.
#[derive(Clone, Copy)]
pub(crate) enum Fields<'v, 'a> {
    Json(&'a Map<String, Json>),
    Made(&'v Object<'a>),
}

impl<'v, 'a> Fields<'v, 'a> {
    pub(crate) fn len(self) -> usize {
        match self {
            Self::Json(fields) => fields.len(),
            Self::Made(object) => object.len(),
        }
    }

    /// The value of a field; undefined where there is none.
    pub(crate) fn get(self, name: &str) -> Value<'a> {
        match self {
            Self::Json(fields) => fields.get(name).map_or(Value::Undefined, Value::Json),
            Self::Made(object) => object.get(name).cloned().unwrap_or_default(),
        }
    }

    pub(crate) fn iter(self) -> FieldsIterator<'v, 'a> {
        match self {
            Self::Json(fields) => FieldsIterator::Json(fields.iter()),
            Self::Made(object) => FieldsIterator::Made(object.iter()),
        }
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Json(left), Self::Json(right)) => std::ptr::eq(*left, *right),
            (Self::Made(left), Self::Made(right)) => std::ptr::eq(*left, *right),
            _ => false,
        }
    }
}

/// Each field, with text and value of its own.
pub(crate) enum FieldsIterator<'v, 'a> {
    Json(serde_json::map::Iter<'a>),
    Made(std::slice::Iter<'v, (Text<'a>, Value<'a>)>),
}

impl<'a> Iterator for FieldsIterator<'_, 'a> {
    type Item = (Text<'a>, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Json(fields) => fields
                .next()
                .map(|(name, value)| (Text::Borrowed(name), Value::Json(value))),
            Self::Made(fields) => fields.next().cloned(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Json(fields) => fields.size_hint(),
            Self::Made(fields) => fields.size_hint(),
        }
    }
}

impl ExactSizeIterator for FieldsIterator<'_, '_> {}
