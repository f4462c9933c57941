#![doc = include_str!("../README.md")]

mod api;
mod arn;
mod catalogue;
mod connection;
mod constraints;
mod definition;
mod deletion;
mod deployments;
mod input;
mod metrics;
mod names;
mod operations;
mod options;
mod page;
mod protocol;
mod redrive;
mod references;
mod request_log;
mod scope;
mod self_calls;
mod tested_states;

pub use deployments::{DeploymentError, DeploymentOutcome, Deployments};
pub use options::{OptionError, ServerOptions};
pub use request_log::AnsweredRequest;
pub use self_calls::SelfCalls;

use api::Api;
use asl_backend::Backend;
use axum::Router;
use axum::routing::{get, post};
use std::io;
use std::sync::Arc;
use tokio::net::TcpListener;

/// Answers the API of AWS Step Functions for a backend.
pub struct Server {
    api: Arc<Api>,
    /// Routes of the application besides its own.
    other_routes: Router,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server")
            .field("options", &self.api.options)
            .finish_non_exhaustive()
    }
}

impl Server {
    /// Returns a server for `backend`.
    ///
    /// # Errors
    /// Returns an error if this build has no description of the API.
    pub fn new(backend: Arc<dyn Backend>, options: ServerOptions) -> io::Result<Self> {
        let api = Api::new(backend, options).map_err(|error| io::Error::other(error.message))?;
        Ok(Self {
            api: Arc::new(api),
            other_routes: Router::new(),
        })
    }

    /// Performs from now on what executions ask of this API themselves; they know it no longer than it serves.
    pub fn answer_self_calls(&self, calls: &SelfCalls) {
        calls.connect(&self.api);
    }

    /// Calls `log` for each answered request, but not for one whose client closed the connection earlier.
    #[must_use]
    pub fn log_requests(self, log: impl Fn(&AnsweredRequest) + Send + Sync + 'static) -> Self {
        // The first one stays.
        let _ = self.api.log.set(Box::new(log));
        self
    }

    /// Serves other routes too. Their paths must differ from `/`, `/health`, `/health/ready` and `/metrics`.
    #[must_use]
    pub fn with_routes(mut self, routes: Router) -> Self {
        self.other_routes = self.other_routes.merge(routes);
        self
    }

    /// Returns a handle to deploy state machines without a client.
    pub fn deployments(&self) -> Deployments {
        Deployments::new(&self.api)
    }

    /// Returns the route of the API, for an application with other routes. Unlike [`serve`](Self::serve), the application
    /// limits neither connections nor the heads of requests, unless it does so itself.
    pub fn api_router(&self) -> Router {
        Router::new()
            .route("/", post(protocol::answer))
            .with_state(Arc::clone(&self.api))
    }

    /// Returns the route of the API with `/health`, `/health/ready` and `/metrics`; otherwise as
    /// [`api_router`](Self::api_router).
    pub fn router(&self) -> Router {
        let of_operators = Router::new()
            .route("/health", get(protocol::health))
            .route("/health/ready", get(protocol::ready))
            .route("/metrics", get(protocol::metrics))
            .with_state(Arc::clone(&self.api));
        self.api_router()
            .merge(of_operators)
            .merge(self.other_routes.clone())
    }

    /// Returns a handle that an application with this server's routes uses when it stops. [`serve`](Self::serve) needs none.
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle {
            api: Arc::clone(&self.api),
        }
    }

    /// Serves until `shutdown`. Then waiting workers get an empty response, and requests in progress have
    /// [`ServerOptions::grace`] to end.
    ///
    /// # Errors
    /// Returns an error if the listener cannot be served at all.
    pub async fn serve(
        self,
        listener: TcpListener,
        shutdown: impl Future<Output = ()>,
    ) -> io::Result<()> {
        let router = self.router();
        connection::serve(self.api, router, listener, shutdown).await
    }
}

/// Ends long polls before an application stops: otherwise a worker that waits for an activity task holds its connection for
/// a minute.
#[derive(Clone)]
pub struct StopHandle {
    api: Arc<Api>,
}

impl StopHandle {
    /// Sends all waiting workers an empty response, now and from now on.
    pub fn stop(&self) {
        self.api.stopping.send_replace(true);
    }
}

impl std::fmt::Debug for StopHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StopHandle").finish_non_exhaustive()
    }
}
