#![doc = include_str!("../README.md")]

mod delimiters;
mod environment;
mod error;
// Until expressions are evaluated by it.
#[allow(dead_code, unused_imports)]
mod evaluate;
mod expression;
#[allow(dead_code, unused_imports)] // until the evaluator calls it
mod functions;
mod library;
mod limits;
mod references;
#[allow(dead_code, reason = "the evaluator is not built on it yet")]
mod syntax;
#[allow(dead_code, unused_imports)]
mod value;

pub use delimiters::{Delimited, JsonataString, delimited};
pub use environment::{Environment, NoVariables, StatesVariable, Variables};
pub use error::{EvaluationError, ParseError};
pub use expression::{Dialect, Expression, Options};
pub use limits::Limits;
pub use references::{References, StatesField, StatesReference, UnsupportedUse, VariableReference};
