//! Shared state of all operations: the backend, and caches.
use crate::catalogue::Catalogue;
use crate::constraints::Constraints;
use crate::metrics::Metrics;
use crate::options::ServerOptions;
use crate::protocol::ApiError;
use crate::references::References;
use crate::request_log::Log;
use crate::scope::Scope;
use crate::tested_states::TestedStates;
use asl_backend::Backend;
use asl_services::Services;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, OnceLock};
use tokio::sync::{Semaphore, watch};

/// Shared state of all operations.
pub(crate) struct Api {
    pub(crate) backend: Arc<dyn Backend>,
    pub(crate) catalogue: Catalogue,
    /// Cached data derived from definitions.
    pub(crate) references: References,
    pub(crate) tested_states: TestedStates,
    pub(crate) constraints: Constraints,
    pub(crate) services: Arc<Services>,
    pub(crate) options: ServerOptions,
    pub(crate) metrics: Metrics,
    /// Receives an entry for each request.
    pub(crate) log: OnceLock<Log>,
    /// KiB of requests that may still be taken in.
    pub(crate) room: Arc<Semaphore>,
    /// Workers that may still wait for tasks of activities.
    pub(crate) workers: Semaphore,
    /// TestStates that may still run: each takes a thread.
    pub(crate) tests: Semaphore,
    /// Cores that requests compute on.
    pub(crate) computing: Arc<Semaphore>,
    /// Becomes true when the server starts to stop.
    pub(crate) stopping: watch::Sender<bool>,
    /// The state machines that are being deleted right now.
    pub(crate) deletions: Mutex<HashSet<String>>,
}

/// A request, and for whom.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) operation: String,
    pub(crate) scope: Scope,
    pub(crate) request: serde_json::Value,
}

impl Api {
    pub(crate) fn new(backend: Arc<dyn Backend>, options: ServerOptions) -> Result<Self, ApiError> {
        let services = Arc::new(Services::new());
        let room = options.max_pending_bytes.div_ceil(KIB);
        Ok(Self {
            catalogue: Catalogue::new(Arc::clone(&backend)),
            backend,
            references: References::default(),
            tested_states: TestedStates::default(),
            constraints: Constraints::new(&services)?,
            services,
            workers: Semaphore::new(options.max_waiting_workers.min(Semaphore::MAX_PERMITS)),
            options,
            metrics: Metrics::default(),
            log: OnceLock::new(),
            room: Arc::new(Semaphore::new(room.min(Semaphore::MAX_PERMITS))),
            tests: Semaphore::new(MOST_TESTS),
            computing: Arc::new(Semaphore::new(
                std::thread::available_parallelism().map_or(1, |count| count.get()),
            )),
            stopping: watch::Sender::new(false),
            deletions: Mutex::new(HashSet::new()),
        })
    }

    /// Ready when the server starts to stop.
    pub(crate) async fn stopped(&self) {
        let mut stopping = self.stopping.subscribe();
        // The sender is a part of this.
        let _ = stopping.wait_for(|stopping| *stopping).await;
    }
}

/// TestStates that run at a time; the others wait.
const MOST_TESTS: usize = 64;

/// Bytes of a permit of [`Api::room`].
pub(crate) const KIB: usize = 1 << 10;
