//! Serving the services to Restate.
use crate::deployment::Deployment;
use http_body_util::{Either, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http2;
use hyper::service::{Service as _, service_fn};
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo};
use restate_sdk::endpoint::Endpoint;
use restate_sdk::hyper::HyperEndpoint;
use std::convert::Infallible;
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
/// Window of a connection and of its streams: a long journal arrives at once when it is replayed. With hyper's default
/// window, h2 from 0.4.16 on stalls there for ever.
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
    let what = "processes cannot share an address on this system: use a different address for each";
    Err(io::Error::new(io::ErrorKind::Unsupported, what))
}

/// Serves a deployment for ever.
pub(crate) async fn serve(listener: TcpListener, endpoint: Endpoint, deployment: Deployment) {
    let endpoint = HyperEndpoint::new(endpoint);
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                tokio::spawn(talk(stream, endpoint.clone(), deployment.clone()));
            }
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}

async fn talk(stream: TcpStream, endpoint: HyperEndpoint, deployment: Deployment) {
    // Entries are small and waited for; where that cannot be said, Restate has gone already.
    let _ = stream.set_nodelay(true);
    let mut http = http2::Builder::new(TokioExecutor::new());
    http.initial_connection_window_size(WINDOW)
        .initial_stream_window_size(WINDOW)
        .max_concurrent_streams(None);
    let service = service_fn(|request: Request<Incoming>| {
        let path = request.uri().path();
        let refused = (!deployment.is_for(path)).then(|| refusal(&deployment, path));
        let answered = match refused {
            Some(refused) => Err(refused),
            None => Ok(endpoint.call(request)),
        };
        async {
            match answered {
                Ok(answer) => Ok(answer.await?.map(Either::Right)),
                Err(refused) => Ok::<_, Infallible>(refused.map(Either::Left)),
            }
        }
    });
    // Why a connection broke is told by Restate, which tries again.
    let _ = http.serve_connection(TokioIo::new(stream), service).await;
}

/// Returns the answer to a request for another deployment.
fn refusal(deployment: &Deployment, path: &str) -> Response<Full<Bytes>> {
    let what = format!(
        "this process serves {}, and the request is for {path}: an execution ends under the version and the name of the deployment \
         that began it, so run that one here as well until its executions have ended",
        deployment.path()
    );
    let mut response = Response::new(Full::from(what));
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::{BodyExt as _, Empty};
    use hyper::client::conn::http2::handshake;

    const KEY: &str = "publickeyv1_ChjENKeMvCtRnqG2mrBK1HmPKufgFUc98K8B3ononQvp";

    /// Returns the response of a process with these keys.
    async fn respond(path: &str, keys: &[&str]) -> (u16, String) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut endpoint = Endpoint::builder();
        for key in keys {
            endpoint = endpoint.identity_key(key).unwrap();
        }
        let deployment = Deployment::new(None).unwrap();
        let serving = tokio::spawn(serve(listener, endpoint.build(), deployment));
        let stream = TokioIo::new(TcpStream::connect(address).await.unwrap());
        let (mut sender, connection) = handshake(TokioExecutor::new(), stream).await.unwrap();
        tokio::spawn(connection);
        let request = Request::get(format!("http://{address}{path}"));
        let request = request.body(Empty::<Bytes>::new()).unwrap();
        let answer = sender.send_request(request).await.unwrap();
        let status = answer.status().as_u16();
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        serving.abort();
        (status, String::from_utf8_lossy(&body).into_owned())
    }

    #[tokio::test]
    async fn a_request_for_another_deployment_is_refused() {
        let own = Deployment::new(None).unwrap();
        let (status, _) = respond(&format!("{}/health", own.path()), &[]).await;
        assert_eq!(status, 200);
        for other in ["/core-0/services-1/invoke/AslExecution/run", "/"] {
            let (status, said) = respond(other, &[]).await;
            assert_eq!(status, 404);
            assert!(said.contains(own.path()) && said.contains(other), "{said}");
        }
    }

    #[tokio::test]
    async fn with_a_key_requests_are_refused_that_are_not_signed() {
        let own = Deployment::new(None).unwrap();
        for path in ["discover", "invoke/AslExecution/run"] {
            let (status, _) = respond(&format!("{}/{path}", own.path()), &[KEY]).await;
            assert_eq!(status, 401);
        }
    }

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
