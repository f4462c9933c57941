//! Connections: their limit, timeouts of slow clients, and the stop of the server.
use crate::api::Api;
use crate::protocol;
use axum::Router;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

/// After a connection could not be accepted: no file descriptor may be left.
const PAUSE: Duration = Duration::from_millis(100);
/// Maximum bytes of the head of a request, and of data read ahead.
const MOST_READ_AHEAD: usize = 64 << 10;

/// Serves until `shutdown`, and then until requests in progress are answered or the time is over.
pub(crate) async fn serve(
    api: Arc<Api>,
    router: Router,
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
) -> io::Result<()> {
    let most = u32::try_from(api.options.max_connections.max(1)).unwrap_or(u32::MAX);
    let connections = Arc::new(Semaphore::new(most as usize));
    // As many again may wait to be admitted, or be told that they are not; the others wait to be accepted.
    let places = Arc::new(Semaphore::new(2 * most as usize));
    let mut shutdown = pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            () = &mut shutdown => break,
            accepted = accept(&listener, &places) => accepted,
        };
        let (stream, place) = match accepted {
            Ok(accepted) => accepted,
            // The client has gone already.
            Err(error) if is_of_the_client(&error) => continue,
            Err(_) => {
                sleep(PAUSE).await;
                continue;
            }
        };
        let (api, router) = (Arc::clone(&api), router.clone());
        let connections = Arc::clone(&connections);
        tokio::spawn(async move {
            let admission = timeout(api.options.connection_wait, connections.acquire_owned());
            match admission.await {
                Ok(Ok(_permit)) => {
                    api.metrics.connections.fetch_add(1, Ordering::Relaxed);
                    talk(&api, router, stream).await;
                    api.metrics.connections.fetch_sub(1, Ordering::Relaxed);
                }
                _ => turn_away(stream).await,
            }
            drop(place);
        });
    }
    drop(listener);
    api.stopping.send_replace(true);
    // All permits are back when the last connection is gone.
    let _ = timeout(api.options.grace, connections.acquire_many(most)).await;
    Ok(())
}

async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> io::Result<(TcpStream, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await;
    let place = place.map_err(io::Error::other)?;
    let (stream, _) = listener.accept().await?;
    // Answers are small and waited for; where that cannot be said, the client has gone already.
    let _ = stream.set_nodelay(true);
    Ok((stream, place))
}

/// Returns true if it reports one connection, and the next one may be accepted at once.
fn is_of_the_client(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    matches!(
        error.kind(),
        Kind::ConnectionAborted | Kind::ConnectionReset | Kind::ConnectionRefused
    )
}

/// Responds with 503 to a connection above the limit. It reads for a moment, because closing immediately would lose the
/// response.
async fn turn_away(mut stream: TcpStream) {
    let answered = async {
        stream.write_all(protocol::NO_CONNECTION.as_bytes()).await?;
        stream.shutdown().await?;
        let mut read = 0;
        let mut bytes = [0; 4 << 10];
        while read < MOST_READ_AHEAD {
            match stream.read(&mut bytes).await? {
                0 => break,
                count => read += count,
            }
        }
        io::Result::Ok(())
    };
    // The client has gone, or does not listen.
    let _ = timeout(PAUSE, answered).await;
}

/// Answers the requests of a connection until it is closed, or the server is to stop.
async fn talk(api: &Arc<Api>, router: Router, stream: TcpStream) {
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(api.options.read_timeout)
        .max_buf_size(MOST_READ_AHEAD)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let mut connection = pin!(connection);
    // Why a connection broke is its client's business.
    tokio::select! {
        _ = connection.as_mut() => {}
        () = api.stopped() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}
