//! Tasks done by servers: the payload is POSTed, the body of a 2xx response is the answer, unless it is the error of a Lambda
//! function.
use super::places::{Places, out_of_time};
use super::{ExternalHandlers, UrlError, answer};
use asl_engine::runtime::{BoxFuture, Task, TaskHandler};
use asl_engine::{TaskAnswer, TaskError};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{ACCEPT, CONTENT_TYPE, HOST};
use hyper::http::uri::InvalidUri;
use hyper::{Request, Response, Uri};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::sync::Arc;
use tokio::net::TcpStream;

/// POSTs each task to a server: the body of a 2xx response is the result, unless it is the error of a Lambda function.
///
/// Headers name the task: `Idempotency-Key`, `Asl-State-Name`, `Asl-Retry-Count`, `Asl-Task-Token`. A response of another
/// status fails the task, with the error in its body where that is `{"Error": …, "Cause": …}`.
#[derive(Debug)]
pub struct Http {
    server: Arc<Server>,
    places: Arc<Places>,
}

#[derive(Debug)]
struct Server {
    /// As the user wrote it.
    url: String,
    uri: Uri,
    host: String,
    port: u16,
}

impl Http {
    /// Reads `http://HOST[:PORT][/PATH]`.
    ///
    /// # Errors
    /// It is no such URL.
    pub fn parse(url: &str, external: &ExternalHandlers) -> Result<Self, UrlError> {
        let given = || url.to_owned();
        let no_host = || UrlError::NoHost { url: given() };
        if matches!(url, "http://" | "https://") {
            return Err(no_host());
        }
        let uri: Uri = url.parse().map_err(|error: InvalidUri| UrlError::Invalid {
            url: given(),
            reason: error.to_string(),
        })?;
        if uri.scheme_str() == Some("https") {
            return Err(UrlError::Https { url: given() });
        }
        let host = uri.host().filter(|host| !host.is_empty());
        let host = host.ok_or_else(no_host)?;
        let port = port(&uri).map_err(|port| UrlError::Port { url: given(), port })?;
        Ok(Self {
            places: Arc::clone(&external.places),
            server: Arc::new(Server {
                url: url.to_owned(),
                // Brackets are of the URL, not of the address (RFC 3986, section 3.2.2).
                host: host
                    .trim_start_matches('[')
                    .trim_end_matches(']')
                    .to_owned(),
                port,
                uri,
            }),
        })
    }
}

/// The port, 80 where none is named; or what stands in its place.
fn port(uri: &Uri) -> Result<u16, String> {
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    let host_and_port = authority.rsplit('@').next().unwrap_or_default();
    // A colon within brackets is of the address.
    let after_address = host_and_port.rsplit(']').next().unwrap_or_default();
    match after_address.rsplit_once(':') {
        None | Some((_, "")) => Ok(80),
        Some((_, port)) => match port.parse() {
            Ok(number @ 1..) => Ok(number),
            _ => Err(port.to_owned()),
        },
    }
}

impl TaskHandler for Http {
    fn invoke(&self, task: Task) -> BoxFuture<'static, Result<TaskAnswer, TaskError>> {
        let (server, places) = (Arc::clone(&self.server), Arc::clone(&self.places));
        Box::pin(async move {
            let working = async {
                let _place = places.taken().await;
                server.post(&task).await
            };
            tokio::select! {
                answer = working => answer.map(TaskAnswer::Completed),
                error = out_of_time(&task) => Err(error),
                () = task.cancelled() => Err(TaskError::failed("nobody waits for the answer any more")),
            }
        })
    }
}

impl Server {
    async fn post(&self, task: &Task) -> Result<Value, TaskError> {
        let url = &self.url;
        let unreachable = |why: String| TaskError::failed(format!("cannot reach {url}: {why}"));
        let stream = TcpStream::connect((self.host.as_str(), self.port))
            .await
            .map_err(|error| unreachable(error.to_string()))?;
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
            .await
            .map_err(|error| unreachable(error.to_string()))?;
        let request = self.request(task)?;
        let exchange = async {
            let response = sender.send_request(request).await;
            let response = response.map_err(|error| unreachable(chain(&error)))?;
            self.read(response).await
        };
        let mut connection = std::pin::pin!(connection);
        let mut exchange = std::pin::pin!(exchange);
        tokio::select! {
            answer = &mut exchange => answer,
            // The connection may close once all is read.
            _ = &mut connection => exchange.await,
        }
    }

    fn request(&self, task: &Task) -> Result<Request<Full<Bytes>>, TaskError> {
        let path = self.uri.path_and_query().map_or("/", |path| path.as_str());
        let authority = self
            .uri
            .authority()
            .map_or("", |authority| authority.as_str());
        let mut request = Request::post(path)
            .header(HOST, authority)
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json")
            .header("Idempotency-Key", header(&task.idempotency_key()))
            .header("Asl-State-Name", header(task.state_name()))
            .header("Asl-Retry-Count", task.retry_count());
        request = request.header("Asl-Task-Token", header(task.token()));
        let payload = serde_json::to_vec(task.payload())?;
        Ok(request.body(Full::new(payload.into()))?)
    }

    async fn read(&self, response: Response<Incoming>) -> Result<Value, TaskError> {
        let status = response.status();
        let function_failed = response.headers().contains_key("X-Amz-Function-Error");
        let body = Limited::new(response.into_body(), answer::MAX_BYTES)
            .collect()
            .await;
        let body = body.map_err(|error| match error.is::<LengthLimitError>() {
            true => answer::too_long(&self.url),
            false => TaskError::failed(format!("the answer of {} broke off: {error}", self.url)),
        })?;
        let body: Vec<u8> = body.to_bytes().into();
        if let Some(error) = answer::function_error(&body, function_failed) {
            return Err(error);
        }
        if status.is_success() {
            return answer::parse(&self.url, body);
        }
        let text = String::from_utf8_lossy(&body);
        Err(answer::parse_error(&text).unwrap_or_else(|| {
            let said = match text.trim().is_empty() {
                true => String::new(),
                false => format!(": {}", answer::quoted(text.trim())),
            };
            TaskError::failed(format!("{} answered {status}{said}", self.url))
        }))
    }
}

/// A header's value holds visible ASCII only: all else is written as in a URL.
fn header(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b' '..=b'~' if byte != b'%' => value.push(char::from(byte)),
            _ => value.push_str(&format!("%{byte:02X}")),
        }
    }
    value
}

/// An error with what lies behind it.
fn chain(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {}", chain(source)),
        None => error.to_string(),
    }
}
