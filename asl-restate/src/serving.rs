//! Serving the services to Restate.
use hyper::server::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use restate_sdk::endpoint::Endpoint;
use restate_sdk::hyper::HyperEndpoint;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;
#[cfg(unix)]
use tokio::net::TcpSocket;
use tokio::net::{TcpListener, TcpStream};

/// After a connection could not be accepted: no file descriptor may be left.
const PAUSE: Duration = Duration::from_millis(100);
/// Connections that wait to be accepted, as many as tokio has by itself.
#[cfg(unix)]
const BACKLOG: u32 = 1_024;
/// What may be under way to a connection, and to one of its streams: all of a long journal comes at once when it is replayed.
/// With the window that hyper has by itself, h2 from 0.4.16 on stalls there for ever.
const WINDOW: u32 = 64 << 20;

/// Listens at an address, alone or with other processes that do.
pub(crate) async fn listen(address: SocketAddr, shared: bool) -> io::Result<TcpListener> {
    match shared {
        true => listen_shared(address),
        false => TcpListener::bind(address).await,
    }
}

#[cfg(unix)]
fn listen_shared(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    socket.set_reuseaddr(true)?;
    socket.set_reuseport(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

#[cfg(not(unix))]
fn listen_shared(_: SocketAddr) -> io::Result<TcpListener> {
    let what = "processes cannot share an address on this system: give each one of its own";
    Err(io::Error::new(io::ErrorKind::Unsupported, what))
}

/// Serves for ever.
pub(crate) async fn serve(listener: TcpListener, endpoint: Endpoint) {
    let endpoint = HyperEndpoint::new(endpoint);
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                tokio::spawn(talk(stream, endpoint.clone()));
            }
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}

async fn talk(stream: TcpStream, endpoint: HyperEndpoint) {
    // Entries are small and waited for; where that cannot be said, Restate has gone already.
    let _ = stream.set_nodelay(true);
    let mut http = http2::Builder::new(TokioExecutor::new());
    http.initial_connection_window_size(WINDOW)
        .initial_stream_window_size(WINDOW)
        .max_concurrent_streams(None);
    // Why a connection broke is told by Restate, which tries again.
    let _ = http.serve_connection(TokioIo::new(stream), endpoint).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[tokio::test]
    async fn an_address_is_shared_by_those_who_say_so() {
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        let first = listen(any, true).await.unwrap();
        let address = first.local_addr().unwrap();
        let second = listen(address, true).await.unwrap();
        assert!(listen(address, false).await.is_err());
        drop(first);
        let stream = TcpStream::connect(address);
        let (connected, accepted) = tokio::join!(stream, second.accept());
        assert!(connected.is_ok() && accepted.is_ok());
    }
}
