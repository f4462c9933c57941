//! Typed definitions of the Amazon States Language.

pub mod definition;
mod diagnostic;
mod parse;
mod profile;
mod template;
mod timestamp;

pub use definition::*;
pub use diagnostic::{Diagnostic, DiagnosticCode, Diagnostics, Position, Severity};
pub use parse::{Options, parse, parse_value, validate};
pub use profile::{Profile, StateMachineType};
pub use template::{PayloadTemplate, TemplateField, TemplateNode};
pub use timestamp::Timestamp;
