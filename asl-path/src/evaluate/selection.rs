//! Results of segments.
use serde_json::Value;
use std::borrow::Cow;

/// The node of a definite path, or all of an indefinite one: borrowed, so that nodes which contain each other cost no more
/// than the document.
#[derive(Debug)]
pub(crate) enum Selection<'v> {
    One(Cow<'v, Value>),
    Many(Vec<Cow<'v, Value>>),
}

impl<'v> Selection<'v> {
    /// As one value: that of many is an array of them.
    pub(crate) fn into_value(self) -> Cow<'v, Value> {
        match self {
            Self::One(value) => value,
            Self::Many(values) => Cow::Owned(Value::Array(
                values.into_iter().map(Cow::into_owned).collect(),
            )),
        }
    }

    pub(super) fn view(&self) -> View<'_> {
        match self {
            Self::One(value) => View::Value(value),
            Self::Many(values) => View::Array(values),
        }
    }
}

/// A value to look at; an array may be one of borrowed elements.
#[derive(Debug, Clone, Copy)]
pub(super) enum View<'a> {
    Value(&'a Value),
    Array(&'a [Cow<'a, Value>]),
}

impl<'a> View<'a> {
    /// Returns the elements, of an array.
    pub(super) fn elements(self) -> Option<Elements<'a>> {
        match self {
            Self::Value(Value::Array(values)) => Some(Elements {
                values,
                borrowed: &[],
            }),
            Self::Value(_) => None,
            Self::Array(borrowed) => Some(Elements {
                values: &[],
                borrowed,
            }),
        }
    }
}

/// The elements of an array, of which one of the two lists has all.
#[derive(Debug, Clone, Copy)]
pub(super) struct Elements<'a> {
    values: &'a [Value],
    borrowed: &'a [Cow<'a, Value>],
}

impl<'a> Elements<'a> {
    pub(super) fn len(self) -> usize {
        self.values.len() + self.borrowed.len()
    }

    pub(super) fn iter(self) -> impl Iterator<Item = &'a Value> {
        self.values
            .iter()
            .chain(self.borrowed.iter().map(Cow::as_ref))
    }
}
