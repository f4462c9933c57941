//! What requests have computed: small things where the request runs, the others in threads of their own, as many as there are
//! cores.
use crate::api::Api;
use crate::protocol::{ApiError, ErrorCode};
use tokio::sync::{AcquireError, SemaphorePermit};

/// Bytes of a text whose reading delays nobody.
pub(super) const SMALL: usize = 8 << 10;

/// Computes what follows from a text of so many bytes.
pub(super) async fn computed<T: Send + 'static>(
    api: &Api,
    bytes: usize,
    compute: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    if bytes <= SMALL {
        return Ok(compute());
    }
    let _permit = permit(api).await?;
    apart(compute).await
}

/// Waits for a core to compute on: others that wait hold neither a thread nor memory.
pub(super) async fn permit(api: &Api) -> Result<SemaphorePermit<'_>, ApiError> {
    let permit = api.computing.acquire().await;
    permit.map_err(|error: AcquireError| interrupted(&error))
}

/// Computes where it keeps no other request waiting.
pub(super) async fn apart<T: Send + 'static>(
    compute: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    let computed = tokio::task::spawn_blocking(compute).await;
    computed.map_err(|error| interrupted(&error))
}

fn interrupted(error: &dyn std::error::Error) -> ApiError {
    ApiError::new(ErrorCode::InternalServerError, error.to_string())
}
