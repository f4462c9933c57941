//! The wire: the AWS JSON protocol, version 1.0.
mod body;
mod error;
mod http;

pub(crate) use error::{ApiError, ErrorCode};
pub(crate) use http::{NO_CONNECTION, answer, health, metrics, ready};
