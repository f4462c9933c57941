//! Connections.
use crate::endpoint::Endpoint;
use crate::request::HttpRequest;
use crate::response::HttpResponse;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::Request;
use hyper::body::Bytes;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use std::error::Error;
use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;

/// Lifetime of a connection without requests.
const IDLE: Duration = Duration::from_secs(20);

/// Maximum time for a connection to be made.
const CONNECT: Duration = Duration::from_secs(10);

/// A request that got no response.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectionError {
    /// The request could not be sent, or the connection ended before the response did.
    #[error("{url}: {reason}")]
    Failed {
        /// The endpoint.
        url: String,
        /// The reason.
        reason: String,
    },
    /// The response is longer than is accepted.
    #[error("{url}: the response has more than {limit} bytes")]
    TooLong {
        /// The endpoint.
        url: String,
        /// The limit in bytes.
        limit: usize,
    },
}

type Https = Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

/// Connections that are reused.
pub(crate) struct Connections {
    max_response_bytes: usize,
    plain: Client<HttpConnector, Full<Bytes>>,
    /// Made when the first request needs it: reading certificates takes its time.
    secure: OnceLock<Result<Https, String>>,
}

impl fmt::Debug for Connections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connections").finish_non_exhaustive()
    }
}

impl Connections {
    pub(crate) fn new(max_response_bytes: usize) -> Self {
        Self {
            max_response_bytes,
            plain: builder().build(connector()),
            secure: OnceLock::new(),
        }
    }

    /// Sends a request, and reads all of the response.
    pub(crate) async fn send(
        &self,
        endpoint: &Endpoint,
        request: HttpRequest,
    ) -> Result<HttpResponse, ConnectionError> {
        let scheme = if endpoint.is_secure { "https" } else { "http" };
        let authority = request.header("Host").unwrap_or(&endpoint.authority);
        let url = format!("{scheme}://{authority}");
        let failed = |reason: String| ConnectionError::Failed {
            url: url.clone(),
            reason,
        };
        let mut target = format!("{url}{}", request.path);
        if !request.query.is_empty() {
            target.push('?');
            target.push_str(&request.query);
        }
        let mut built = Request::builder()
            .method(request.method.as_str())
            .uri(target);
        for (name, value) in &request.headers {
            built = built.header(name, value);
        }
        let body = Full::new(Bytes::from(request.body));
        let built = built
            .body(body)
            .map_err(|error| failed(error.to_string()))?;
        let response = match endpoint.is_secure {
            false => self.plain.request(built).await,
            true => self.secure().map_err(failed)?.request(built).await,
        };
        let response = response.map_err(|error| failed(chain(&error)))?;
        let (parts, body) = response.into_parts();
        let body = Limited::new(body, self.max_response_bytes).collect().await;
        let body = body.map_err(|error| match error.is::<LengthLimitError>() {
            true => ConnectionError::TooLong {
                url: url.clone(),
                limit: self.max_response_bytes,
            },
            false => failed(chain(error.as_ref())),
        })?;
        let mut read = HttpResponse::new(parts.status.as_u16(), body.to_bytes());
        for (name, value) in &parts.headers {
            let value = String::from_utf8_lossy(value.as_bytes());
            read = read.with_header(name.as_str(), value);
        }
        Ok(read)
    }

    fn secure(&self) -> Result<&Https, String> {
        let made = self.secure.get_or_init(|| {
            let roots = HttpsConnectorBuilder::new().with_native_roots();
            let roots = roots.map_err(|error| format!("certificates of this machine: {error}"))?;
            let mut connector = connector();
            connector.enforce_http(false);
            let secure = roots.https_only().enable_http1().wrap_connector(connector);
            Ok(builder().build(secure))
        });
        made.as_ref().map_err(Clone::clone)
    }
}

fn connector() -> HttpConnector {
    let mut connector = HttpConnector::new();
    connector.set_connect_timeout(Some(CONNECT));
    connector.set_nodelay(true);
    connector
}

fn builder() -> hyper_util::client::legacy::Builder {
    let mut builder = Client::builder(TokioExecutor::new());
    builder
        .pool_idle_timeout(IDLE)
        .pool_timer(TokioTimer::new());
    builder
}

/// Returns an error with what lies behind it.
fn chain(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| (*error).source());
    let texts: Vec<String> = causes.map(ToString::to_string).collect();
    texts.join(": ")
}
