#![doc = include_str!("../README.md")]

mod delimiters;
mod documents;
mod environment;
mod error;
mod evaluate;
mod expression;
mod functions;
mod host_functions;
mod limits;
mod plan;
mod references;
mod syntax;
mod value;

pub use delimiters::{DelimitedText, JsonataString, delimited};
pub use documents::Documents;
pub use environment::{Environment, NoVariables, StatesVariable, Variables};
pub use error::{EvaluationError, ParseError};
pub use expression::{Dialect, Expression, Options};
pub use functions::Patterns;
pub use host_functions::Functions;
pub use limits::Limits;
pub use plan::{MergedFields, Plan, ScalarOperation};
pub use references::{References, StatesField, StatesReference, UnsupportedUse, VariableReference};
