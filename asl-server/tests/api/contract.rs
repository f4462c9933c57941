//! The tests' backend keeps the contract of backends, as far as tests need.
use crate::fake::Fake;
use asl_backend::Backend;
use asl_backend::contract::{Excuse, Subject, check};
use asl_engine::runtime::BoxFuture;
use asl_server::SelfCalls;
use std::sync::Arc;

struct InMemory(Arc<Fake>);

impl Subject for InMemory {
    fn open(&self) -> BoxFuture<'_, Arc<dyn Backend>> {
        let fake: Arc<dyn Backend> = Arc::clone(&self.0) as _;
        Box::pin(std::future::ready(fake))
    }
}

#[tokio::test]
async fn the_backend_of_these_tests_keeps_the_contract() {
    let subject = InMemory(Arc::new(Fake::new(&SelfCalls::new())));
    assert_eq!(check(&subject, &[Excuse::Restart]).await, []);
}
