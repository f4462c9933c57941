//! Computations for requests: small ones run with the request, others in separate threads, one per core.
use crate::api::Api;
use crate::protocol::{ApiError, ErrorCode};
use asl_backend::{BackendError, MemoryReservation, MemoryUse};
use tokio::sync::{AcquireError, SemaphorePermit};

/// Maximum bytes of a text that is parsed without delaying other requests.
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
    /// Factor between a text and the memory for parsing it.
    const READ: u64 = 32;
    let _permit = permit(api).await?;
    let bytes = (bytes as u64).saturating_mul(READ);
    let _reserved = reserve(api, MemoryUse::Definitions, bytes)?;
    apart(compute).await
}

/// Reserves memory, where the backend has a budget of it.
pub(super) fn reserve(
    api: &Api,
    what: MemoryUse,
    bytes: u64,
) -> Result<Option<MemoryReservation>, ApiError> {
    let Some(memory) = api.backend.memory() else {
        return Ok(None);
    };
    // A small budget is no reason to refuse all.
    let bytes = bytes.min(memory.bytes() / 4);
    let reserved = memory.reserve(what, bytes).map(Some);
    reserved.ok_or_else(|| {
        let why = "not enough memory at the moment: try again";
        BackendError::Unavailable(why.to_owned()).into()
    })
}

/// Waits for a core to compute on: others that wait hold neither a thread nor memory.
pub(super) async fn permit(api: &Api) -> Result<SemaphorePermit<'_>, ApiError> {
    let permit = api.computing.acquire().await;
    permit.map_err(|error: AcquireError| interrupted(&error))
}

/// Computes in a thread where it delays no other request.
pub(super) async fn apart<T: Send + 'static>(
    compute: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    let computed = tokio::task::spawn_blocking(compute).await;
    computed.map_err(|error| interrupted(&error))
}

fn interrupted(error: &dyn std::error::Error) -> ApiError {
    ApiError::new(ErrorCode::InternalServerError, error.to_string())
}
