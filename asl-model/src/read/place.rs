//! Where reading is, without an allocation until it has something to say.
use crate::Location;

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

    /// Written out.
    pub(crate) fn location(&self) -> Location {
        let mut way = Vec::new();
        let mut place = self;
        loop {
            match place {
                Self::Whole => break,
                Self::Field(parent, _) | Self::Element(parent, _) => {
                    way.push(place);
                    place = parent;
                }
            }
        }
        let mut location = Location::default();
        for step in way.into_iter().rev() {
            match step {
                Self::Whole => {}
                Self::Field(_, name) => location.push_field(name),
                Self::Element(_, index) => location.push_element(*index),
            }
        }
        location
    }
}
