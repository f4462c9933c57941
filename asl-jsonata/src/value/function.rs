//! Functions as values.
use super::Value;
use crate::evaluate::{Arguments, Evaluation, Outcome};
use crate::functions::{Builtin, Pattern};
use std::sync::Arc;

/// A function.
pub(crate) enum Function<'a> {
    /// One of the language.
    Builtin(Builtin),
    /// A regular expression, which finds its first match in a text.
    Regex(Arc<Pattern>),
    /// One that another function returned, with what it remembers.
    Native(Native<'a>),
}

/// A function that another one made, such as the one that finds the next match of a regular expression.
pub(crate) struct Native<'a> {
    pub(crate) arity: usize,
    pub(crate) body: Box<NativeBody<'a>>,
}

/// What it does with its arguments.
pub(crate) type NativeBody<'a> =
    dyn Fn(&mut Evaluation<'a, '_>, Arguments<'a>) -> Outcome<Value<'a>> + 'a;

impl<'a> Function<'a> {
    /// How many arguments it takes, as far as functions that call it care.
    pub(crate) fn arity(&self) -> usize {
        match self {
            Self::Builtin(builtin) => builtin.arity(),
            // The text, and where to begin.
            Self::Regex(_) => 2,
            Self::Native(native) => native.arity,
        }
    }

    /// Gives up the values that it holds.
    pub(super) fn take_values(&mut self) -> Vec<Value<'a>> {
        match self {
            Self::Builtin(_) | Self::Regex(_) | Self::Native(_) => Vec::new(),
        }
    }
}
