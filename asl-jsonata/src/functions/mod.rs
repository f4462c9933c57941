//! The built-in functions of JSONata 2.0.6, and those that the service adds.

mod signature;
mod table;

pub(crate) use signature::Signature;
pub(crate) use table::Builtin;

use crate::evaluate::{Arguments, Evaluation, Outcome, failure};
use crate::value::Value;

impl Builtin {
    /// Calls it with the arguments as the call has them, after those that a partial application bound, and with the context: the value of `$` where it is
    /// called; null where another function calls it.
    ///
    /// It divides the arguments by its signature, and fills in the context where that says so. It charges the evaluation for the items and the text that it
    /// touches and for what it makes, before it makes it. An error without a position gets that of the call.
    ///
    /// # Errors
    ///
    /// The arguments do not match, or what it does with them fails.
    pub(crate) fn call<'a>(
        self,
        _evaluation: &mut Evaluation<'a, '_>,
        _arguments: Arguments<'a>,
        _context: &Value<'a>,
    ) -> Outcome<Value<'a>> {
        Err(failure(
            "D3000",
            format!("${} is not part of this evaluator yet", self.name()),
        ))
    }
}
