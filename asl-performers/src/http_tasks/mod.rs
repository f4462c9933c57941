//! Tasks that call HTTP APIs: `http:invoke` and `apigateway:invoke`.
mod api_gateway;
mod connection_book;
mod hosts;
mod request;
mod response;
mod token;

pub use connection_book::{ConnectionBook, ConnectionBookError};

use crate::external::out_of_time;
use asl_aws::{ConnectionError, Endpoint, HttpClient, HttpRequest, HttpResponse};
use asl_engine::runtime::{BoxFuture, Task, TaskHandler};
use asl_engine::{IntegrationPattern, Resource, TaskAnswer, TaskError};
use hosts::Hosts;
use request::ApiRequest;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;
use token::Tokens;

/// Bytes of a response that are read: more than a state may have, so that the service's error is reported.
const MAX_RESPONSE_BYTES: usize = 1 << 20;
/// The time of one request (Step Functions Developer Guide, Call HTTPS APIs: 60 seconds).
const REQUEST_TIME: Duration = Duration::from_secs(60);

/// Performs `http:invoke` at hosts that are allowed, with the authorization of connections, and `apigateway:invoke` at the APIs of
/// this machine and at those hosts.
///
/// Redirects are not followed. Hosts with a link-local address are not called unless they are allowed by their own name.
///
/// ```
/// use asl_engine::Resource;
/// use asl_performers::{ConnectionBook, HttpTasks};
///
/// let book = ConnectionBook::parse(r#"{"orders": {"AuthorizationType": "API_KEY",
///     "AuthParameters": {"ApiKeyAuthParameters": {"ApiKeyName": "x-key", "ApiKeyValue": "1"}}}}"#)?;
/// let tasks = HttpTasks::new("us-east-1").with_hosts(["api.example.com", "*.example.org"]).with_connections(book);
/// assert!(tasks.performs(&Resource::parse("arn:aws:states:::http:invoke")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct HttpTasks {
    shared: Arc<HttpCaller>,
}

#[derive(Clone)]
struct HttpCaller {
    region: String,
    hosts: Hosts,
    book: ConnectionBook,
    /// URLs of APIs of this machine, by the first label of their host.
    apis: Arc<RwLock<BTreeMap<String, String>>>,
    clients: Arc<Clients>,
    tokens: Arc<Tokens>,
}

struct Clients {
    /// For hosts that are allowed by their own name.
    any: HttpClient,
    guarded: HttpClient,
}

impl fmt::Debug for HttpTasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpTasks")
            .field("hosts", &self.shared.hosts)
            .finish_non_exhaustive()
    }
}

impl HttpTasks {
    /// Creates a performer that may call no host.
    pub fn new(region: impl Into<String>) -> Self {
        Self {
            shared: Arc::new(HttpCaller {
                region: region.into(),
                hosts: Hosts::default(),
                book: ConnectionBook::default(),
                apis: Arc::default(),
                clients: Arc::new(Clients {
                    any: HttpClient::new(MAX_RESPONSE_BYTES),
                    guarded: HttpClient::refusing_link_local(MAX_RESPONSE_BYTES),
                }),
                tokens: Arc::default(),
            }),
        }
    }

