#![doc = include_str!("../README.md")]
#![expect(
    clippy::test_attr_in_doctest,
    reason = "it shows how tests are written, and runs one"
)]

mod case;
mod compare;
mod definition;
mod expectations;
mod file;
mod judge;
mod mock;
mod nearest;
mod predicate;
mod record;
mod report;

pub use case::Case;
pub use compare::JsonDifference;
pub use definition::{Definition, Reading};
pub use expectations::{Bounds, Expectations, ExpectedCalls};
pub use file::{Fault, TestFile, TestFileError};
pub use mock::{Answer, Mock, Range};
pub use predicate::Predicate;
pub use record::{Call, Place, Visit};
pub use report::{CaseFailure, CaseReport, CaseRun, Difference};
