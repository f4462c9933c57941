//! Connections.
use crate::endpoint::Endpoint;
use crate::request::HttpRequest;
use crate::resolver::{LINK_LOCAL, Resolver, is_link_local};
use crate::response::HttpResponse;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::Request;
use hyper::body::Bytes;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::dns::GaiResolver;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use std::error::Error;
use std::fmt;
use std::net::IpAddr;
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

type Https = Client<HttpsConnector<HttpConnector<Resolver>>, Full<Bytes>>;

/// Sends requests over HTTP and HTTPS, by connections that are reused. It follows no redirects, and repeats nothing.
pub struct HttpClient {
    max_response_bytes: usize,
    refuses_link_local: bool,
    plain: Client<HttpConnector<Resolver>, Full<Bytes>>,
    /// Made when the first request needs it: reading certificates takes its time.
    secure: OnceLock<Result<Https, String>>,
}

impl fmt::Debug for HttpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpClient").finish_non_exhaustive()
    }
}

impl HttpClient {
    /// Creates a client that reads responses up to a number of bytes.
    pub fn new(max_response_bytes: usize) -> Self {
        Self::with_resolver(max_response_bytes, false)
    }

    /// Creates a client that never connects to a link-local address, such as that of instance metadata, also not by a name of it.
    pub fn refusing_link_local(max_response_bytes: usize) -> Self {
        Self::with_resolver(max_response_bytes, true)
    }

    fn with_resolver(max_response_bytes: usize, refuses_link_local: bool) -> Self {
        Self {
            max_response_bytes,
            refuses_link_local,
            plain: builder().build(connector(refuses_link_local)),
            secure: OnceLock::new(),
        }
    }

    /// Sends a request to an endpoint, and reads all of the response. The path is the whole path: that of the endpoint is not
    /// put before it.
    ///
    /// # Errors
    /// There is no response, or it is too long.
    pub async fn send(
        &self,
        endpoint: &Endpoint,
        request: HttpRequest,
    ) -> Result<HttpResponse, ConnectionError> {
        let limit = self.max_response_bytes;
        self.send_with_limit(endpoint, request, limit).await
    }

    /// As [`send`](Self::send), with another limit for the response.
    pub(crate) async fn send_with_limit(
        &self,
        endpoint: &Endpoint,
        request: HttpRequest,
        limit: usize,
    ) -> Result<HttpResponse, ConnectionError> {
        let scheme = if endpoint.is_secure { "https" } else { "http" };
        let authority = request.header("Host").unwrap_or(&endpoint.authority);
        let url = format!("{scheme}://{authority}");
        let failed = |reason: String| ConnectionError::Failed {
            url: url.clone(),
            reason,
        };
        // An address is not resolved.
        let address = endpoint.host().trim_matches(['[', ']']).parse::<IpAddr>();
        if self.refuses_link_local && address.is_ok_and(is_link_local) {
            return Err(failed(LINK_LOCAL.to_owned()));
        }
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
        let body = Limited::new(body, limit).collect().await;
        let body = body.map_err(|error| match error.is::<LengthLimitError>() {
            true => ConnectionError::TooLong {
                url: url.clone(),
                limit,
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
            let mut connector = connector(self.refuses_link_local);
            connector.enforce_http(false);
            let secure = roots.https_only().enable_http1().wrap_connector(connector);
            Ok(builder().build(secure))
        });
        made.as_ref().map_err(Clone::clone)
    }
}

fn connector(refuses_link_local: bool) -> HttpConnector<Resolver> {
    let mut connector = HttpConnector::new_with_resolver(Resolver {
        system: GaiResolver::new(),
        refuses_link_local,
    });
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
