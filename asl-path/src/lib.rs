//! JSONPath and Reference Paths of the Amazon States Language.

mod ast;
mod display;
mod error;
mod evaluate;
pub mod json;
mod json_path;
mod limits;
mod number;
mod parser;
mod path;
mod reference_path;

pub use error::{ParseError, QueryError, WriteError};
pub use json_path::JsonPath;
pub use limits::ParseLimits;
pub use path::{Path, Root, Roots};
pub use reference_path::{ReferencePath, Step};
