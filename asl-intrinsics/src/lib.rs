#![doc = include_str!("../README.md")]

mod ast;
mod error;
mod evaluate;
mod function;
mod intrinsic;
mod parser;
mod print;
pub mod random;

pub use ast::{Argument, Call, Template};
pub use error::{EvaluationError, Misuse, ParseError};
pub use evaluate::{EvaluationLimits, digest};
pub use function::Function;
pub use intrinsic::Intrinsic;
pub use parser::ParseLimits;
pub use random::RandomSource;
