//! The contract of backends, without a server in front.
use super::{PATIENCE, Restate};
use crate::common::Folder;
use asl_backend::Backend;
use asl_backend::contract::{Subject, check};
use asl_engine::runtime::{BoxFuture, TaskHandlers};
use asl_restate::{Options, RestateBackend};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// A node, which can be connected again.
struct Node {
    server: Restate,
    open: Mutex<Option<Arc<RestateBackend>>>,
}

impl Node {
    /// Connects, as soon as the node before has left the port.
    async fn connect(&self) -> Arc<RestateBackend> {
        let begun = Instant::now();
        loop {
            let url = |port| format!("http://127.0.0.1:{port}");
            let (ingress, admin) = (url(self.server.ingress), url(self.server.admin));
            let options = Options::new(ingress, admin, Arc::new(TaskHandlers::new())).with_listen(
                SocketAddr::from((Ipv4Addr::LOCALHOST, self.server.services)),
            );
            match RestateBackend::connect(options).await {
                Ok(backend) => return Arc::new(backend),
                Err(error) => assert!(begun.elapsed() < PATIENCE, "{error}"),
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

impl Subject for Node {
    fn open(&self) -> BoxFuture<'_, Arc<dyn Backend>> {
        Box::pin(async {
            let mut open = self.open.lock().await;
            if open.is_none() {
                *open = Some(self.connect().await);
            }
            open.clone().expect("it is open") as Arc<dyn Backend>
        })
    }

    fn restart(&self) -> BoxFuture<'_, Arc<dyn Backend>> {
        Box::pin(async {
            if let Some(backend) = self.open.lock().await.take() {
                backend.close();
            }
            self.open().await
        })
    }
}

#[test]
fn a_cluster_keeps_the_contract_of_backends() {
    let folder = Folder::new();
    let Some(server) = Restate::start(&folder) else {
        return;
    };
    let node = Node {
        server,
        open: Mutex::default(),
    };
    let tokio = tokio::runtime::Runtime::new().expect("a runtime");
    assert_eq!(tokio.block_on(check(&node, &[])), []);
}
