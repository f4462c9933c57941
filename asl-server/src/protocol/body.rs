//! Bodies of requests, within bounds.
use super::{ApiError, ErrorCode};
use crate::api::{Api, KIB};
use axum::body::Body;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::HeaderMap;
use hyper::header::CONTENT_LENGTH;
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

/// The text of a request, and the room that it takes until it is answered.
pub(super) struct Text {
    pub(super) text: String,
    pub(super) room: OwnedSemaphorePermit,
}

/// Reads a body.
///
/// # Errors
///
/// The body is too large, too slow or not UTF-8, or the limit for all requests is reached.
pub(super) async fn text(
    api: &Arc<Api>,
    headers: &HeaderMap,
    body: Body,
) -> Result<Text, ApiError> {
    let most = api.options.max_request_bytes;
    let announced = headers.get(CONTENT_LENGTH);
    let announced = announced.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > most) {
        return Err(too_large(most));
    }
    let room = acquire(api, announced.unwrap_or(most))?;
    let collected = timeout(api.options.read_timeout, Limited::new(body, most).collect());
    let bytes = match collected.await {
        Err(_) => return Err(serialization("the request took too long to arrive")),
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(error)) if error.is::<LengthLimitError>() => return Err(too_large(most)),
        Ok(Err(error)) => return Err(serialization(&error.to_string())),
    };
    match String::from_utf8(bytes.into()) {
        Ok(text) => Ok(Text { text, room }),
        Err(_) => Err(serialization("the request is not UTF-8")),
    }
}

/// Takes room for so many bytes.
fn acquire(api: &Arc<Api>, bytes: usize) -> Result<OwnedSemaphorePermit, ApiError> {
    let permits = u32::try_from(bytes.div_ceil(KIB).max(1)).unwrap_or(u32::MAX);
    let room = Arc::clone(&api.room).try_acquire_many_owned(permits);
    room.map_err(|_| {
        ApiError::new(
            ErrorCode::ServiceUnavailable,
            "too many requests are being answered: try again in a second",
        )
    })
}

fn too_large(most: usize) -> ApiError {
    ApiError::new(
        ErrorCode::RequestEntityTooLarge,
        format!("the request exceeds the limit of {most} bytes"),
    )
}

pub(super) fn serialization(fault: &str) -> ApiError {
    ApiError::new(ErrorCode::Serialization, fault)
}
