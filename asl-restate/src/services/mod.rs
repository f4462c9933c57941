//! What runs within Restate: a workflow for each execution, a service that performs, and objects that keep the rest.
mod activity;
mod catalogue;
mod children;
mod definition;
mod durable;
mod execution;
mod inbox;
mod index;
mod link;
mod mocks;
mod performer;
mod settings;
mod shard;

pub(crate) use execution::{HistorySource, TellMessage};
pub(crate) use index::{days_key, place_after, shard_keys};
pub(crate) use link::Links;

use crate::node::Node;
use restate_sdk::endpoint::{Endpoint, ServiceOptions};
use restate_sdk::prelude::HandlerOptions;
use restate_sdk::service::IntoServiceDefinition;
use std::sync::Arc;
use std::time::Duration;

/// What the services are called in Restate.
pub(crate) mod names {
    pub(crate) const EXECUTION: &str = "AslExecution";
    pub(crate) const SHARD: &str = "AslShard";
    pub(crate) const PERFORMER: &str = "AslPerformer";
    pub(crate) const MOCKS: &str = "AslMocks";
    pub(crate) const CATALOGUE: &str = "AslCatalogue";
    pub(crate) const DEFINITION: &str = "AslDefinition";
    pub(crate) const INDEX: &str = "AslIndex";
    pub(crate) const INDEX_DAYS: &str = "AslIndexDays";
    pub(crate) const ACTIVITY: &str = "AslActivity";
    pub(crate) const SETTINGS: &str = "AslSettings";
}

/// A task may take as long as it may: it is its execution that says when it took too long.
const WHILE_PERFORMING: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// All services of a node.
pub(crate) fn endpoint(node: &Arc<Node>) -> Endpoint {
    let run = HandlerOptions::new()
        .workflow_retention(node.retention)
        .enable_lazy_state(true);
    // What is asked of an execution needs little of its state, and reads it again after it waited.
    let executions = ServiceOptions::new()
        .enable_lazy_state(true)
        .handler("run", run);
    let performing = ServiceOptions::new()
        .inactivity_timeout(WHILE_PERFORMING)
        .abort_timeout(WHILE_PERFORMING);
    let execution = execution::ExecutionWorkflow(Arc::clone(node)).into_service_definition();
    let performer = performer::PerformerService(Arc::clone(node)).into_service_definition();
    Endpoint::builder()
        .bind(execution.options(executions))
        .bind(performer.options(performing))
        .bind(mocks::MocksObject(Arc::clone(node)))
        .bind(shard::ShardService)
        .bind(catalogue::CatalogueObject)
        .bind(definition::DefinitionObject)
        .bind(index::IndexObject)
        .bind(index::IndexDaysObject)
        .bind(activity::ActivityObject)
        .bind(settings::SettingsObject)
        .build()
}
