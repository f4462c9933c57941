#![doc = include_str!("../README.md")]
//!
//! # Parts
//!
//! - [`JsonPath`]: a JSONPath; [`LocatedNode`]: a node that it finds, with its place; [`Path`]: one with its root; [`Roots`]: the documents that roots name
//! - [`ReferencePath`]: a path that can be written
//! - [`json`]: reading JSON with a limit on nesting
//! - [`ParseError`], [`QueryError`], [`WriteError`]: what can go wrong

mod ast;
mod display;
mod error;
mod evaluate;
pub mod json;
mod json_path;
mod limits;
mod located;
mod number;
mod parser;
mod path;
mod reference_path;
#[cfg(feature = "serde")]
mod serialization;
mod variable;
mod with_methods;

pub use error::{ParseError, QueryError, WriteError};
pub use evaluate::field;
pub use json_path::JsonPath;
pub use limits::{EvaluationLimits, ParseLimits, PatternBudget};
pub use located::LocatedNode;
pub use path::{Path, Root, Roots};
pub use reference_path::{ReferencePath, Step};
pub use variable::{LONGEST_VARIABLE_NAME, is_variable_name, variable_name};
