#![doc = include_str!("../README.md")]
//!
//! # Parts
//!
//! - [`Conformance`]: the selection of cases; [`Case`], [`Kind`]: a case
//! - [`Subject`]: an interpreter, with its answers [`Run`] and [`Validation`]; [`CommandSubject`]: one that is a command; `Interpreter`: the one of `asl-engine`
//! - [`Report`], [`JudgedCase`], [`Verdict`]: the result
//! - [`Coverage`]: the normative statements of the specifications, and the cases that show them

#[cfg(feature = "program")]
mod arguments;
mod case;
mod command;
mod conformance;
mod coverage;
mod error;
#[cfg(feature = "interpreter")]
mod interpreter;
mod judge;
mod matching;
mod report;
mod subject;
mod verdict;

pub use asl_model as model;

#[cfg(feature = "program")]
pub use arguments::{Arguments, ReportFormat};
pub use case::{Case, Kind};
pub use command::CommandSubject;
pub use conformance::Conformance;
pub use coverage::Coverage;
pub use error::CasesError;
#[cfg(feature = "interpreter")]
pub use interpreter::Interpreter;
pub use report::{JudgedCase, Report};
pub use subject::{DefinitionFault, Run, Subject, Validation};
pub use verdict::Verdict;
