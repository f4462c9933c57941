//! Arguments of function bodies.
use crate::evaluate::Arguments;
use crate::value::{Text, Value};

/// Returns the arguments one by one; those that are not there are undefined.
pub(super) fn take<'a, const COUNT: usize>(arguments: Arguments<'a>) -> [Value<'a>; COUNT] {
    let mut arguments = arguments.into_iter();
    std::array::from_fn(|_| arguments.next().unwrap_or_default())
}

/// Returns the first argument, of a function that has only one.
pub(super) fn only(arguments: Arguments<'_>) -> Value<'_> {
    let [argument] = take(arguments);
    argument
}

/// A part of a text, shared if possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Part {
    /// Returns the bytes that must be made for it.
    pub(super) fn cost(self, text: &Text<'_>) -> usize {
        match text {
            Text::Borrowed(_) => 0,
            Text::Shared(_) => self.end.saturating_sub(self.start),
        }
    }

    /// Returns the part as a value; charge its cost first.
    pub(super) fn value<'a>(self, text: &Text<'a>) -> Value<'a> {
        match text {
            Text::Borrowed(text) => {
                Value::borrowed(text.get(self.start..self.end).unwrap_or_default())
            }
            Text::Shared(text) => Value::text(text.get(self.start..self.end).unwrap_or_default()),
        }
    }
}
