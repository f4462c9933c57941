//! JSONPath and Reference Paths of the Amazon States Language.

mod json_path;
pub mod json;
mod path;
mod reference_path;
mod error;

pub use error::{ParseError, QueryError, WriteError};
pub use json_path::JsonPath;
pub use path::{Path, Root, Roots};
pub use reference_path::{ReferencePath, Step};
