//! The backend in front: it keeps nothing, and asks Restate.
mod catalogue;
mod executions;
mod following;
mod history;
mod lists;
mod map_runs;
mod tasks;

use crate::client::Client;
use crate::deployment::Deployment;
use crate::node::Node;
use crate::{Options, RestateError, services, serving};
use asl_backend::{
    ActivityTask, Backend, Definition, DefinitionId, EndedExpress, Entry, EntryKey, EntryKind,
    ExecutionDescription, ExecutionFilter, ExecutionPage, FeedCursor, FollowError, FollowedEvents,
    HistoryPage, HistoryQuery, MapRunDescription, RedriveError, Reply, StartError, StartExecution,
    StartedExecution, StatusChanges, StopError, TaskReply, TokenRefused, WriteOutcome,
    perform_alone,
};
use asl_engine::{ErrorOutput, MapRunUpdate, TaskInvocation, Timestamp};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;

/// A backend whose executions run on a Restate cluster.
///
/// It serves the services that Restate calls until it is dropped; executions continue where another node serves them, or when this
/// one is there again.
pub struct RestateBackend {
    node: Arc<Node>,
    max_execution_bytes: Option<u64>,
    serving: JoinHandle<()>,
}

impl std::fmt::Debug for RestateBackend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RestateBackend").finish_non_exhaustive()
    }
}

impl Drop for RestateBackend {
    fn drop(&mut self) {
        self.close();
    }
}

impl RestateBackend {
    /// Connects to a cluster: listens for it, registers the services, and agrees with the other nodes on shared settings.
    ///
    /// # Errors
    ///
    /// A URL is invalid, the address cannot be used, or the cluster does not respond.
    pub async fn connect(options: Options) -> Result<Self, RestateError> {
        let deployment = Deployment::new(options.deployment.as_deref())?;
        let client = Client::new(&options.ingress, &options.admin)?;
        let node = Arc::new(Node::new(&options, client));
        let address = options.listen;
        let cannot = |source| RestateError::Listen { address, source };
        let listener = serving::listen(address, options.share_listen);
        let listener = listener.await.map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        let endpoint = services::endpoint(&node, &options.identity_keys)?;
        let backend = Self {
            max_execution_bytes: options.max_execution_bytes,
            serving: tokio::spawn(serving::serve(listener, endpoint, deployment.clone())),
            node,
        };
        let own = || format!("http://{address}");
        backend
            .join(&options.services_url.unwrap_or_else(own), &deployment)
            .await?;
        Ok(backend)
    }

    /// Serves no more calls of Restate. Executions continue on other nodes, or when this one is connected again.
    pub fn close(&self) {
        self.serving.abort();
    }

    /// Reports the cluster where the services are, under the path of this deployment.
    async fn join(&self, url: &str, deployment: &Deployment) -> Result<(), RestateError> {
        let url = format!("{}{}", url.trim_end_matches('/'), deployment.path());
        let registered = self.node.client.register(&url).await;
        registered.map_err(|error| RestateError::Register {
            url,
            why: error.to_string(),
        })?;
        let settled = self.node.settle_tokens().await;
        settled.map_err(|error| RestateError::Settings(error.to_string()))
    }
}

impl Backend for RestateBackend {
    fn now(&self) -> Timestamp {
        self.node.now()
    }

