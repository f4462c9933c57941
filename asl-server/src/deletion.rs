//! Deletion of a state machine: its executions are stopped, and it is deleted when none is running.
//!
//! The record contains the deletion, so that it continues after a restart with the next request.
use crate::api::Api;
use crate::catalogue::{Change, Key, StateMachineRecord};
use crate::protocol::ApiError;
use crate::scope::Scope;
use asl_backend::{ExecutionFilter, ExecutionParent, ExecutionStatus, StopError};
use asl_engine::ErrorOutput;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// Executions that are looked up at a time.
const PAGE: usize = 100;
/// Between looking whether some still run.
const PAUSE: Duration = Duration::from_millis(50);
/// Maximum number of checks until the next request.
const LOOKS: usize = 1_000;

impl Api {
    /// Returns the record of a state machine; if it is being deleted, the deletion continues.
    pub(crate) async fn machine(
        self: &Arc<Self>,
        scope: &Scope,
        name: &str,
    ) -> Result<Option<Arc<StateMachineRecord>>, ApiError> {
        let key = Key::new(scope, name);
        let record = self.catalogue.machine(&key).await?;
        if record.as_ref().is_some_and(|record| record.is_deleting) {
            delete_in_background(self, key);
        }
        Ok(record)
    }
}

/// Deletes it in the background, unless that is under way.
pub(crate) fn delete_in_background(api: &Arc<Api>, key: Key) {
    let arn = key.scope.arn(format_args!("stateMachine:{}", key.name));
    let mut deletions = api.deletions.lock().unwrap_or_else(PoisonError::into_inner);
    if !deletions.insert(arn.clone()) {
        return;
    }
    drop(deletions);
    let api = Arc::clone(api);
    tokio::spawn(async move {
        // What fails here is tried again when somebody requests the state machine.
        let _ = delete(&api, &key, &arn).await;
        let mut deletions = api.deletions.lock().unwrap_or_else(PoisonError::into_inner);
        deletions.remove(&arn);
    });
}

async fn delete(api: &Arc<Api>, key: &Key, arn: &str) -> Result<(), ApiError> {
    for _ in 0..LOOKS {
        stop_all(api, arn).await?;
        if api.backend.running_executions(arn.into()).await? == 0 {
            let gone = |record: Option<StateMachineRecord>| match record {
                Some(record) if record.is_deleting => Ok(Change::Remove(())),
                _ => Ok(Change::None(())),
            };
            return api.catalogue.change(key, gone).await;
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}

async fn stop_all(api: &Arc<Api>, arn: &str) -> Result<(), ApiError> {
    let filter = ExecutionFilter {
        parent: ExecutionParent::StateMachine(arn.into()),
        status: Some(ExecutionStatus::Running),
        is_redriven: None,
    };
    let mut after = None;
    loop {
        let page = api.backend.executions(filter.clone(), after, PAGE).await?;
        for execution in page.executions {
            let stopped = api.backend.stop(execution.arn, ErrorOutput::default());
            // Any other has ended meanwhile.
            if let Err(StopError::Backend(error)) = stopped.await {
                return Err(error.into());
            }
        }
        match page.next {
            None => return Ok(()),
            next => after = next,
        }
    }
}
