//! Serving the services to Restate.
use hyper::server::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use restate_sdk::endpoint::Endpoint;
use restate_sdk::hyper::HyperEndpoint;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};

/// After a connection could not be accepted: no file descriptor may be left.
const PAUSE: Duration = Duration::from_millis(100);
/// What may be under way to a connection, and to one of its streams: all of a long journal comes at once when it is replayed.
/// With the window that hyper has by itself, h2 from 0.4.16 on stalls there for ever.
const WINDOW: u32 = 64 << 20;

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
