//! Where reading is, without an allocation until it has something to say.
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

    /// What it is in; None for the whole.
    pub(crate) fn parent(&self) -> Option<&Self> {
        match self {
            Self::Whole => None,
            Self::Field(parent, _) | Self::Element(parent, _) => Some(parent),
        }
    }

    /// The field's name.
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

    /// What is there.
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
