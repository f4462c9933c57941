//! Who does the tasks of the executions that are served: commands, servers, a folder as an object store.
use crate::arguments::ServeArguments;
use crate::exit::Failure;
use crate::run::tasks::routes;
use asl_engine::runtime::{BoxFuture, Performer, Storage, Task, TaskHandler, with_storage};
use asl_engine::{StorageOperation, StorageResult, TaskAnswer, TaskError};
use asl_host::{DirectoryStorage, ExternalHandlers, Lambda};
use std::future::ready;
use std::sync::Arc;

/// All that the arguments name, as one.
pub(crate) fn performer(arguments: &ServeArguments) -> Result<Arc<dyn Performer>, Failure> {
    let external = ExternalHandlers::new(arguments.tasks.max_concurrent_tasks.into());
    let tasks = routes(&arguments.tasks.handlers, &external)?;
    let tasks: Arc<dyn Performer> = match &arguments.lambda_endpoint {
        Some(url) => Arc::new(tasks.otherwise(LambdaEndpoint::new(url, &external)?)),
        None => Arc::new(tasks.otherwise(Nobody)),
    };
    Ok(match &arguments.tasks.s3_root {
        Some(root) => Arc::new(with_storage(tasks, DirectoryStorage::new(root))),
        None => Arc::new(with_storage(tasks, NoStorage)),
    })
}

/// Functions are invoked at a server, and what else there is by nobody.
struct LambdaEndpoint(Lambda);

impl LambdaEndpoint {
    fn new(url: &str, external: &ExternalHandlers) -> Result<Self, Failure> {
        let lambda = match url.starts_with("http://") {
            true => Lambda::parse(url, external).map_err(|error| error.to_string()),
            false => Err("expected http://HOST:PORT".to_owned()),
        };
        let refused = |error| Failure::new(format!("--lambda-endpoint '{url}': {error}"));
        lambda.map(Self).map_err(refused)
    }
}

impl TaskHandler for LambdaEndpoint {
    fn invoke(&self, task: Task) -> BoxFuture<'static, Result<TaskAnswer, TaskError>> {
        match Lambda::function(&task) {
            Some(_) => self.0.invoke(task),
            None => Nobody.invoke(task),
        }
    }
}

/// Says that a bucket would be served from a folder.
struct NoStorage;

impl Storage for NoStorage {
    fn perform(
        &self,
        bucket: String,
        _operation: StorageOperation,
    ) -> BoxFuture<'static, Result<StorageResult, String>> {
        Box::pin(ready(Err(format!(
            "nothing stands in for Amazon S3 and its bucket '{bucket}': start asl serve with --s3-root DIR"
        ))))
    }
}

/// Says how a task would be done that nothing does.
struct Nobody;

impl TaskHandler for Nobody {
    fn invoke(&self, task: Task) -> BoxFuture<'static, Result<TaskAnswer, TaskError>> {
        let resource = task.resource();
        let name = resource.function_name().unwrap_or(&resource.uri);
        let cause = format!(
            "nothing does the task of state '{}': start asl serve with --task '{name}=exec:COMMAND' or \
             --task '{name}=http://HOST/PATH', and for functions --lambda-endpoint URL",
            task.state_name()
        );
        Box::pin(ready(Err(TaskError::failed(cause))))
    }
}
