#![doc = include_str!("../README.md")]

mod check;
mod explain;
mod flow;
mod integrations;
mod lint;
mod subject;

pub use check::{check, lint};
pub use explain::{Explanation, explanation, explanations, rules_of_code};
pub use lint::Lint;
