//! The built-in functions of JSONata 2.0.6, and those that the service adds.

mod arguments;
mod array;
mod aws;
mod decimal;
mod encoding;
mod general;
mod higher_order;
mod json_text;
mod matcher;
mod matching;
mod number;
mod object;
mod picture;
mod regex;
mod signature;
mod sort;
mod string;
mod table;
mod time;

pub(crate) use decimal::number_text;
pub(crate) use general::cloned;
pub(crate) use json_text::{Layout, quoted};
pub(crate) use matcher::call_pattern;
pub(crate) use regex::Pattern;
pub use regex::Patterns;
pub(crate) use signature::Signature;
pub(crate) use sort::merge_sorted;
pub(crate) use table::Builtin;
