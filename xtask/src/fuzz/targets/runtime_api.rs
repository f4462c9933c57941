//! Requests of a process to its Runtime API: any bytes.
use super::{DEEP, feature};
use asl_lambda::{Invocation, InvocationOutcome, serve_single_event};
use std::cell::LazyCell;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::runtime::{Builder, Runtime};

pub(super) const WORDS: &[&str] = &[
    "GET /2018-06-01/runtime/invocation/next HTTP/1.1\r\n\r\n",
    "POST /2018-06-01/runtime/invocation/event/response HTTP/1.1\r\n",
    "POST /2018-06-01/runtime/invocation/event/error HTTP/1.1\r\n",
    "POST /2018-06-01/runtime/init/error HTTP/1.1\r\n",
    "Content-Length: ",
    "Transfer-Encoding: chunked\r\n",
    "Connection: close\r\n",
    "Expect: 100-continue\r\n",
    "Lambda-Runtime-Function-Error-Type: ",
    "Host: 127.0.0.1:0\r\n",
    "Origin: http://a\r\n",
    "\r\n\r\n",
    "0\r\n\r\n",
    "{\"errorMessage\": \"",
];

/// The id of the event.
const EVENT: &str = "event";
/// A connection that says nothing more is closed after this time.
const PATIENCE: Duration = Duration::from_millis(20);

thread_local! {
    static TOKIO: LazyCell<Runtime> = LazyCell::new(|| {
        let tokio = Builder::new_current_thread().enable_time().build();
        tokio.expect("a runtime of one thread")
    });
}

pub(super) fn run(bytes: &[u8]) -> u64 {
    TOKIO.with(|tokio| {
        let (responses, outcome) = tokio.block_on(converse(bytes));
        check(bytes, &outcome);
        feature((statuses(&responses), kind(&outcome)))
    })
}

/// Says all of an input, and returns the responses.
async fn converse(bytes: &[u8]) -> (Vec<u8>, Option<InvocationOutcome>) {
    let (client, server) = tokio::io::duplex(1 << 16);
    let event = Invocation::new(r#"{"a": 1}"#).with_request_id(EVENT.to_owned());
    let served = serve_single_event(server, event);
    let (mut reader, mut writer) = tokio::io::split(client);
    let mut responses = Vec::new();
    let said = async {
        let writes = async {
            // The server may close before it has read all.
            let _ = writer.write_all(bytes).await;
            let _ = writer.shutdown().await;
        };
        let reads = reader.read_to_end(&mut responses);
        let both = async { tokio::join!(writes, reads) };
        // A request for another event waits for it.
        let _ = tokio::time::timeout(PATIENCE, both).await;
        drop((reader, writer));
    };
    // A connection that waits for another event does not notice its end while there are unread requests.
    let served = tokio::time::timeout(2 * PATIENCE, served);
    let ((), outcome) = tokio::join!(said, served);
    (responses, outcome.unwrap_or_default())
}

/// An event is answered only by a request that names it.
fn check(bytes: &[u8], outcome: &Option<InvocationOutcome>) {
    let says = |words: &str| {
        let words = words.as_bytes();
        bytes.windows(words.len()).any(|part| part == words)
    };
    match outcome {
        None => {}
        Some(InvocationOutcome::Result(body)) => {
            assert!(
                says("invocation/next") && says("event/response"),
                "{body:?}"
            );
        }
        Some(_) => {
            assert!(says("invocation/next") && (says("event/error") || says("event/response")))
        }
    }
}

/// Returns the status codes of all responses.
fn statuses(responses: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(responses);
    let mut parts = text.split("HTTP/1.");
    let before = parts.next().unwrap_or_default();
    assert!(before.is_empty(), "a response begins with {before:?}");
    parts
        .map(|part| part.chars().skip(2).take(3).collect())
        .collect()
}

fn kind(outcome: &Option<InvocationOutcome>) -> u8 {
    match outcome {
        None => 0,
        Some(InvocationOutcome::Result(_)) => 1,
        Some(_) => 2,
    }
}

/// A path of many parts, and a header that is long.
pub(super) fn deep() -> Vec<Vec<u8>> {
    let path = "/next".repeat(DEEP);
    let header = "x".repeat(DEEP);
    vec![
        format!("GET /2018-06-01/runtime/invocation{path} HTTP/1.1\r\n\r\n").into_bytes(),
        format!("GET /2018-06-01/runtime/invocation/next HTTP/1.1\r\nx: {header}\r\n\r\n")
            .into_bytes(),
    ]
}
