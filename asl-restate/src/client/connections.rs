//! Connections to a server that are kept for the next request.
use super::ClientError;
use crate::RestateError;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{CONTENT_TYPE, HOST};
use hyper::{Request, Uri};
use hyper_util::rt::TokioIo;
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Maximum number of idle connections.
const MOST_IDLE: usize = 64;
/// A machine that is gone does not even refuse a connection.
const CONNECTING: Duration = Duration::from_secs(3);
/// A cluster without a quorum takes requests and never answers them.
const ANSWERING: Duration = Duration::from_secs(20);

type Sender = SendRequest<Full<Bytes>>;

/// A server, with its connections.
#[derive(Debug)]
pub(super) struct Server {
    url: String,
    authority: String,
    host: String,
    port: u16,
    idle: Mutex<Vec<Sender>>,
}

/// Reasons why there is no response.
#[derive(Debug)]
pub(super) enum NoAnswer {
    /// Nothing was sent: another server may be asked.
    NotConnected(ClientError),
    /// The request may have been applied.
    Lost(ClientError),
}

/// A response with any status.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
}

impl Server {
    /// Reads `http://HOST:PORT`.
    pub(super) fn parse(url: &str) -> Result<Self, RestateError> {
        let refused = || RestateError::Url(url.to_owned());
        let uri: Uri = url.parse().map_err(|_| refused())?;
        let authority = uri.authority().ok_or_else(refused)?;
        let is_plain = uri.scheme_str() == Some("http") && matches!(uri.path(), "" | "/");
        let port = authority.port_u16().filter(|_| is_plain);
        let host = authority.host();
        Ok(Self {
            url: url.to_owned(),
            authority: authority.to_string(),
            // Brackets are of the URL, not of the address (RFC 3986, section 3.2.2).
            host: host.trim_matches(['[', ']']).to_owned(),
            port: port.ok_or_else(refused)?,
            idle: Mutex::default(),
        })
    }

    /// POSTs a body, or none, and reads all of the answer.
    pub(super) async fn post(&self, path: &str, body: Option<Bytes>) -> Result<Answer, NoAnswer> {
        let lost = |error: hyper::Error| NoAnswer::Lost(self.unreachable(&error));
        if let Some(sender) = self.take_idle() {
            // The server may have closed it: then nothing was read, and a new connection is asked.
            match self
                .in_time(self.exchange(sender, path, body.clone()))
                .await?
            {
                Err(error) if error.is_canceled() => {}
                answer => return answer.map_err(lost),
            }
        }
        let sender = self.connect().await.map_err(NoAnswer::NotConnected)?;
        let answer = self.in_time(self.exchange(sender, path, body)).await?;
        answer.map_err(lost)
    }

    async fn in_time<T>(&self, exchange: impl Future<Output = T>) -> Result<T, NoAnswer> {
        timeout(ANSWERING, exchange).await.map_err(|_| {
            let seconds = ANSWERING.as_secs();
            NoAnswer::Lost(ClientError::Unavailable(format!(
                "Restate at {} has not answered within {seconds} s: a cluster without a quorum does not answer",
                self.url
            )))
        })
    }

    async fn connect(&self) -> Result<Sender, ClientError> {
        let connecting = TcpStream::connect((self.host.as_str(), self.port));
        let in_time = timeout(CONNECTING, connecting).await;
        let stream = in_time.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
        let stream = stream.map_err(|error| self.unreachable(&error))?;
        // Messages are small and waited for; where that cannot be said, the server has gone already.
        let _ = stream.set_nodelay(true);
        let connected = handshake(TokioIo::new(stream)).await;
        let (sender, connection) = connected.map_err(|error| self.unreachable(&error))?;
        // Whoever sends on it is told why it ended.
        tokio::spawn(connection);
        Ok(sender)
    }

    async fn exchange(
        &self,
        mut sender: Sender,
        path: &str,
        body: Option<Bytes>,
    ) -> Result<Answer, hyper::Error> {
        sender.ready().await?;
        let mut request = Request::new(Full::default());
        *request.method_mut() = hyper::Method::POST;
        // Paths are made by this crate, of bytes that may stand in one.
        *request.uri_mut() = path.parse().unwrap_or_default();
        if let Ok(host) = self.authority.parse() {
            request.headers_mut().insert(HOST, host);
        }
        if let Some(body) = body {
            let json = hyper::header::HeaderValue::from_static("application/json");
            request.headers_mut().insert(CONTENT_TYPE, json);
            *request.body_mut() = Full::new(body);
        }
        let response = sender.send_request(request).await?;
        let status = response.status().as_u16();
        let body = response.into_body().collect().await?.to_bytes().into();
        self.put_idle(sender);
        Ok(Answer { status, body })
    }

    fn take_idle(&self) -> Option<Sender> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|sender| !sender.is_closed());
        idle.pop()
    }

    fn put_idle(&self, sender: Sender) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MOST_IDLE && !sender.is_closed() {
            idle.push(sender);
        }
    }

    fn unreachable(&self, error: &dyn std::error::Error) -> ClientError {
        let mut what = format!("Restate cannot be reached at {}: {error}", self.url);
        let mut source = error.source();
        while let Some(inner) = source {
            what = format!("{what}: {inner}");
            source = inner.source();
        }
        ClientError::Unavailable(what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_names_a_host_and_a_port() {
        let server = Server::parse("http://[::1]:8080/").unwrap();
        assert_eq!((&*server.host, server.port), ("::1", 8080));
        for wrong in [
            "localhost:8080",
            "https://h:1",
            "http://h",
            "http://h:1/path",
            "",
        ] {
            let refused = Server::parse(wrong).unwrap_err().to_string();
            assert_eq!(
                refused,
                format!("expected http://HOST:PORT, found '{wrong}'")
            );
        }
    }
}
