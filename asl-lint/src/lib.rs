#![doc = include_str!("../README.md")]

mod check;
mod flow;
mod integrations;
mod lint;
mod subject;

pub use check::{check, lint};
pub use lint::Lint;
