#![doc = include_str!("../README.md")]

mod advice;
pub mod build;
mod definition;
mod diagnostic;
mod diagnostic_rule;
mod fix;
#[cfg(any(test, feature = "generate"))]
pub mod generate;
mod grammar;
mod location;
mod machine_data;
mod nearest;
mod order;
mod parse;
mod print;
mod profile;
#[cfg(test)]
mod properties;
mod queries;
mod read;
mod rules;
#[cfg(any(test, feature = "strategies"))]
pub mod strategies;
mod template;
#[cfg(test)]
mod testing;
mod text;
mod timestamp;
mod variable_references;
pub mod vocabulary;

pub use asl_intrinsics as intrinsics;
pub use asl_jsonata as jsonata;
pub use asl_path as path;
pub use definition::*;
pub use diagnostic::{Diagnostic, DiagnosticCode, Diagnostics, Position, Severity};
pub use diagnostic_rule::DiagnosticRule;
pub use fix::{Change, Fix};
pub use grammar::{FieldRole, NestedScope, nested_scopes};
pub use location::{Location, escaped_segment};
pub use nearest::{did_you_mean, nearest};
pub use parse::{
    Options, Placeholders, ResourceNames, Syntax, definition_value, parse, parse_value, parse_with,
    unique_value_from_text, validate, value_from_text,
};
pub use profile::{Profile, StateMachineType};
pub use queries::Query;
pub use read::field_owner::FieldOwner;
pub use rules::placeholders::{placeholder_names, placeholder_values, replace_placeholders};
pub use template::{PayloadTemplate, TemplateField, TemplateNode};
pub use text::{DifferentScalar, Document, LineIndex, Run, SourceMap, locate};
pub use timestamp::{Timestamp, TimestampError};
