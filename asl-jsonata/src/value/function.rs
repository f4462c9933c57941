//! Functions as values.
use super::Value;
use crate::evaluate::{Arguments, Evaluation, Outcome};

/// A function.
pub(crate) enum Function<'a> {
    /// One of the language.
    Builtin(&'static Builtin),
    /// One that another function returned, with what it remembers.
    Native(Native<'a>),
}

/// A function of the language.
///
/// It is called with the arguments as the call has them, after those that a partial application bound, and with the context: the value of `$` where it is
/// called, undefined where there is none. Its body checks both against its signature and fills in the context where the signature says so; errors without a
/// position get that of the call. It charges the evaluation for the items and the text that it touches and for what it makes, before it makes it.
pub(crate) struct Builtin {
    /// Without `$`.
    pub(crate) name: &'static str,
    /// How many arguments it says it takes, to functions like `$map` that pass no more than that: parameters without a default in the reference.
    pub(crate) arity: usize,
    pub(crate) body: Body,
}

/// What a function of the language does.
pub(crate) type Body =
    for<'a, 'e> fn(&mut Evaluation<'a, 'e>, Arguments<'a>, &Value<'a>) -> Outcome<Value<'a>>;

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
            Self::Builtin(builtin) => builtin.arity,
            Self::Native(native) => native.arity,
        }
    }

    /// Gives up the values that it holds.
    pub(super) fn take_values(&mut self) -> Vec<Value<'a>> {
        match self {
            Self::Builtin(_) | Self::Native(_) => Vec::new(),
        }
    }
}
