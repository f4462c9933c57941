//! The API for a backend that keeps everything in memory: `cargo run --example in_memory -- 8083`.
#[path = "../tests/fake/mod.rs"]
#[allow(missing_docs, reason = "a test's backend")]
mod fake;

use asl_server::{SelfCalls, Server, ServerOptions};
use std::sync::Arc;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port = std::env::args().nth(1).unwrap_or_else(|| "8083".to_owned());
    let listener = TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    let calls = SelfCalls::new();
    let backend = Arc::new(fake::Fake::new(&calls));
    let server = Server::new(backend, ServerOptions::default())?;
    server.answer_self_calls(&calls);
    let interrupted = async {
        let _ = tokio::signal::ctrl_c().await;
    };
    Ok(server.serve(listener, interrupted).await?)
}