    /// Allows hosts: `api.example.com`, `localhost:8080`, or `*.example.com` and `*` for several.
    #[must_use]
    pub fn with_hosts(mut self, hosts: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Arc::make_mut(&mut self.shared).hosts = hosts.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the connections that tasks name.
    #[must_use]
    pub fn with_connections(mut self, book: ConnectionBook) -> Self {
        Arc::make_mut(&mut self.shared).book = book;
        self
    }

    /// Sets the URLs of APIs of this machine, by their ids: the first label of an "ApiEndpoint". Clones share them.
    pub fn set_apis(&self, apis: BTreeMap<String, String>) {
        let own = self.shared.apis.write();
        *own.unwrap_or_else(PoisonError::into_inner) = apis;
    }

    /// Returns true if a resource calls an HTTP API that may be one of the allowed.
    pub fn performs(&self, resource: &Resource) -> bool {
        match called_api(resource) {
            Some(Api::Http) => !self.shared.hosts.is_empty(),
            Some(Api::Gateway) => !self.shared.apis().is_empty() || !self.shared.hosts.is_empty(),
            None => false,
        }
    }

    /// Returns true if a resource calls an HTTP API.
    pub fn is_call(resource: &Resource) -> bool {
        called_api(resource).is_some()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Api {
    Http,
    Gateway,
}

fn called_api(resource: &Resource) -> Option<Api> {
    let integration = resource.integration()?;
    let action = integration.action.split('.').next().unwrap_or_default();
    match (integration.service.as_str(), action) {
        ("http", "invoke") => Some(Api::Http),
        ("apigateway", "invoke") => Some(Api::Gateway),
        _ => None,
    }
}

impl TaskHandler for HttpTasks {
    fn invoke(&self, task: Task) -> BoxFuture<'static, Result<TaskAnswer, TaskError>> {
        let shared = Arc::clone(&self.shared);
        Box::pin(async move {
            let working = shared.perform(&task);
            tokio::select! {
                answer = working => answer,
                error = out_of_time(&task) => Err(error),
                () = task.cancelled() => Err(TaskError::failed("the result is no longer needed")),
            }
        })
    }
}

impl HttpCaller {
    fn apis(&self) -> RwLockReadGuard<'_, BTreeMap<String, String>> {
        self.apis.read().unwrap_or_else(PoisonError::into_inner)
    }

    async fn perform(&self, task: &Task) -> Result<TaskAnswer, TaskError> {
        let arguments = task.payload();
        let result = match called_api(task.resource()) {
            Some(Api::Http) => self.invoke_http(arguments).await?,
            Some(Api::Gateway) => self.invoke_gateway(arguments).await?,
            None => {
                let uri = &task.resource().uri;
                let cause = format!("expected a call of an HTTP API, found the resource {uri}");
                return Err(TaskError::failed(cause));
            }
        };
        let pattern = task.resource().integration().map(|it| it.pattern);
        Ok(match pattern {
            Some(IntegrationPattern::WaitForTaskToken) => TaskAnswer::Submitted(result),
            _ => TaskAnswer::Completed(result),
        })
    }

    async fn invoke_http(&self, arguments: &Value) -> Result<Value, TaskError> {
        let connection = self.book.of_arguments(arguments)?;
        let mut request = ApiRequest::of_http(arguments, connection, &self.region)?;
        let mut response = None;
        // A refused token may have been withdrawn: another one is requested once.
        for is_first in [true, false] {
            let authorization = self.tokens.authorization(connection, self, is_first);
            request.authorize(connection, authorization.await?)?;
            let answered = self.send(&request).await?;
            let is_refused = answered.status == 401 && connection.needs_token();
            response = Some(answered);
            if !is_refused {
                break;
            }
        }
        let response = response.ok_or_else(|| TaskError::failed("there is no response"))?;
        response::of_http(&response)
    }

    async fn invoke_gateway(&self, arguments: &Value) -> Result<Value, TaskError> {
        let request = api_gateway::request(arguments, &self.apis())?;
        response::of_gateway(&self.send(&request).await?)
    }

    /// Sends a request to a host that is allowed.
    async fn send(&self, request: &ApiRequest) -> Result<HttpResponse, TaskError> {
        let (endpoint, sent) = request.http_request(&self.region)?;
        let client = match request.is_of_this_machine {
            true => &self.clients.any,
            false => self.client(&endpoint)?,
        };
        self.exchange(client, &endpoint, sent).await
    }

    fn client(&self, endpoint: &Endpoint) -> Result<&HttpClient, TaskError> {
        let host = &endpoint.authority;
        match self.hosts.allows(host) {
            Some(true) => Ok(&self.clients.any),
            Some(false) => Ok(&self.clients.guarded),
            None => Err(TaskError::failed(format!(
                "calls of {host} are not allowed: allow them with --allow-http {host}"
            ))),
        }
    }

    async fn exchange(
        &self,
        client: &HttpClient,
        endpoint: &Endpoint,
        request: HttpRequest,
    ) -> Result<HttpResponse, TaskError> {
        let sent = tokio::time::timeout(REQUEST_TIME, client.send(endpoint, request)).await;
        let socket = |cause: String| TaskError::new("States.Http.Socket", cause);
        match sent {
            Err(_) => {
                let seconds = REQUEST_TIME.as_secs();
                let host = &endpoint.authority;
                Err(socket(format!(
                    "{host} has not responded within {seconds} seconds"
                )))
            }
            Ok(Err(error @ ConnectionError::TooLong { .. })) => Err(TaskError::new(
                "States.DataLimitExceeded",
                error.to_string(),
            )),
            Ok(Err(error)) => Err(socket(error.to_string())),
            Ok(Ok(response)) => Ok(response),
        }
    }
}

/// An error in the arguments, as the service names it.
fn refused(cause: impl Into<String>) -> TaskError {
    TaskError::new("States.Runtime", cause.into())
}

/// Returns a text unchanged, and any other value as JSON.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => asl_path::json::printed(other),
    }
}
