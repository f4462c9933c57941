//! The server: messages in, messages out; it knows no stream and no clock.

mod actions;
mod capabilities;
mod commands;
mod editing;
mod inbox;
mod lifecycle;
mod publishing;
mod requests;
mod synchronization;

use crate::documents::Documents;
use crate::transport;
use capabilities::Client;
use inbox::Inbox;
pub use lifecycle::End;
use lifecycle::Phase;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use publishing::PublishedDiagnostics;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A language server: messages change its state, and it returns the messages to send.
///
/// ```
/// use asl_lsp::Server;
/// use lsp_server::{Message, Request};
/// use serde_json::json;
///
/// let mut server = Server::default();
/// let request = Request::new(1.into(), "initialize".to_owned(), json!({"capabilities": {}}));
/// let answers = server.handle(Message::Request(request));
/// assert!(matches!(answers.as_slice(), [Message::Response(answer)] if answer.response_result.is_ok()));
/// ```
#[derive(Debug, Default)]
pub struct Server {
    pub(crate) phase: Phase,
    pub(crate) client: Client,
    pub(crate) documents: Documents,
    pub(crate) publishing: PublishedDiagnostics,
    /// Checker with the cached services.
    pub(crate) checker: asl_lint::Checker,
    pub(crate) services: asl_services::Services,
}

/// The reason why a request has no result.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
}

impl Refusal {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }
}

impl Server {
    /// Handles a message, and returns the messages to send immediately: exactly one response to a request.
    pub fn handle(&mut self, message: Message) -> Vec<Message> {
        match message {
            Message::Request(Request { id, method, params }) => {
                vec![respond(id, self.request(&method, params)).into()]
            }
            Message::Notification(Notification { method, params }) => {
                self.notification(&method, params)
            }
            // Nothing was asked.
            Message::Response(_) => Vec::new(),
        }
    }

    /// Does the next piece of background work, such as checking a changed text; None if no work is left.
    pub fn work(&mut self) -> Option<Vec<Message>> {
        self.publish_next()
    }

    /// Returns how the session ended, if it has.
    pub fn end(&self) -> Option<End> {
        match self.phase {
            Phase::Ended(end) => Some(end),
            Phase::New | Phase::Running | Phase::ShutDown => None,
        }
    }
}

fn respond(id: RequestId, result: Result<Value, Refusal>) -> Response {
    match result {
        Ok(value) => Response::new_ok(id, value),
        Err(refusal) => Response::new_err(id, refusal.code as i32, refusal.message),
    }
}

/// Parses the parameters of a message.
pub(crate) fn read<P: DeserializeOwned>(params: Value) -> Result<P, Refusal> {
    serde_json::from_value(params).map_err(|error| {
        let message = format!("expected the parameters of the protocol: {error}");
        Refusal::new(ErrorCode::InvalidParams, message)
    })
}

/// Serves a client until it sends `exit` or disconnects.
///
/// All received messages are read before any is answered, so that cancelled requests are not processed. Changed texts are
/// checked when no message is left.
pub fn serve(connection: &Connection) -> End {
    let mut server = Server::default();
    let mut inbox = Inbox::default();
    loop {
        inbox.take_all(&connection.receiver);
        let answers = match inbox.next() {
            Some(message) => Some(handle(&mut server, message)),
            None => catch_unwind(AssertUnwindSafe(|| server.work())).unwrap_or_default(),
        };
        for answer in inbox
            .refusals()
            .into_iter()
            .chain(answers.unwrap_or_default())
        {
            if connection.sender.send(answer).is_err() {
                return End::Abandoned;
            }
        }
        if let Some(end) = server.end() {
            return end;
        }
        if inbox.is_empty() && !server.has_work() && !inbox.wait(&connection.receiver) {
            return End::Abandoned;
        }
    }
}

/// A fault of this program ends one answer, and not the session: the texts of documents are whole at any time.
fn handle(server: &mut Server, message: Message) -> Vec<Message> {
    let id = match &message {
        Message::Request(request) => Some(request.id.clone()),
        Message::Notification(_) | Message::Response(_) => None,
    };
    let handled = catch_unwind(AssertUnwindSafe(|| server.handle(message)));
    handled.unwrap_or_else(|_| {
        let refusal = Refusal::new(ErrorCode::InternalError, "internal server error");
        let answer = id.map(|id| respond(id, Err(refusal)).into());
        answer.into_iter().collect()
    })
}

/// Serves a client over streams, as `asl lsp` does over its standard input and output.
///
/// # Errors
/// The system has no thread.
pub fn serve_streams(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<End> {
    let (connection, writer) = transport::connect(input, output)?;
    let end = serve(&connection);
    drop(connection);
    if end == End::Orderly {
        // All that was answered is written before the process ends.
        let _ = writer.join();
    }
    Ok(end)
}
