//! Where reading is, without an allocation until it has something to say.
use crate::diagnostic::push_escaped;
use std::fmt::Write;

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

    /// The JSON pointer, `/` for the whole.
    pub(crate) fn pointer(&self) -> String {
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
        let mut pointer = String::new();
        for step in way.into_iter().rev() {
            pointer.push('/');
            match step {
                Self::Whole => {}
                Self::Field(_, name) => push_escaped(&mut pointer, name),
                Self::Element(_, index) => {
                    let _ = write!(pointer, "{index}"); // writing to a String cannot fail
                }
            }
        }
        if pointer.is_empty() {
            pointer.push('/');
        }
        pointer
    }
}
