//! The current location of the reader, allocated only when a problem is reported.
use crate::Location;
use serde_json::Value;

/// A place in a definition: the way back to the whole, on the stack.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place<'p> {
    Whole,
    Field(&'p Self, &'p str),
    Element(&'p Self, usize),
}

impl<'p> Place<'p> {
    pub(crate) fn field(&'p self, name: &'p str) -> Self {
        Self::Field(self, name)
    }

    pub(crate) fn element(&'p self, index: usize) -> Self {
        Self::Element(self, index)
    }

    /// Returns the enclosing location; None for the whole definition.
    pub(crate) fn parent(&self) -> Option<&Self> {
        match self {
            Self::Whole => None,
            Self::Field(parent, _) | Self::Element(parent, _) => Some(parent),
        }
    }

    /// Returns the field's name.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::Field(_, name) => Some(name),
            Self::Whole | Self::Element(..) => None,
        }
    }

    /// From the whole to here.
    fn way(&self) -> impl Iterator<Item = &Self> {
        let mut way: Vec<&Self> =
            std::iter::successors(Some(self), |place| place.parent()).collect();
        way.reverse();
        way.into_iter()
    }

    /// Returns the value at the location.
    pub(crate) fn value_in<'v>(&self, definition: &'v Value) -> Option<&'v Value> {
        self.way().try_fold(definition, |value, step| match step {
            Self::Whole => Some(value),
            Self::Field(_, name) => value.get(name),
            Self::Element(_, index) => value.get(index),
        })
    }

    /// Written out.
    pub(crate) fn location(&self) -> Location {
        let mut location = Location::default();
        for step in self.way() {
            match step {
                Self::Whole => {}
                Self::Field(_, name) => location.push_field(name),
                Self::Element(_, index) => location.push_element(*index),
            }
        }
        location
    }
}
