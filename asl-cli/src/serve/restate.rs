//! `asl serve --engine restate`: executions on a Restate cluster.
use super::open_backend::OpenBackend;
use crate::arguments::ServeArguments;
use crate::exit::Failure;
use asl_engine::runtime::Performer;
use asl_restate::{Options, RestateBackend};
use std::sync::Arc;

/// Connects to the cluster that the arguments name.
pub(super) async fn connect(
    arguments: &ServeArguments,
    performer: Arc<dyn Performer>,
) -> Result<OpenBackend, Failure> {
    if let Some(option) = of_the_store(arguments) {
        let what = format!("{option} applies only to --engine sqlite");
        return Err(Failure::new(what));
    }
    let given = &arguments.engine;
    let listen = given.restate_listen;
    let is_verified = !given.restate_identity_key.is_empty();
    if !listen.ip().is_loopback() && !is_verified && !arguments.insecure_bind {
        return Err(Failure::new(format!(
            "--restate-listen {listen} can be reached from other machines, and callers are not verified: add \
             --restate-identity-key KEY if Restate signs its requests, or --insecure-bind if only Restate can reach the address"
        )));
    }
    let options = Options::new("", "", performer)
        .with_ingress(given.restate_ingress.clone())
        .with_admin(given.restate_admin.clone())
        .with_listen(listen)
        .with_share_listen(given.restate_share_listen)
        .with_services_url(given.restate_services_url.clone())
        .with_deployment(given.restate_deployment.clone())
        .with_identity_keys(given.restate_identity_key.clone())
        .with_mocks(arguments.mocks.as_deref().map(super::mocks).transpose()?)
        .with_retention(arguments.retention.duration())
        .with_max_execution_bytes(arguments.limits.max_execution_bytes);
    let backend = RestateBackend::connect(options).await;
    let backend = backend.map_err(|error| Failure::new(error.to_string()))?;
    let place = given.restate_ingress.join(", ");
    Ok(OpenBackend::Restate(Arc::new(backend), place))
}

/// An option that was given and promises what only the engine of this process alone keeps.
fn of_the_store(arguments: &ServeArguments) -> Option<&'static str> {
    let (limits, store) = (&arguments.limits, asl_store::Options::default());
    let in_memory = u64::try_from(store.max_in_memory).unwrap_or(u64::MAX);
    let given = [
        ("--in-memory", arguments.in_memory),
        ("--retention-bytes", arguments.retention_bytes.is_some()),
        ("--max-memory", limits.max_memory.is_some()),
        ("--max-database-bytes", limits.max_database_bytes.is_some()),
        (
            "--max-running-executions",
            limits.max_running_executions != store.max_running,
        ),
        (
            "--max-executions-in-memory",
            limits.max_executions_in_memory != in_memory,
        ),
    ];
    let mut given = given.into_iter().filter(|(_, is_given)| *is_given);
    given.next().map(|(option, _)| option)
}
