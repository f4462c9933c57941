//! Functions as values.
use super::Value;
use super::release::{PendingValues, release};
use crate::evaluate::{Arguments, Evaluation, Frame, Outcome};
use crate::functions::{Builtin, Pattern};
use crate::syntax::{Lambda, Symbol, Transform};
use std::rc::Rc;
use std::sync::Arc;

/// A function.
pub(crate) enum Function<'a> {
    /// One of the language.
    Builtin(Builtin),
    /// A function that another function returned, with its captured values.
    Native(Native<'a>),
    /// One that the expression defines.
    Lambda(Closure<'a>),
    /// Another one, some of whose arguments are bound already.
    Partial(Open<'a>),
    /// The first one, then the second one with what the first one returns.
    Composed(Composition<'a>),
    /// `|…|…|`.
    Transform(Transformer<'a>),
    /// A regular expression, which finds its first match in a text.
    Regex(Arc<Pattern>),
}

/// A function that another one made, such as the one that finds the next match of a regular expression.
pub(crate) struct Native<'a> {
    pub(crate) arity: usize,
    pub(crate) body: Box<NativeBody<'a>>,
}

/// The body of a native function.
pub(crate) type NativeBody<'a> =
    dyn Fn(&mut Evaluation<'a, '_>, Arguments<'a>) -> Outcome<Value<'a>> + 'a;

/// A function of the expression, with the scope of its definition.
pub(crate) struct Closure<'a> {
    pub(crate) lambda: &'a Lambda,
    /// The parameters that are left, where a partial application bound others; it ignores the signature then.
    pub(crate) left: Option<Vec<Symbol>>,
    pub(crate) input: Value<'a>,
    pub(crate) frame: Frame<'a>,
}

impl Closure<'_> {
    pub(crate) fn parameters(&self) -> &[Symbol] {
        self.left.as_deref().unwrap_or(&self.lambda.parameters)
    }

    /// Returns true if its signature says what its arguments must be.
    pub(crate) fn checks_arguments(&self) -> bool {
        self.left.is_none() && self.lambda.signature.is_some()
    }
}

/// A function with bound arguments and open ones.
pub(crate) struct Open<'a> {
    pub(crate) function: Value<'a>,
    /// None for those that are open.
    pub(crate) arguments: Vec<Option<Value<'a>>>,
}

impl<'a> Open<'a> {
    fn give(&mut self, pending: &mut PendingValues<'a>) {
        pending.extend(std::mem::take(&mut self.arguments).into_iter().flatten());
        pending.extend([std::mem::take(&mut self.function)]);
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        release(|pending| self.give(pending));
    }
}

/// Two functions, one after the other.
pub(crate) struct Composition<'a> {
    pub(crate) first: Value<'a>,
    pub(crate) second: Value<'a>,
}

impl<'a> Composition<'a> {
    fn give(&mut self, pending: &mut PendingValues<'a>) {
        pending.extend([
            std::mem::take(&mut self.first),
            std::mem::take(&mut self.second),
        ]);
    }
}

impl Drop for Composition<'_> {
    fn drop(&mut self) {
        release(|pending| self.give(pending));
    }
}

/// A transform, with the scope of its definition.
pub(crate) struct Transformer<'a> {
    pub(crate) position: u32,
    pub(crate) transform: &'a Transform,
    pub(crate) frame: Frame<'a>,
}

impl<'a> Function<'a> {
    /// Returns the number of arguments, as functions that call it need it.
    pub(crate) fn arity(&self) -> usize {
        match self {
            Self::Builtin(builtin) => builtin.arity(),
            Self::Native(native) => native.arity,
            Self::Lambda(closure) => closure.parameters().len(),
            Self::Partial(open) => open
                .arguments
                .iter()
                .filter(|bound| bound.is_none())
                .count(),
            Self::Composed(_) | Self::Transform(_) => 1,
            // The text, and where to begin.
            Self::Regex(_) => 2,
        }
    }

    /// Returns true if both are one and the same function.
    pub(crate) fn is_same(self: &Rc<Self>, other: &Rc<Self>) -> bool {
        match (&**self, &**other) {
            (Self::Builtin(left), Self::Builtin(right)) => left == right,
            _ => Rc::ptr_eq(self, other),
        }
    }

    /// Gives up the values that it holds.
    pub(super) fn give(self, pending: &mut PendingValues<'a>) {
        match self {
            Self::Builtin(_) | Self::Native(_) | Self::Regex(_) => {}
            Self::Partial(mut open) => open.give(pending),
            Self::Composed(mut composed) => composed.give(pending),
            Self::Transform(transformer) => transformer.frame.give(pending),
            Self::Lambda(closure) => {
                closure.frame.give(pending);
                pending.extend([closure.input]);
            }
        }
    }
}
