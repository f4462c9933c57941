//! The Runtime API without a process.
use crate::exchange::{Exchange, QueuedEvent};
use crate::runtime_api::RuntimeApi;
use crate::{Invocation, InvocationOutcome};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::oneshot;

/// Serves the Runtime API with one event on one connection until the connection ends: for tests of custom runtimes. Returns the
/// outcome, if the event was answered. A request for another event is not answered: drop the future to end that.
///
/// ```
/// # let tokio = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # tokio.block_on(async {
/// use asl_lambda::{Invocation, InvocationOutcome, serve_single_event};
/// use tokio::io::{AsyncReadExt, AsyncWriteExt};
///
/// let (mut runtime, server) = tokio::io::duplex(4096);
/// let event = Invocation::new("{}").with_request_id("1".to_owned());
/// let served = tokio::spawn(serve_single_event(server, event));
/// runtime.write_all(b"GET /2018-06-01/runtime/invocation/next HTTP/1.1\r\n\r\n").await?;
/// runtime.write_all(b"POST /2018-06-01/runtime/invocation/1/response HTTP/1.1\r\nConnection: close\r\nContent-Length: 1\r\n\r\n7").await?;
/// let mut responses = Vec::new();
/// runtime.read_to_end(&mut responses).await?;
/// assert_eq!(served.await?, Some(InvocationOutcome::Result(b"7".to_vec())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub async fn serve_single_event(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    invocation: Invocation,
) -> Option<InvocationOutcome> {
    let exchange = Arc::new(Exchange::default());
    let (delivered, _is_delivered) = oneshot::channel();
    let (answer, mut answered) = oneshot::channel();
    exchange.put(QueuedEvent {
        time_limit: invocation.time_limit,
        invocation,
        delivered,
        answer,
    });
    let api = Arc::new(RuntimeApi {
        exchange,
        function_arn: "arn:aws:lambda:us-east-1:000000000000:function:function".to_owned(),
        address: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
    });
    api.serve_connection(stream).await;
    answered.try_recv().ok()
}
