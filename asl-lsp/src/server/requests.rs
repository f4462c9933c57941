//! What is asked of documents.
use super::{Refusal, Server};
use lsp_server::ErrorCode;
use serde_json::Value;

impl Server {
    /// Answers a request of a running session.
    pub(super) fn answer(&mut self, method: &str, _params: Value) -> Result<Value, Refusal> {
        Err(Refusal::new(
            ErrorCode::MethodNotFound,
            format!("{method} is nothing that this server does"),
        ))
    }
}
