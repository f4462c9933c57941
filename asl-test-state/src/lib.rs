#![doc = include_str!("../README.md")]

mod checks;
mod context;
mod definition;
mod error;
#[cfg(feature = "services")]
mod field_validation;
mod http_task;
mod inspection;
#[cfg(all(test, feature = "services"))]
mod mocked_call;
mod request;
mod request_checks;
mod response;
mod run;
#[cfg(feature = "services")]
mod sample;
mod state_record;
mod tester;

pub use definition::TestedState;
pub use error::{TestStateError, TestStateErrorCode};
pub use request::{FieldValidation, InspectionLevel, Mock, StateConfiguration, TestStateRequest};
pub use response::{InspectionData, InspectionErrorDetails, TestStateResponse, TestStatus};
#[cfg(feature = "services")]
pub use sample::sample_result;
pub use tester::Tester;
