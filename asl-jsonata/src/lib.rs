#![doc = include_str!("../README.md")]

mod delimiters;
mod environment;
mod error;
#[allow(dead_code)] // until all built-in functions have their bodies
mod evaluate;
mod expression;
#[allow(dead_code, unused_imports)] // until all built-in functions have their bodies
mod functions;
mod library;
mod limits;
mod references;
mod syntax;
#[allow(unused_imports)] // until all built-in functions have their bodies
mod value;

pub use delimiters::{Delimited, JsonataString, delimited};
pub use environment::{Environment, NoVariables, StatesVariable, Variables};
pub use error::{EvaluationError, ParseError};
pub use expression::{Dialect, Expression, Options};
pub use limits::Limits;
pub use references::{References, StatesField, StatesReference, UnsupportedUse, VariableReference};
