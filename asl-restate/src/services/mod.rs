//! Services in Restate: a workflow for each execution, a service that performs effects, and objects for other data.
mod activity;
mod catalogue;
mod children;
mod definition;
mod durable;
mod execution;
mod express;
mod feed;
mod history;
mod inbox;
mod index;
mod link;
mod map_run;
mod mocks;
mod nested;
mod performer;
mod redriven_children;
mod settings;
mod shard;

pub(crate) use execution::TellMessage;
pub(crate) use feed::FEED_PARTS;
pub(crate) use index::{Spot, day_key, slot_of};
pub(crate) use link::Links;

use crate::RestateError;
use crate::node::Node;
use restate_sdk::endpoint::{Endpoint, ServiceOptions};
use restate_sdk::prelude::HandlerOptions;
use restate_sdk::service::{IntoServiceDefinition, ServiceDefinition};
use std::sync::Arc;
use std::time::Duration;

/// Names of the services in Restate.
pub(crate) mod names {
    pub(crate) const EXECUTION: &str = "AslExecution";
    pub(crate) const EXPRESS: &str = "AslExpress";
    pub(crate) const SHARD: &str = "AslShard";
    pub(crate) const MAP_RUN: &str = "AslMapRun";
    pub(crate) const PERFORMER: &str = "AslPerformer";
    pub(crate) const MOCKS: &str = "AslMocks";
    pub(crate) const TELLER: &str = "AslTeller";
    pub(crate) const CATALOGUE: &str = "AslCatalogue";
    pub(crate) const DEFINITION: &str = "AslDefinition";
    pub(crate) const INDEX: &str = "AslIndex";
    pub(crate) const INDEX_DAY: &str = "AslIndexDay";
    pub(crate) const INDEX_DAYS: &str = "AslIndexDays";
    pub(crate) const FEED: &str = "AslFeed";
    pub(crate) const ACTIVITY: &str = "AslActivity";
    pub(crate) const SETTINGS: &str = "AslSettings";
}

/// A task may take as long as it may: it is its execution that says when it took too long.
const WHILE_PERFORMING: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// Maximum pause between two attempts at a request without a server.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// More attempts than there can be.
const FOR_EVER: u64 = u32::MAX as u64;

/// Returns all services of a node, for requests signed with one of these keys, if there are any.
pub(crate) fn endpoint(
    node: &Arc<Node>,
    identity_keys: &[String],
) -> Result<Endpoint, RestateError> {
    let lazy = || HandlerOptions::new().enable_lazy_state(true);
    let run = lazy().workflow_retention(node.retention);
    // What is asked of an execution needs little of its state, and reads it again after it waited.
    let executions = ServiceOptions::new()
        .enable_lazy_state(true)
        .handler("run", run);
    let performing = ServiceOptions::new()
        .inactivity_timeout(WHILE_PERFORMING)
        .abort_timeout(WHILE_PERFORMING);
    // The others read all of an object.
    let index = ServiceOptions::new()
        .handler("put_all", lazy())
        .handler("settle", lazy())
        .handler("running", lazy());
    let none = ServiceOptions::new;
    let shared = || Arc::clone(node);
    let mut endpoint = Endpoint::builder()
        .bind(service(execution::ExecutionWorkflow(shared()), executions))
        .bind(service(performer::PerformerService(shared()), performing))
        .bind(service(mocks::MocksObject(shared()), none()))
        .bind(service(shard::ShardService, none()))
        .bind(service(express::ExpressService(shared()), none()))
        .bind(service(map_run::MapRunObject, none()))
        .bind(service(nested::TellerService, none()))
        .bind(service(catalogue::CatalogueObject, none()))
        .bind(service(definition::DefinitionObject, none()))
        .bind(service(index::IndexObject(shared()), index))
        .bind(service(index::IndexDayObject, none()))
        .bind(service(index::IndexDaysObject, none()))
        .bind(service(feed::FeedObject(shared()), none()))
        .bind(service(activity::ActivityObject, none()))
        .bind(service(settings::SettingsObject, none()));
    for key in identity_keys {
        let verified = endpoint.identity_key(key);
        endpoint = verified.map_err(|error| RestateError::IdentityKey {
            key: key.clone(),
            why: error.to_string(),
        })?;
    }
    Ok(endpoint.build())
}

/// Returns a service with its options. By default, Restate would keep the journal of each invocation for a day, which is not
/// needed, and would pause an invocation after nodes are gone for an hour until an operator resumes it.
fn service(service: impl IntoServiceDefinition, options: ServiceOptions) -> ServiceDefinition {
    let options = options
        .journal_retention(Duration::ZERO)
        .retry_policy_max_interval(LONGEST_PAUSE)
        .retry_policy_max_attempts(FOR_EVER);
    service.into_service_definition().options(options)
}
