//! From `initialize` to `exit` (LSP 3.17, Lifecycle Messages).
use super::capabilities::{Client, capabilities};
use super::{Refusal, Server, read};
use lsp_server::ErrorCode;
use lsp_types::{InitializeParams, InitializeResult, ServerInfo};
use serde_json::{Value, json};

/// Phases of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Phase {
    #[default]
    New,
    Running,
    ShutDown,
    Ended(End),
}

/// The end of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers handle each")]
pub enum End {
    /// The client said `shutdown` and `exit`.
    Orderly,
    /// The client sent `exit` without `shutdown`, or disconnected.
    Abandoned,
}

impl Server {
    pub(super) fn request(&mut self, method: &str, params: Value) -> Result<Value, Refusal> {
        match (self.phase, method) {
            (Phase::New, "initialize") => self.initialize(params),
            (Phase::New, _) => Err(Refusal::new(
                ErrorCode::ServerNotInitialized,
                "expected initialize before any other request",
            )),
            (Phase::Running, "initialize") => Err(Refusal::new(
                ErrorCode::InvalidRequest,
                "initialize must be sent only once",
            )),
            (Phase::Running, "shutdown") => {
                self.phase = Phase::ShutDown;
                Ok(Value::Null)
            }
            (Phase::Running, method) => self.answer(method, params),
            (Phase::ShutDown | Phase::Ended(_), _) => Err(Refusal::new(
                ErrorCode::InvalidRequest,
                "only exit may follow shutdown",
            )),
        }
    }

    fn initialize(&mut self, params: Value) -> Result<Value, Refusal> {
        let params: InitializeParams = read(params)?;
        self.client = Client::new(&params.capabilities);
        self.phase = Phase::Running;
        let result = InitializeResult {
            capabilities: capabilities(&self.client),
            server_info: Some(ServerInfo {
                name: "asl".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        };
        Ok(json!(result))
    }

    pub(super) fn exit(&mut self) {
        self.phase = Phase::Ended(match self.phase {
            Phase::ShutDown => End::Orderly,
            _ => End::Abandoned,
        });
    }
}
