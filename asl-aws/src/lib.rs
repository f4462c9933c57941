#![doc = include_str!("../README.md")]

mod encoding;
#[cfg(feature = "operations")]
mod error;
#[cfg(feature = "operations")]
mod request;
#[cfg(feature = "operations")]
mod response;
#[cfg(feature = "signature")]
pub mod signature;
#[cfg(feature = "operations")]
mod timestamp;

#[cfg(feature = "operations")]
pub use asl_services as services;
#[cfg(feature = "operations")]
pub use error::{CallError, RequestError, ResponseError, ServiceError};
#[cfg(feature = "operations")]
pub use request::{HttpRequest, request};
#[cfg(feature = "operations")]
pub use response::{HttpResponse, ResultForm, ResultNames, response};
#[cfg(feature = "operations")]
pub use timestamp::TimestampForm;
