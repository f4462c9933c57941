#![doc = include_str!("../README.md")]

mod case;
mod compare;
pub mod coverage;
mod definition;
mod expectations;
mod file;
pub mod format;
mod judge;
mod mock;
mod output_file;
mod predicate;
mod record;
mod recorded;
mod report;
mod rust_tests;
mod skeleton;
mod suite;
mod temporary_folder;
mod yaml;

pub use case::Case;
pub use compare::JsonDifference;
pub use definition::{DEFINITION_ENDINGS, Definition, ReadOptions};
pub use expectations::{Bounds, Expectations, ExpectedCalls};
pub use file::{Fault, SCHEMA, TestFile, TestFileError};
pub use mock::{Answer, Mock, Range};
pub use predicate::Predicate;
pub use record::{Call, Place, Visit};
pub use recorded::{RecordError, RecordSettings, recorded_case};
pub use report::{CaseFailure, CaseReport, CaseRun, Difference};
pub use rust_tests::{RustTests, read_cases, run_case};
pub use skeleton::{SkeletonSettings, names_read, skeleton};
pub use suite::{Suite, SuiteFailure, SuiteReport, find_definitions, find_test_files};
