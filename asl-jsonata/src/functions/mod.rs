//! The built-in functions of JSONata 2.0.6, and those that the service adds.

mod signature;
mod table;

pub(crate) use signature::Signature;
pub(crate) use table::Builtin;
