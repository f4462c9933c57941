//! Servers of one cluster: if one cannot be reached, the next one is used.
use super::ClientError;
use super::connections::{Answer, NoAnswer, Server};
use crate::RestateError;
use hyper::body::Bytes;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Servers of which each answers for the whole cluster.
#[derive(Debug)]
pub(super) struct Servers {
    all: Vec<Server>,
    /// The one that is asked first: it was reached last.
    first: AtomicUsize,
}

impl Servers {
    /// Reads `http://HOST:PORT` of each.
    pub(super) fn parse(urls: &[String]) -> Result<Self, RestateError> {
        let all = urls.iter().map(|url| Server::parse(url));
        let all: Vec<Server> = all.collect::<Result<_, _>>()?;
        match all.is_empty() {
            true => Err(RestateError::Url(String::new())),
            false => Ok(Self {
                all,
                first: AtomicUsize::new(0),
            }),
        }
    }

    /// POSTs a body, or none, to the first that can be reached. Where a connection is lost that was asked something, that may have
    /// happened: it is not asked again.
    pub(super) async fn post(
        &self,
        path: &str,
        body: Option<Vec<u8>>,
    ) -> Result<Answer, ClientError> {
        let body = body.map(Bytes::from);
        let first = self.first.load(Relaxed);
        let mut refused = Vec::new();
        let (before, after) = self.all.split_at(first % self.all.len());
        for (number, server) in after.iter().chain(before).enumerate() {
            match server.post(path, body.clone()).await {
                Err(NoAnswer::NotConnected(error)) => refused.push(error.to_string()),
                Err(NoAnswer::Lost(error)) => return Err(error),
                Ok(answer) => {
                    if number > 0 {
                        self.first.store(first.wrapping_add(number), Relaxed);
                    }
                    return Ok(answer);
                }
            }
        }
        Err(ClientError::Unavailable(refused.join("; ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    /// Returns a server that answers so many requests, each on a connection of its own, with its name.
    async fn server(name: &'static str, requests: usize) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move {
            for _ in 0..requests {
                let (mut stream, _) = listener.accept().await.unwrap();
                let _ = stream.read(&mut [0; 1_024]).await;
                let length = name.len();
                let answer = format!(
                    "HTTP/1.1 200 OK\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{name}"
                );
                stream.write_all(answer.as_bytes()).await.unwrap();
            }
        });
        url
    }

    async fn nobody() -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    }

    async fn answered(servers: &Servers) -> String {
        let answer = servers.post("/", None).await.unwrap();
        String::from_utf8(answer.body).unwrap()
    }

    #[tokio::test]
    async fn the_next_is_asked_where_one_is_gone_and_goes_on_being_asked() {
        let urls = [nobody().await, server("b", 2).await, server("c", 1).await];
        let servers = Servers::parse(&urls).unwrap();
        assert_eq!(answered(&servers).await, "b");
        assert_eq!(answered(&servers).await, "b");
        // That one ends: the one after it.
        assert_eq!(answered(&servers).await, "c");
    }

    #[tokio::test]
    async fn what_cannot_be_reached_is_named() {
        let urls = [nobody().await, nobody().await];
        let servers = Servers::parse(&urls).unwrap();
        let error = servers.post("/", None).await.unwrap_err().to_string();
        for url in &urls {
            assert!(error.contains(url.as_str()), "{error}");
        }
        assert!(Servers::parse(&[]).is_err());
    }
}
