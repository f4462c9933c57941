//! Lints on calls of services by Task States.

mod arguments;
mod calls;
#[cfg(test)]
mod documented;
mod not_recognized;
mod optimized;
mod shelf;
mod slip;
mod structure;
#[cfg(test)]
pub(crate) mod testing;

pub(crate) mod missing_argument;
pub(crate) mod unknown_argument;
pub(crate) mod unknown_argument_value;
pub(crate) mod unknown_sdk_action;
pub(crate) mod unknown_sdk_service;
pub(crate) mod wrong_argument_type;

pub(crate) use calls::Calls;
pub(crate) use shelf::ServiceShelf;
