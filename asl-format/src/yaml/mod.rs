//! YAML: fields in their order where their lines can be moved; texts of values; what JSON has no place for.

mod emit;
mod extras;
mod numbers;
mod reorder;
mod scalar;

pub(crate) use emit::print;
pub(crate) use extras::Extras;
pub(crate) use numbers::print_json;
pub use reorder::UnsortedFields;
pub(crate) use reorder::reorder;
