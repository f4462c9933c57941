//! Servers that tasks are POSTed to.
use super::places::{Places, out_of_time};
use super::{UrlError, answer};
use asl_engine::TaskError;
use asl_engine::runtime::Task;
use base64::Engine;
use base64::prelude::BASE64_STANDARD as STANDARD;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST, HeaderValue};
use hyper::http::request::Builder;
use hyper::http::uri::InvalidUri;
use hyper::{Request, Response, Uri};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

/// A server, and the path at it.
#[derive(Debug)]
pub(super) struct Server {
    /// Scheme, host, port and path: causes and logs show it. User, password and query may be secrets.
    pub(super) shown_url: String,
    uri: Uri,
    /// Of the user and the password in the URL.
    authorization: Option<HeaderValue>,
    host: String,
    port: u16,
}

impl Server {
    /// Reads `http://HOST[:PORT][/PATH]`.
    pub(super) fn parse(url: &str) -> Result<Self, UrlError> {
        let given = || without_secrets(url);
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
        let shown_url = format!("http://{}{}", host_and_port(&uri), uri.path());
        Ok(Self {
            shown_url,
            authorization: authorization(&uri),
            // Brackets are of the URL, not of the address (RFC 3986, section 3.2.2).
            host: host
                .trim_start_matches('[')
                .trim_end_matches(']')
                .to_owned(),
            port,
            uri,
        })
    }

    /// Returns the path, and the query after it.
    pub(super) fn path(&self) -> &str {
        self.uri.path_and_query().map_or("/", |path| path.as_str())
    }

    /// Returns a request to POST to a path, whose headers name the task.
    pub(super) fn request(&self, path: &str, task: &Task) -> Builder {
        let identity = &task.execution().identity;
        let mut request = Request::post(path);
        if let Some(authorization) = &self.authorization {
            request = request.header(AUTHORIZATION, authorization);
        }
        request
            .header(HOST, host_and_port(&self.uri))
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json")
            .header("Idempotency-Key", header(&task.idempotency_key()))
            .header("Asl-Execution-Arn", header(&identity.execution_arn()))
            .header("Asl-Execution-Name", header(identity.execution_name()))
            .header("Asl-Resource", header(&task.resource().uri))
            .header("Asl-State-Name", header(task.state_name()))
            .header("Asl-Retry-Count", task.retry_count())
            .header("Asl-Task-Token", header(task.token()))
    }

    /// Sends a request and reads all of the response.
    pub(super) async fn exchange(
        &self,
        request: Request<Full<Bytes>>,
    ) -> Result<Response<Vec<u8>>, TaskError> {
        let url = &self.shown_url;
        let unreachable = |why: String| TaskError::failed(format!("cannot reach {url}: {why}"));
        let stream = TcpStream::connect((self.host.as_str(), self.port))
            .await
            .map_err(|error| unreachable(error.to_string()))?;
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
            .await
            .map_err(|error| unreachable(error.to_string()))?;
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

    async fn read(&self, response: Response<Incoming>) -> Result<Response<Vec<u8>>, TaskError> {
        let (parts, body) = response.into_parts();
        let body = Limited::new(body, answer::MAX_BYTES).collect().await;
        let body = body.map_err(|error| match error.is::<LengthLimitError>() {
            true => answer::too_long(&self.shown_url),
            false => TaskError::failed(format!(
                "the response of {} was interrupted: {error}",
                self.shown_url
            )),
        })?;
        Ok(Response::from_parts(parts, body.to_bytes().into()))
    }
}

/// Runs work in a free place until the task's time is over or its result is no longer needed.
pub(super) async fn while_awaited<T>(
    task: &Task,
    places: &Places,
    working: impl Future<Output = Result<T, TaskError>>,
) -> Result<T, TaskError> {
    let working = async {
        let _place = places.acquire().await;
        working.await
    };
    tokio::select! {
        answer = working => answer,
        error = out_of_time(task) => Err(error),
        () = task.cancelled() => Err(TaskError::failed("the result is no longer needed")),
    }
}

/// Returns the error of a Lambda function, where a response reports one.
pub(super) fn function_error(response: &Response<Vec<u8>>) -> Option<TaskError> {
    let is_told = response.headers().contains_key("X-Amz-Function-Error");
    answer::function_error(response.body(), is_told)
}

/// Returns the host and port of a URL, without user and password.
fn host_and_port(uri: &Uri) -> &str {
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    authority.rsplit('@').next().unwrap_or_default()
}

/// Basic authorization by the user and the password of a URL (RFC 7617).
fn authorization(uri: &Uri) -> Option<HeaderValue> {
    let (user, _) = uri.authority()?.as_str().rsplit_once('@')?;
    let mut value = HeaderValue::try_from(format!("Basic {}", STANDARD.encode(user))).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// Returns a URL, also one that cannot be read, without user, password and query.
fn without_secrets(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let host = authority.rsplit('@').next().unwrap_or_default();
    let path = path.split(['?', '#']).next().unwrap_or_default();
    match scheme {
        "" => format!("{host}{path}"),
        scheme => format!("{scheme}://{host}{path}"),
    }
}

/// Returns the port, 80 by default; or the invalid text in its place.
fn port(uri: &Uri) -> Result<u16, String> {
    let host_and_port = host_and_port(uri);
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

/// Returns the value of a header: visible ASCII, with all other characters percent-encoded as in a URL.
fn header(text: &str) -> String {
    percent_encoded(text, |byte| matches!(byte, b' '..=b'~') && byte != b'%')
}

/// Returns a text as in a URL (RFC 3986, section 2.1), but for the bytes that stay; those must be ASCII.
pub(super) fn percent_encoded(text: &str, stays: impl Fn(u8) -> bool) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match stays(byte) {
            true => encoded.push(char::from(byte)),
            false => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

/// Returns an error with what lies behind it.
fn chain(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {}", chain(source)),
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_of_a_url_are_sent_and_not_shown() {
        let server = Server::parse("http://user:secret@localhost:81/a?key=hidden").unwrap();
        assert_eq!(server.shown_url, "http://localhost:81/a");
        assert_eq!(server.path(), "/a?key=hidden");
        let authorization = server.authorization.unwrap();
        assert_eq!(authorization, "Basic dXNlcjpzZWNyZXQ=");
        for url in [
            "https://user:secret@host/a?secret",
            "http://user:secret@:1/",
            "http://user:secret@host:99999/",
        ] {
            let error = Server::parse(url).unwrap_err().to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
