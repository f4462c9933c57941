//! The evaluator.
mod budget;
mod error;
mod truth;

pub(crate) use error::{Outcome, failure};
pub(crate) use truth::finite;

use crate::Dialect;
use crate::functions::call_pattern;
use crate::value::{Function, Value};
use asl_intrinsics::RandomSource;
use budget::Budget;
use smallvec::SmallVec;

/// The arguments of a call; missing ones are undefined.
pub(crate) type Arguments<'a> = SmallVec<[Value<'a>; 4]>;

/// One evaluation of an expression: `'a` is the life of the expression and of the data, `'e` that of the host.
pub(crate) struct Evaluation<'a, 'e> {
    host: Host<'e>,
    budget: Budget,
    dialect: Dialect,
    life: std::marker::PhantomData<&'a ()>,
}

/// What an evaluation gets from outside, besides data.
pub(crate) struct Host<'e> {
    now: i64,
    random: Option<&'e mut dyn RandomSource>,
}

impl<'a> Evaluation<'a, '_> {
    /// Milliseconds since 1970.
    pub(crate) fn now(&self) -> i64 {
        self.host.now
    }

    /// Which functions there are.
    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Where random numbers come from.
    ///
    /// # Errors
    ///
    /// The host has none.
    pub(crate) fn random(&mut self) -> Outcome<&mut dyn RandomSource> {
        match self.host.random.as_deref_mut() {
            Some(random) => Ok(random),
            None => Err(failure(
                "D3000",
                "there is no source of random numbers here",
            )),
        }
    }

    /// Calls a function, as functions that take functions do: the call has no context.
    ///
    /// # Errors
    ///
    /// The value is no function, or the function fails.
    pub(crate) fn apply(
        &mut self,
        function: &Value<'a>,
        arguments: Arguments<'a>,
    ) -> Outcome<Value<'a>> {
        let Value::Function(function) = function else {
            return Err(failure("T1006", "Attempted to invoke a non-function"));
        };
        self.call(function, arguments, &Value::Null)
    }

    /// Calls a function with a context.
    fn call(
        &mut self,
        function: &Function<'a>,
        arguments: Arguments<'a>,
        context: &Value<'a>,
    ) -> Outcome<Value<'a>> {
        self.charge_steps(1)?;
        self.nested(|evaluation| match function {
            Function::Builtin(builtin) => builtin.call(evaluation, arguments, context),
            Function::Regex(pattern) => call_pattern(evaluation, pattern, arguments),
            Function::Native(native) => (native.body)(evaluation, arguments),
        })
    }
}
