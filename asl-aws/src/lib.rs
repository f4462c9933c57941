#![doc = include_str!("../README.md")]

#[cfg(feature = "client")]
mod caller;
#[cfg(feature = "client")]
mod connection;
#[cfg(feature = "client")]
mod credentials;
mod encoding;
#[cfg(feature = "client")]
mod endpoint;
#[cfg(feature = "client")]
mod endpoint_exceptions;
#[cfg(feature = "operations")]
mod error;
#[cfg(feature = "client")]
mod profile;
#[cfg(feature = "operations")]
mod request;
#[cfg(feature = "client")]
mod resolver;
#[cfg(feature = "operations")]
mod response;
#[cfg(feature = "client")]
mod settings;
#[cfg(feature = "signature")]
pub mod signature;
#[cfg(feature = "operations")]
mod timestamp;

#[cfg(feature = "operations")]
pub use asl_services as services;
#[cfg(feature = "client")]
pub use caller::{Answer, CallFailure, CallOptions, Caller};
#[cfg(feature = "client")]
pub use connection::{ConnectionError, HttpClient};
#[cfg(feature = "client")]
pub use credentials::CredentialsError;
#[cfg(feature = "client")]
pub use endpoint::{Endpoint, EndpointError};
#[cfg(feature = "operations")]
pub use error::{CallError, RequestError, ResponseError, ServiceError};
#[cfg(feature = "operations")]
pub use request::{HttpRequest, request};
#[cfg(feature = "operations")]
pub use response::{HttpResponse, ResultForm, ResultNames, response};
#[cfg(feature = "client")]
pub use settings::{NoEndpoint, Settings, Target};
#[cfg(feature = "operations")]
pub use timestamp::TimestampForm;