    fn entry(&self, key: EntryKey) -> Reply<'_, Option<Entry>> {
        Box::pin(catalogue::entry(&self.node.client, key))
    }

    fn write_entry(
        &self,
        key: EntryKey,
        expected: Option<u64>,
        value: Option<Arc<str>>,
    ) -> Reply<'_, WriteOutcome> {
        Box::pin(catalogue::write(&self.node.client, key, expected, value))
    }

    fn entries(
        &self,
        kind: EntryKind,
        scope: Arc<str>,
        after: Option<Arc<str>>,
        limit: usize,
    ) -> Reply<'_, Vec<Entry>> {
        Box::pin(catalogue::list(
            &self.node.client,
            kind,
            scope,
            after,
            limit,
        ))
    }

    fn store_definition(&self, definition: Definition) -> Reply<'_, DefinitionId> {
        Box::pin(catalogue::store_definition(&self.node, definition))
    }

    fn definition(&self, id: DefinitionId) -> Reply<'_, Option<Arc<Definition>>> {
        Box::pin(async move {
            let found = self.node.definition(&id.digits()).await?;
            Ok(found.map(Arc::new))
        })
    }

    fn start(&self, start: StartExecution) -> Reply<'_, StartedExecution, StartError> {
        Box::pin(executions::start(
            &self.node,
            start,
            self.max_execution_bytes,
        ))
    }

    fn run_express(&self, start: StartExecution) -> Reply<'_, EndedExpress, StartError> {
        Box::pin(async move {
            let bytes = self.max_execution_bytes;
            let (program, core) = executions::core_start(&self.node, &start, bytes).await?;
            let test_case = start.test_case(self.node.mocks.as_ref());
            Ok(self.node.express.run(program, core, test_case).await?)
        })
    }

    fn perform_task(&self, task: TaskInvocation) -> Reply<'_, Value, ErrorOutput> {
        Box::pin(perform_alone(&*self.node.performer, task))
    }

    fn stop(&self, arn: Arc<str>, error_output: ErrorOutput) -> Reply<'_, Timestamp, StopError> {
        Box::pin(executions::stop(&self.node, arn, error_output))
    }

    fn redrive(
        &self,
        arn: Arc<str>,
        client_token: Option<Arc<str>>,
    ) -> Reply<'_, Timestamp, RedriveError> {
        Box::pin(executions::redrive(&self.node, arn, client_token))
    }

    fn describe(&self, arn: Arc<str>) -> Reply<'_, Option<ExecutionDescription>> {
        Box::pin(executions::describe(&self.node, arn))
    }

    fn executions(
        &self,
        filter: ExecutionFilter,
        after: Option<Arc<str>>,
        limit: usize,
    ) -> Reply<'_, ExecutionPage> {
        Box::pin(lists::executions(&self.node.client, filter, after, limit))
    }

    fn running_executions(&self, state_machine_arn: Arc<str>) -> Reply<'_, u64> {
        Box::pin(lists::running(&self.node.client, state_machine_arn))
    }

    fn history(&self, arn: Arc<str>, query: HistoryQuery) -> Reply<'_, Option<HistoryPage>> {
        Box::pin(history::page(&self.node, arn, query))
    }

    fn follow(
        &self,
        arn: Arc<str>,
        after: u64,
        timeout: Duration,
    ) -> Reply<'_, Option<FollowedEvents>> {
        Box::pin(following::follow(&self.node, arn, after, timeout))
    }

    fn follow_statuses(
        &self,
        after: Option<FeedCursor>,
        limit: usize,
        timeout: Duration,
    ) -> Reply<'_, StatusChanges, FollowError> {
        Box::pin(following::follow_statuses(
            &self.node, after, limit, timeout,
        ))
    }

    fn map_runs(&self, execution_arn: Arc<str>) -> Reply<'_, Option<Vec<MapRunDescription>>> {
        Box::pin(async move { map_runs::of_execution(&self.node, &execution_arn).await })
    }

    fn map_run(&self, arn: Arc<str>) -> Reply<'_, Option<MapRunDescription>> {
        Box::pin(map_runs::one(&self.node, arn))
    }

    fn update_map_run(&self, update: MapRunUpdate) -> Reply<'_, bool> {
        Box::pin(map_runs::update(&self.node, update))
    }

    fn reply_to_task(&self, token: Arc<str>, reply: TaskReply) -> Reply<'_, (), TokenRefused> {
        Box::pin(tasks::reply(&self.node, token, reply))
    }

    fn take_activity_task(
        &self,
        activity_arn: Arc<str>,
        worker_name: Option<Arc<str>>,
    ) -> Reply<'_, ActivityTask> {
        Box::pin(tasks::take(
            Arc::clone(&self.node),
            activity_arn,
            worker_name,
        ))
    }
}
